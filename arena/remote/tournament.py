"""``arena tournament``: create, watch and manage tournaments."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

import click

from arena.games.errors import NotFound
from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.options import ID, VARIANT, Result, Timestamp, prints
from arena.remote.plans import ANY, plan, plan_options
from arena.remote.reading import standings_table
from arena.remote.texts import table
from arena.remote.watch import headline

tournament_id = click.argument("tournament_id", metavar="ID", type=ID)
_STATE: Final = "tournament {} is {state}"

table_option = click.option("--table", type=ID, help="Only the table with this number, as on the pages.")


@click.group()
def tournament() -> None:
    """Create, watch and manage tournaments.

    Those of this machine's arena, as the first administrator; or, with --arena URL after the subcommand or ARENA_URL,
    those of that arena, with a token for organisers. --local overrides ARENA_URL.
    """


@tournament.command(context_settings=ANY)
@plan_options
@click.option(
    "--starts-at", type=Timestamp(),
    help="Start automatically at this time; now by default. UTC unless it has an offset.",
)  # fmt: skip
@click.option("--draft", is_flag=True, help="Keep it as a draft until `arena tournament start`.")
@prints
def create(arena: Remote, starts_at: datetime | None, draft: bool, **words: Any) -> Result:
    """Create a tournament called NAME, and start it."""
    if draft and starts_at:
        raise click.UsageError("--draft and --starts-at exclude each other")
    start = None if starts_at is None else starts_at.astimezone(UTC).isoformat()
    body = {**plan(arena, words), "starts_at": start, "start": not draft and starts_at is None}
    made = arena.create("/tournaments", body)
    return Result(made, [f"{_page(arena, made['id'])['state']} as tournament {made['id']}"])


@tournament.command()
@prints
def formats(arena: Remote) -> Result:
    """List the formats, and the numbers that are options of each."""
    found = arena.get("/formats")
    numbers = [(one["id"], number) for one in found for number in one["fields"]]
    rows = [
        (format, f"--{number['name']}", number["default"], f"{number['least']} to {number['most']}", number["help"])
        for format, number in numbers
    ]
    return Result(found, table(("format", "option", "default", "allowed", "meaning"), rows))


@tournament.command()
@click.argument("variant", type=VARIANT, metavar="VARIANT")
@prints
def ladder(arena: Remote, variant: str) -> Result:
    """Start the ladder of a variant, a league without end."""
    page = _page(arena, arena.create(f"/ladders/{variant}/start")["id"])
    return Result(page, [_STATE.format(page["id"], **page)])


@tournament.command("list")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True,
    help="Number of tournaments, latest first.",
)  # fmt: skip
@prints
def list_(arena: Remote, limit: int) -> Result:
    """List the latest tournaments."""
    rows = list(islice(arena.items("/tournaments", limit=min(limit, 200)), limit))
    return Result(rows, table(("id", "state", "format", "variant", "bots", "tables", "name"), map(_columns, rows)))


@tournament.command()
@tournament_id
@prints
def show(arena: Remote, tournament_id: int) -> Result:
    """Show the progress and the standings of a tournament."""
    page = _page(arena, tournament_id)
    return Result(page, _shown(page))


_tournament = Thing(tournament, "/tournaments")
_tournament.act("start", "Start a draft or scheduled tournament now.", _STATE)
_tournament.act("pause", "Pause a tournament: no new tables start, and tables in play still count.", _STATE)
_tournament.act("resume", "Resume a paused tournament.", _STATE)
_tournament.act("cancel", "Stop a tournament for good; its results stay rated.", _STATE)


@tournament.command()
@click.argument("tournament_id", metavar="[ID]", type=ID, required=False)
@table_option
@prints
def retry(arena: Remote, tournament_id: int | None, table: int | None) -> Result:
    """Put back the tables that the arena gave up, in one tournament or in all.

    All tournaments need a token for administrators.
    """
    if tournament_id is None and table is not None:
        raise click.UsageError("--table needs the ID of its tournament")
    if tournament_id is None:
        queued = arena.act("/operations/retry")
    else:
        queued = arena.act(f"/tournaments/{tournament_id}/retry", {"table": _number(table)})
    return Result(queued, [f"tables queued again: {queued['count']}"])


@tournament.command()
@tournament_id
@click.option("--reason", required=True, help="The reason, visible to everyone.")
@table_option
@click.option("--bot", metavar="NAME", help="Only the tables of this bot.")
@prints
def rejudge(arena: Remote, tournament_id: int, reason: str, table: int | None, bot: str | None) -> Result:
    """Replay a tournament, one of its tables, or all tables of one bot from the same seed.

    Earlier results remain visible but no longer count.
    """
    if table is not None and bot is not None:
        raise click.UsageError("--table and --bot exclude each other")
    version = None if bot is None else _entrant(arena, tournament_id, bot)
    body = {"reason": reason, "table": _number(table), "version_id": version}
    again = arena.act(f"/tournaments/{tournament_id}/rejudge", body)
    return Result(again, [f"tournament {tournament_id}: tables queued for replay: {again['count']}"])


@tournament.command()
@tournament_id
@click.argument("bot", metavar="BOT")
@click.option("--reason", required=True, help="The reason, visible to the bot's author.")
@prints
def withdraw(arena: Remote, tournament_id: int, bot: str, reason: str) -> Result:
    """Withdraw a bot from a tournament; its earlier results count."""
    body = {"reason": reason, "version_id": _entrant(arena, tournament_id, bot)}
    arena.act(f"/tournaments/{tournament_id}/withdraw", body)
    return Result(_page(arena, tournament_id), [f"tournament {tournament_id}: {bot} is withdrawn"])


def _page(arena: Remote, tournament_id: int) -> Any:
    return arena.get(f"/tournaments/{tournament_id}")


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


def _shown(page: Any) -> Iterator[str]:
    yield headline(page)
    yield f"{page['format']} in {page['variant']}, {page['entries']} bots"
    yield f"commitment {page['commitment']}"
    if page["seed"]:
        yield f"seed       {page['seed']}"
    if page["standings"]:
        yield from standings_table(page["standings"])
