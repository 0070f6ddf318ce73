"""``arena tournament`` and ``arena schedule`` with ``--arena URL``: tournaments of an arena on another machine."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import click

from arena.games.errors import NotFound
from arena.games.registry import DEFAULT_VARIANT
from arena.remote.http import Remote
from arena.remote.options import ID, arena_option, json_option, remote
from arena.remote.reading import say_standings
from arena.remote.texts import say, say_json, say_rows
from arena.remote.upload import found
from arena.remote.watch import headline

Command = TypeVar("Command", bound=Callable[..., Any])
ANY = {"ignore_unknown_options": True, "allow_extra_args": True}
"""Settings of commands that take the numbers of a format as options, which only the arena knows."""

tournament_id = click.argument("tournament_id", metavar="ID", type=ID)
schedule_id = click.argument("schedule_id", metavar="ID", type=ID)


@click.group()
def tournament() -> None:
    """Create, watch and manage tournaments of another arena, with a token for organisers."""


@click.group()
def schedule() -> None:
    """Create and manage schedules of another arena, with a token for organisers."""


def plan_options(command: Command) -> Command:
    """Add the options that `plan` reads. Options with a number, such as ``--rounds 3``, are those of the format."""
    options: list[Callable[..., Any]] = [
        click.argument("name"),
        click.option("--variant", default=DEFAULT_VARIANT, show_default=True),
        click.option("--format", default="round_robin", show_default=True),
        click.option("--boards", type=int, help="Sets of boards per table; the variant's number by default."),
        click.option("--seatings", default="rotations", show_default=True),
        click.option("--entries", default="all", show_default=True, help="The entries if no --bot is given."),
        click.option("--bot", "bots", multiple=True, metavar="NAME", help="Enter this bot; repeatable."),
        click.option("--fault-cap", type=int, help="Withdraw a bot after more than this many failed matches."),
        arena_option,
        json_option,
        click.pass_context,
    ]
    for option in reversed(options):
        command = option(command)
    return command


def plan(arena: Remote, extra: Sequence[str], words: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a plan. Raises `UsageError` and `NotFound`."""
    bots = words.pop("bots")
    entries = words.pop("entries")
    rule = {"entry_rule": "chosen", "chosen": [_bot(arena, name) for name in bots]} if bots else {"entry_rule": entries}
    given = {name: value for name, value in words.items() if value is not None}
    return {**given, **rule, **({"shape": shape(extra)} if extra else {})}


def shape(extra: Sequence[str]) -> dict[str, int]:
    """Return the numbers of a format from options such as ``--rounds 3``. Raises `UsageError`."""
    words = [word for one in extra for word in one.split("=", 1)]
    names, values = words[::2], words[1::2]
    try:
        if len(names) != len(values) or not all(name.startswith("--") for name in names):
            raise ValueError
        return {name[2:].replace("-", "_"): int(value) for name, value in zip(names, values, strict=True)}
    except ValueError:
        given = " ".join(extra)
        raise click.UsageError(f"{given!r} is not a row of options with numbers, such as --rounds 3") from None


@tournament.command(context_settings=ANY)
@click.option("--starts-at", type=click.DateTime(), help="Start automatically at this time, in UTC; now by default.")
@click.option("--draft", is_flag=True, help="Keep it as a draft until `arena tournament start`.")
@plan_options
def create(
    ctx: click.Context, url: str | None, as_json: bool, starts_at: datetime | None, draft: bool, **words: Any
) -> None:
    """Create a tournament called NAME, and start it."""
    if draft and starts_at:
        raise click.UsageError("--draft and --starts-at exclude each other")
    arena = remote(url)
    body = plan(arena, ctx.args, words)
    if starts_at:
        body["starts_at"] = starts_at.replace(tzinfo=UTC).isoformat()
    made = arena.create("/tournaments", {**body, "start": not draft and starts_at is None})
    if as_json:
        return say_json(made)
    return _say(arena, made["id"])


@tournament.command("list")
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Number of tournaments.")
@arena_option
@json_option
def list_tournaments(limit: int, url: str | None, as_json: bool) -> None:
    """List the latest tournaments."""
    rows = remote(url).get("/tournaments", limit=limit)["items"]
    if as_json:
        return say_json(rows)
    return say_rows(("id", "state", "format", "variant", "bots", "tables", "name"), [_columns(row) for row in rows])


@tournament.command()
@tournament_id
@arena_option
@json_option
def show(tournament_id: int, url: str | None, as_json: bool) -> None:
    """Show the progress and the standings of a tournament."""
    page = remote(url).get(f"/tournaments/{tournament_id}")
    if as_json:
        return say_json(page)
    say(headline(page))
    return say_standings(page["standings"])


def _act(verb: str, text: str) -> None:
    """Add a command that changes the state of a tournament."""

    @tournament.command(verb, help=text)
    @tournament_id
    @arena_option
    def act(tournament_id: int, url: str | None) -> None:
        arena = remote(url)
        arena.act(f"/tournaments/{tournament_id}/{verb}")
        _say(arena, tournament_id)


_act("start", "Start a draft or scheduled tournament now.")
_act("pause", "Pause a tournament: no new tables start, and tables in play still count.")
_act("resume", "Resume a paused tournament.")
_act("cancel", "Stop a tournament for good; its results stay rated.")


@tournament.command()
@tournament_id
@click.option("--table", type=ID, help="Only the table with this number, as on the pages.")
@arena_option
def retry(tournament_id: int, table: int | None, url: str | None) -> None:
    """Put back the tables that the arena gave up."""
    queued = remote(url).act(f"/tournaments/{tournament_id}/retry", {"table": _number(table)})
    say(f"tables queued again: {queued['count']}")


@tournament.command()
@tournament_id
@click.option("--reason", required=True, help="The reason, visible to everyone.")
@click.option("--table", type=ID, help="Only the table with this number, as on the pages.")
@click.option("--bot", metavar="NAME", help="Only the tables of this bot.")
@arena_option
def rejudge(tournament_id: int, reason: str, table: int | None, bot: str | None, url: str | None) -> None:
    """Replay a tournament, one of its tables, or all tables of one bot from the same seed."""
    arena = remote(url)
    version = None if bot is None else _entrant(arena, tournament_id, bot)
    body = {"reason": reason, "table": _number(table), "version_id": version}
    again = arena.act(f"/tournaments/{tournament_id}/rejudge", body)
    say(f"tournament {tournament_id}: tables queued for replay: {again['count']}")


@tournament.command()
@tournament_id
@click.argument("bot", metavar="BOT")
@click.option("--reason", required=True, help="The reason, visible to the bot's author.")
@arena_option
def withdraw(tournament_id: int, bot: str, reason: str, url: str | None) -> None:
    """Withdraw a bot from a tournament; its earlier results count."""
    arena = remote(url)
    body = {"reason": reason, "version_id": _entrant(arena, tournament_id, bot)}
    arena.act(f"/tournaments/{tournament_id}/withdraw", body)
    say(f"tournament {tournament_id}: {bot} is withdrawn")


@schedule.command("create", context_settings=ANY)
@click.option("--cron", required=True, help="Times: minute, hour, day of the month, month, day of the week.")
@click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression.")
@click.option("--catch-up", default="skip", show_default=True, help="Missed times: skip, or once for all.")
@plan_options
def create_schedule(ctx: click.Context, url: str | None, as_json: bool, **words: Any) -> None:
    """Create and start a tournament called NAME at every time of a cron expression."""
    arena = remote(url)
    made = arena.create("/schedules", plan(arena, ctx.args, words))
    if as_json:
        return say_json(made)
    return say(f"schedule {made['id']} is created")


@schedule.command("list")
@arena_option
@json_option
def list_schedules(url: str | None, as_json: bool) -> None:
    """List all schedules."""
    rows = list(remote(url).items("/schedules", limit=200))
    if as_json:
        return say_json(rows)
    shown = [(row["id"], row["cron"], row["zone"], _next(row), row["name"], row["problem"] or "") for row in rows]
    return say_rows(("id", "cron", "zone", "next", "name", "problem"), shown)


@schedule.command()
@schedule_id
@arena_option
def run(schedule_id: int, url: str | None) -> None:
    """Start a tournament of a schedule now; its times stay."""
    made = remote(url).create(f"/schedules/{schedule_id}/run")
    say(f"tournament {made['id']} has started")


@schedule.command("pause")
@schedule_id
@arena_option
def pause_schedule(schedule_id: int, url: str | None) -> None:
    """Skip the times of a schedule until it is resumed."""
    remote(url).act(f"/schedules/{schedule_id}/pause")
    say(f"schedule {schedule_id} is paused")


@schedule.command("resume")
@schedule_id
@arena_option
def resume_schedule(schedule_id: int, url: str | None) -> None:
    """Resume a paused schedule."""
    remote(url).act(f"/schedules/{schedule_id}/resume")
    say(f"schedule {schedule_id} is resumed")


@schedule.command("delete")
@schedule_id
@arena_option
def delete_schedule(schedule_id: int, url: str | None) -> None:
    """Delete a schedule. Its tournaments stay."""
    remote(url).delete(f"/schedules/{schedule_id}")
    say(f"schedule {schedule_id} is deleted")


def _say(arena: Remote, number: int) -> None:
    say(f"tournament {number} is {arena.get(f'/tournaments/{number}')['state']}")


def _bot(arena: Remote, name: str) -> int:
    known = found(arena, name)
    if known is None:
        raise NotFound(f"There is no bot {name}.")
    return known


def _entrant(arena: Remote, tournament_id: int, bot: str) -> int:
    """Return the ID of the version with which a bot takes part. Raises `NotFound`."""
    for row in arena.get(f"/tournaments/{tournament_id}")["standings"]:
        if row["bot"].lower() == bot.lower():
            return int(row["version_id"])
    raise NotFound(f"No bot {bot} takes part in this tournament.")


def _number(table: int | None) -> int | None:
    """Return the number of a table for the arena, which counts from 0."""
    return None if table is None else table - 1


def _columns(row: Any) -> tuple[object, ...]:
    settled = row["tables_done"] + row["tables_failed"] + row["tables_cancelled"]
    done = f"{settled}/{row['tables_total']}"
    return row["id"], row["state"], row["format"], row["variant"], row["entries"], done, row["name"]


def _next(row: Any) -> str:
    return str(row["times"][0]) if row["times"] else "paused" if row["paused"] else "unknown"
