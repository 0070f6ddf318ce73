"""``arena tournament`` with ``--arena URL``: tournaments of an arena on another machine."""

from datetime import UTC, datetime
from itertools import islice
from typing import Any

import click

from arena.games.errors import NotFound
from arena.remote.http import Remote
from arena.remote.options import ID, arena_option, json_option, remote, segment
from arena.remote.plans import ANY, plan, plan_options
from arena.remote.reading import say_standings
from arena.remote.texts import say, say_json, say_rows, tell
from arena.remote.times import Timestamp
from arena.remote.watch import headline

tournament_id = click.argument("tournament_id", metavar="ID", type=ID)
table_option = click.option("--table", type=ID, help="Only the table with this number, as on the pages.")


@click.group()
def tournament() -> None:
    """Create, watch and manage tournaments of another arena, with a token for organisers.

    With --local: those of this machine's arena, even if ARENA_URL is set.
    """


@tournament.command(context_settings=ANY)
@click.option(
    "--starts-at", type=Timestamp(),
    help="Start automatically at this time; now by default. UTC unless it has an offset.",
)  # fmt: skip
@click.option("--draft", is_flag=True, help="Keep it as a draft until `arena tournament start`.")
@plan_options
def create(
    ctx: click.Context, url: str | None, as_json: bool, starts_at: datetime | None, draft: bool, **words: Any
) -> None:
    """Create a tournament called NAME, and start it."""
    if draft and starts_at:
        raise click.UsageError("--draft and --starts-at exclude each other")
    arena = remote(url)
    start = None if starts_at is None else starts_at.astimezone(UTC).isoformat()
    body = {**plan(arena, ctx.args, words), "starts_at": start, "start": not draft and starts_at is None}
    made = arena.create("/tournaments", body)
    tell(made, f"{_page(arena, made['id'])['state']} as tournament {made['id']}", as_json)


@tournament.command()
@click.argument("variant", metavar="VARIANT")
@arena_option
@json_option
def ladder(variant: str, url: str | None, as_json: bool) -> None:
    """Start the ladder of a variant, a league without end."""
    arena = remote(url)
    made = arena.create(f"/ladders/{segment(variant)}/start")
    _tell_state(arena, made["id"], as_json)


@tournament.command("list")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True,
    help="Number of tournaments, latest first.",
)  # fmt: skip
@arena_option
@json_option
def list_(limit: int, url: str | None, as_json: bool) -> None:
    """List the latest tournaments."""
    rows = list(islice(remote(url).items("/tournaments", limit=min(limit, 200)), limit))
    if as_json:
        return say_json(rows)
    return say_rows(("id", "state", "format", "variant", "bots", "tables", "name"), [_columns(row) for row in rows])


@tournament.command()
@tournament_id
@arena_option
@json_option
def show(tournament_id: int, url: str | None, as_json: bool) -> None:
    """Show the progress and the standings of a tournament."""
    page = _page(remote(url), tournament_id)
    if as_json:
        return say_json(page)
    say(headline(page))
    return say_standings(page["standings"])


def _act(verb: str, text: str) -> None:
    """Add a command that changes the state of a tournament."""

    @tournament.command(verb, help=text)
    @tournament_id
    @arena_option
    @json_option
    def act(tournament_id: int, url: str | None, as_json: bool) -> None:
        arena = remote(url)
        arena.act(f"/tournaments/{tournament_id}/{verb}")
        _tell_state(arena, tournament_id, as_json)


_act("start", "Start a draft or scheduled tournament now.")
_act("pause", "Pause a tournament: no new tables start, and tables in play still count.")
_act("resume", "Resume a paused tournament.")
_act("cancel", "Stop a tournament for good; its results stay rated.")


@tournament.command()
@click.argument("tournament_id", metavar="[ID]", type=ID, required=False)
@table_option
@arena_option
@json_option
def retry(tournament_id: int | None, table: int | None, url: str | None, as_json: bool) -> None:
    """Put back the tables that the arena gave up, in one tournament or in all.

    All tournaments need a token for administrators.
    """
    if tournament_id is None and table is not None:
        raise click.UsageError("--table needs the ID of its tournament")
    arena = remote(url)
    if tournament_id is None:
        queued = arena.act("/operations/retry")
    else:
        queued = arena.act(f"/tournaments/{tournament_id}/retry", {"table": _number(table)})
    tell(queued, f"tables queued again: {queued['count']}", as_json)


@tournament.command()
@tournament_id
@click.option("--reason", required=True, help="The reason, visible to everyone.")
@table_option
@click.option("--bot", metavar="NAME", help="Only the tables of this bot.")
@arena_option
@json_option
def rejudge(
    tournament_id: int, reason: str, table: int | None, bot: str | None, url: str | None, as_json: bool
) -> None:
    """Replay a tournament, one of its tables, or all tables of one bot from the same seed.

    Earlier results remain visible but no longer count.
    """
    if table is not None and bot is not None:
        raise click.UsageError("--table and --bot exclude each other")
    arena = remote(url)
    version = None if bot is None else _entrant(arena, tournament_id, bot)
    body = {"reason": reason, "table": _number(table), "version_id": version}
    again = arena.act(f"/tournaments/{tournament_id}/rejudge", body)
    tell(again, f"tournament {tournament_id}: tables queued for replay: {again['count']}", as_json)


@tournament.command()
@tournament_id
@click.argument("bot", metavar="BOT")
@click.option("--reason", required=True, help="The reason, visible to the bot's author.")
@arena_option
@json_option
def withdraw(tournament_id: int, bot: str, reason: str, url: str | None, as_json: bool) -> None:
    """Withdraw a bot from a tournament; its earlier results count."""
    arena = remote(url)
    body = {"reason": reason, "version_id": _entrant(arena, tournament_id, bot)}
    arena.act(f"/tournaments/{tournament_id}/withdraw", body)
    tell(_page(arena, tournament_id), f"tournament {tournament_id}: {bot} is withdrawn", as_json)


def _page(arena: Remote, tournament_id: int) -> Any:
    return arena.get(f"/tournaments/{tournament_id}")


def _tell_state(arena: Remote, tournament_id: int, as_json: bool) -> None:
    page = _page(arena, tournament_id)
    tell(page, f"tournament {tournament_id} is {page['state']}", as_json)


def _entrant(arena: Remote, tournament_id: int, bot: str) -> int:
    """Return the ID of the version with which a bot takes part. Raises `NotFound`."""
    for row in _page(arena, tournament_id)["standings"]:
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
