"""``arena trial``: unrated matches of a bot on the machine that holds the database."""

import click

from arena.cli.database import opened
from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import ID, as_json, organiser
from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.services.trials import actions as trials
from arena.services.trials import pages as trial_pages
from arena.services.trials.actions import MAX_MATCHES
from arena.services.trials.views import TrialPage, Wish
from arena.settings import Settings


@click.group()
def trial() -> None:
    """Play unrated matches of a bot, as the first administrator. Its team sees them, and nobody else."""


@trial.command()
@click.argument("bot")
@click.option("--against", multiple=True, metavar="BOT", help="An opponent, repeatable; house bots fill empty seats.")
@click.option("--variant", type=click.Choice(list(VARIANTS)), default=DEFAULT_VARIANT, show_default=True)
@click.option("--matches", type=click.IntRange(1, MAX_MATCHES), default=20, show_default=True)
@click.option("--single", is_flag=True, help="Play each deal once, without rotating the seats.")
@click.option("--repeat", type=ID, metavar="TRIAL", help="Play the deals of this trial again.")
@click.option("--match", type=ID, metavar="MATCH", help="Play the deal of this match at every table.")
def start(
    bot: str, against: tuple[str, ...], variant: str, matches: int, single: bool, repeat: int | None, match: int | None
) -> None:
    """Start a trial of the active version of BOT."""
    with organiser() as (arena, account):
        tried, *others = (trial_pages.active_version(arena, name) for name in (bot, *against))
        wish = Wish(variant, tried, others, matches, not single, repeat, match)
        number = trials.create(arena, account, wish)
        planned = trial_pages.trial_page(arena, number).matches_total
    click.echo(f"running as trial {number}, {planned} matches; see `arena trial show {number}`")


@trial.command()
@click.argument("trial_id", metavar="ID", type=ID)
@as_json
def show(trial_id: int, as_json: bool) -> None:
    """Show the result of a trial so far."""
    with opened(Settings.from_env()) as arena:
        page = trial_pages.trial_page(arena, trial_id)
    if as_json:
        echo_json(page)
        return
    click.echo(f"{page.row.name}: {page.row.state}, {len(page.matches)} of {page.matches_total} matches")
    echo_rows(("rank", "bot", "share", "interval", "mean score", "faults"), _columns(page))


def _columns(page: TrialPage) -> list[tuple[object, ...]]:
    return [
        (
            row.rank,
            f"{row.bot} v{row.version}",
            "-" if row.share is None else f"{row.share:.1%}",
            "-" if row.interval is None else f"{row.interval[0]:.1%} to {row.interval[1]:.1%}",
            f"{page.means[row.version_id].score:.1f}" if row.version_id in page.means else "-",
            row.faults,
        )
        for row in page.standings
    ]
