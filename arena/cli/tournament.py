"""``arena tournament``: manage tournaments on the machine that holds the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import click
from msgspec import to_builtins

from arena.cli.database import bell, opened
from arena.cli.plans import chosen_plan, echo_json, echo_rows, plan_options
from arena.games.errors import NotFound
from arena.games.registry import VARIANTS
from arena.remote.times import Timestamp
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.views import StandingRow
from arena.services.ladders import actions as ladders
from arena.services.people import accounts
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import rejudgements, retries, withdrawals
from arena.services.tournaments.views import TournamentPage, TournamentRow
from arena.settings import Settings

ID = click.IntRange(1, 2**31 - 1)
STANDING: Final = (
    "rank", "bot_id", "bot", "owner", "version_id", "version", "points", "share", "tables", "faults", "seed",
    "interval", "strength", "out", "out_after", "sat_out", "opponents", "reached",
)  # fmt: skip
"""Values of a `StandingRow` that its JSON has, in their order."""

tournament_id = click.argument("tournament_id", metavar="ID", type=ID)
as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


@contextmanager
def organiser() -> Iterator[tuple[Arena, Account]]:
    """Yield the arena and the first administrator, in whose name the operator acts. Raises `ArenaError`."""
    settings = Settings.from_env()
    with opened(settings, bell(settings)) as arena:
        yield arena, accounts.operator(arena)


@click.group()
def tournament() -> None:
    """Create, watch and manage tournaments, as the first administrator.

    With --arena URL after the subcommand, or ARENA_URL: those of that arena, with your token.
    --local overrides ARENA_URL.
    """


@tournament.command()
@click.argument("name")
@plan_options
@click.option(
    "--starts-at",
    type=Timestamp(),
    help="Start automatically at this time; now by default. UTC unless it has an offset.",
)
@click.option("--draft", is_flag=True, help="Keep it as a draft until `arena tournament start`.")
def create(name: str, starts_at: datetime | None, draft: bool, **words: Any) -> None:
    """Create a tournament called NAME, and start it."""
    if draft and starts_at:
        raise click.UsageError("--draft and --starts-at exclude each other")
    with organiser() as (arena, account):
        plan = chosen_plan(arena, name, words, starts_at)
        made = tournaments.create(arena, account, plan, start=not draft and starts_at is None)
        click.echo(f"{_page(arena, made).row.state} as tournament {made}")


@tournament.command()
@click.argument("variant", type=click.Choice(list(VARIANTS)), metavar="VARIANT")
def ladder(variant: str) -> None:
    """Start the ladder of a variant, a league without end."""
    with organiser() as (arena, account):
        _say(arena, ladders.start(arena, account, variant))


@tournament.command("list")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Number of tournaments, latest first.",
)
@as_json
def list_(limit: int, as_json: bool) -> None:
    """List the latest tournaments."""
    with opened(Settings.from_env()) as arena:
        found = tournament_pages.latest(arena, limit)
    if as_json:
        echo_json(found)
    else:
        head = ("id", "state", "format", "variant", "bots", "tables", "name")
        echo_rows(head, [_columns(row) for row in found])


@tournament.command()
@tournament_id
@as_json
def show(tournament_id: int, as_json: bool) -> None:
    """Show the progress and the standings of a tournament."""
    with opened(Settings.from_env()) as arena:
        page = _page(arena, tournament_id)
    if as_json:
        echo_json({**to_builtins(page), "standings": [_standing(row) for row in page.standings]})
    else:
        _show(page)


def _standing(row: StandingRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in STANDING}


@tournament.command()
@tournament_id
def start(tournament_id: int) -> None:
    """Start a draft or scheduled tournament now."""
    with organiser() as (arena, account):
        tournaments.start(arena, account, tournament_id)
        _say(arena, tournament_id)


@tournament.command()
@tournament_id
def pause(tournament_id: int) -> None:
    """Pause a tournament: no new tables start, and tables in play still count."""
    with organiser() as (arena, account):
        tournaments.pause(arena, account, tournament_id)
        _say(arena, tournament_id)


@tournament.command()
@tournament_id
def resume(tournament_id: int) -> None:
    """Resume a paused tournament."""
    with organiser() as (arena, account):
        tournaments.resume(arena, account, tournament_id)
        _say(arena, tournament_id)


@tournament.command()
@tournament_id
def cancel(tournament_id: int) -> None:
    """Stop a tournament for good; its results stay rated."""
    with organiser() as (arena, account):
        tournaments.cancel(arena, account, tournament_id)
        _say(arena, tournament_id)


@tournament.command()
@click.argument("tournament_id", metavar="[ID]", type=ID, required=False)
@click.option("--table", type=ID, help="Only the table with this number, as on the pages.")
def retry(tournament_id: int | None, table: int | None) -> None:
    """Put back the tables that the arena gave up, in one tournament or in all."""
    if tournament_id is None and table is not None:
        raise click.UsageError("--table needs the ID of its tournament")
    with organiser() as (arena, account):
        number = None if table is None else table - 1
        if tournament_id is None:
            queued = retries.retry_all(arena, account)
        else:
            queued = retries.retry(arena, account, tournament_id, number)
        click.echo(f"tables queued again: {queued}")


@tournament.command()
@tournament_id
@click.option("--reason", required=True, help="The reason, visible to everyone.")
@click.option("--table", type=ID, help="Only the table with this number, as on the pages.")
@click.option("--bot", metavar="NAME", help="Only the tables of this bot.")
def rejudge(tournament_id: int, reason: str, table: int | None, bot: str | None) -> None:
    """Replay a tournament, one of its tables, or all tables of one bot from the same seed.

    Earlier results remain visible but no longer count.
    """
    if table is not None and bot is not None:
        raise click.UsageError("--table and --bot exclude each other")
    with organiser() as (arena, account):
        version = None if bot is None else _version(_page(arena, tournament_id), bot)
        number = None if table is None else table - 1
        again = rejudgements.rejudge(arena, account, tournament_id, reason, table_number=number, version_id=version)
        click.echo(f"tournament {tournament_id}: tables queued for replay: {again}")


@tournament.command()
@tournament_id
@click.argument("bot", metavar="BOT")
@click.option("--reason", required=True, help="The reason, visible to the bot's author.")
def withdraw(tournament_id: int, bot: str, reason: str) -> None:
    """Withdraw a bot from a tournament; its earlier results count."""
    with organiser() as (arena, account):
        version = _version(_page(arena, tournament_id), bot)
        withdrawals.withdraw(arena, account, tournament_id, version, reason)
    click.echo(f"tournament {tournament_id}: {bot} is withdrawn")


def _page(arena: Arena, tournament_id: int) -> TournamentPage:
    return tournament_pages.page(arena, tournament_id)


def _version(page: TournamentPage, bot: str) -> int:
    for row in page.standings:
        if row.bot.lower() == bot.lower():
            return row.version_id
    raise NotFound(f"No bot {bot} takes part in this tournament.")


def _say(arena: Arena, tournament_id: int) -> None:
    click.echo(f"tournament {tournament_id} is {_page(arena, tournament_id).row.state}")


def _columns(row: TournamentRow) -> tuple[object, ...]:
    done = f"{row.tables_settled}/{row.tables_planned}"
    return row.id, row.state, row.format, row.variant, row.entries, done, row.name


def _show(page: TournamentPage) -> None:
    row = page.row
    click.echo(f"{row.name}: {row.state}")
    click.echo(
        f"{row.format} in {row.variant}, {row.entries} bots, {row.tables_settled} of {row.tables_planned} tables"
    )
    if row.problem:
        click.echo(row.problem)
    click.echo(f"commitment {page.commitment}")
    if page.seed:
        click.echo(f"seed       {page.seed}")
    if page.standings:
        standings = [
            (line.rank, f"{line.bot} v{line.version}", line.owner, line.points, _percent(line.share), line.tables)
            for line in page.standings
        ]
        echo_rows(("rank", "bot", "owner", "points", "share", "tables"), standings)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
