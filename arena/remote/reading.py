"""``arena status``, ``arena logs`` and ``arena standings``: what an arena knows about bots."""

from collections.abc import Iterator
from typing import Any

import click

from arena.games.errors import NotFound
from arena.remote.http import Remote
from arena.remote.names import bot_id
from arena.remote.options import arena_option, remote, segment
from arena.remote.texts import json_option, percent, rating, say, say_json, say_rows, table
from arena.remote.upload import report


@click.command()
@click.argument("bot", required=False)
@arena_option
@json_option
def status(bot: str | None, url: str | None, as_json: bool) -> None:
    """Show the state and the ratings of BOT, or of all your bots."""
    arena = remote(url)
    if bot is None:
        mine = list(arena.items("/me/bots", limit=200))
        shown = [_row(one) for one in mine]
        return say_json(mine) if as_json else say_rows(("id", "bot", "version", "latest", "rating"), shown)
    page = _bot(arena, bot)
    return say_json(page) if as_json else _show(page)


@click.command()
@click.argument("bot")
@click.option("--version", "number", type=click.IntRange(1), help="The version; by default the latest.")
@arena_option
@json_option
def logs(bot: str, number: int | None, url: str | None, as_json: bool) -> None:
    """Show the report of a check of your BOT: message, line, traceback, and what it printed."""
    page = _bot(remote(url), bot)
    versions = [one for one in page["versions"] if number in (None, one["number"])]
    if not versions:
        raise NotFound(f"{page['name']} has no version {number or 1}.")
    version = versions[0]
    if as_json:
        return say_json(version["report"])
    say(f"{page['name']}, version {version['number']}: {version['state']}")
    for text in report(version["report"]) if version["report"] else ["There is no report that you may see."]:
        click.echo(text)
    return None


@click.command()
@click.argument("what", metavar="TOURNAMENT|VARIANT")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="Number of places.")
@arena_option
@json_option
def standings(what: str, limit: int, url: str | None, as_json: bool) -> None:
    """Show the standings of a tournament by its ID, or the leaderboard of a variant."""
    arena = remote(url)
    if what.isascii() and what.isdecimal():
        rows = arena.get(f"/tournaments/{what}")["standings"][:limit]
        return say_json(rows) if as_json else say(*standings_table(rows))
    rows = arena.get(f"/leaderboards/{segment(what)}", limit=limit)["items"]
    if as_json:
        return say_json(rows)
    head = ("rank", "bot", "owner", "rating", "ranked by", "tables")
    return say_rows(head, [_leader(row) for row in rows])


def standings_table(rows: Any) -> Iterator[str]:
    """Yield the lines of the standings of a tournament."""
    return table(("rank", "bot", "owner", "points", "share", "tables"), map(standing, rows))


def standing(row: Any) -> tuple[object, ...]:
    """Return the columns of a place in the standings."""
    bot = f"{row['bot']} v{row['version']}"
    return row["rank"], bot, row["owner"], row["points"], percent(row["share"]), row["tables"]


def _leader(row: Any) -> tuple[object, ...]:
    bot = f"{row['bot']} v{row['version']}"
    return row["rank"], bot, row["owner"], rating(row), f"{row['conservative']:.1f}", row["tables"]


def _bot(arena: Remote, name: str) -> Any:
    return arena.get(f"/bots/{bot_id(arena, name)}")


def _row(bot: Any) -> tuple[object, ...]:
    number = "–" if bot["version"] is None else bot["version"]
    return bot["id"], bot["name"], number, bot["latest_state"], rating(bot["rating"])


def _show(page: Any) -> None:
    latest = page["versions"][0] if page["versions"] else None
    state = "no version" if latest is None else f"version {latest['number']} is {latest['state']}"
    say(f"{page['name']} by {page['owner']}: {state}, {'active' if page['active'] else 'not active'}")
    rows = [
        (row["variant"], rating(row["rating"]), rating(row["before"]), row["rating"]["tables"] if row["rating"] else 0)
        for row in page["variants"]
    ]
    if rows:
        say_rows(("variant", "rating", "before", "tables"), rows)
