"""``arena copies``: compare all bots, and list alike pairs."""

import click

from arena.cli.database import opened
from arena.remote.texts import json_option, say_json, say_rows
from arena.services.copies import pages, reports
from arena.services.copies.views import PairRow, Report


@click.command()
@click.option("--group", default="", metavar="NAME", help="Only pairs whose owners are both in this group.")
@click.option("--last", is_flag=True, help="Show the latest report without comparing again.")
@click.option("--dismissed", is_flag=True, help="Show the dismissed pairs instead of the others.")
@json_option
def copies(group: str, last: bool, dismissed: bool, as_json: bool) -> None:
    """Compare the sources of all bots, store the report, and list the pairs that are alike.

    Alike does not mean copied. House bots, and bots of the same owner, are left out.
    """
    with opened() as arena:
        if not last:
            reports.compare(arena)
        found = pages.report(arena, group=group, dismissed=dismissed, limit=reports.MOST_PAIRS)
    if as_json:
        say_json(found)
    else:
        _show(found)


def _show(found: Report) -> None:
    if found.last is None:
        click.echo("nothing has been compared yet")
        return
    say_rows(("bots", "owners", "alike"), [_columns(row) for row in found.pairs])
    click.echo(
        f"pairs: {found.total}, dismissed: {found.dismissed}; programs: {found.last.bots}, unread: "
        f"{found.last.unread}, seconds: {found.last.seconds:.1f}"
    )


def _columns(row: PairRow) -> tuple[str, ...]:
    return f"{row.a.bot}, {row.b.bot}", f"{row.a.owner}, {row.b.owner}", f"{row.share:.0%}"
