"""``arena assignment``: manage assignments of classes on the machine that holds the database."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import click

from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import ID, as_json, organiser
from arena.games.errors import NotFound
from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.remote.times import Timestamp
from arena.services.assignments import actions as assignments
from arena.services.assignments import pages as assignment_pages
from arena.services.assignments import sheets
from arena.services.assignments.points import Points, parse_places
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.base.context import Arena
from arena.services.formats.balanced import Balanced
from arena.services.formats.registry import PLANNED

NO_FINAL: Final = "none"

assignment_id = click.argument("assignment_id", metavar="ID", type=ID)


@click.group()
def assignment() -> None:
    """Create and manage assignments of classes, as the first administrator."""


@assignment.command()
@click.argument("name")
@click.option("--deadline", required=True, type=Timestamp(), help="Latest time of an upload that counts.")
@click.option("--opens", type=Timestamp(), help="Start; now by default.")
@click.option("--group", help="Group whose members take part; all members by default.")
@click.option("--variant", type=click.Choice(list(VARIANTS)), default=DEFAULT_VARIANT, show_default=True)
@click.option("--reference", default="greedy", show_default=True, help="Bot whose active version must be beaten.")
@click.option("--share", type=float, default=0.55, show_default=True, help="Share of the points to exceed.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Least probability of a right answer.")
@click.option("--tables", type=int, default=150, show_default=True, help="Most tables of a comparison.")
@click.option("--valid", type=float, default=1.0, show_default=True, help="Points for a valid bot.")
@click.option("--beaten", type=float, default=4.0, show_default=True, help="Points for beating the reference.")
@click.option("--places", default="5", show_default=True, help="Points for places in the final: 10, or 10,8,6.")
@click.option(
    "--final", type=click.Choice([*PLANNED, NO_FINAL]), default=Balanced.id, show_default=True,
    help="Format of the final tournament.",
)  # fmt: skip
@click.option("--public", is_flag=True, help="Participants see the results of all others by account name.")
def create(name: str, **words: Any) -> None:
    """Create an assignment called NAME."""
    with organiser() as (arena, account):
        variant = words["variant"]
        challenge = Challenge(
            variant=variant,
            reference_id=_version(arena, words["reference"]),
            group_id=None if words["group"] is None else _group(arena, words["group"]),
            share=words["share"],
            confidence=words["confidence"],
            tables=words["tables"],
        )
        terms = Terms(
            name=name,
            opens=(words["opens"] or datetime.now(UTC)).timestamp(),
            deadline=words["deadline"].timestamp(),
            points=Points(words["valid"], words["beaten"], parse_places(words["places"])),
            final=None if words["final"] == NO_FINAL else final_plan(variant, "final", words["final"]),
            public=words["public"],
        )
        click.echo(f"assignment {assignments.create(arena, account, challenge, terms)}")


@assignment.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List all assignments."""
    with organiser() as (arena, account):
        found = assignment_pages.assignments(arena, account)
    if as_json:
        echo_json(found)
        return
    head = ("id", "state", "deadline", "group", "variant", "name")
    echo_rows(head, [(row.id, row.phase, _time(row.deadline), row.group or "", row.variant, row.name) for row in found])


@assignment.command()
@assignment_id
@as_json
def show(assignment_id: int, as_json: bool) -> None:
    """Show every participant's state and points."""
    with organiser() as (arena, account):
        page = assignment_pages.assignment_page(arena, assignment_id, account)
    if as_json:
        echo_json(page)
        return
    rows = [
        (one.name, one.progress, one.bot or "", one.counts.number if one.counts else "", f"{one.award.total:g}")
        for one in assignment_pages.sorted_by(page.students, "name")
    ]
    echo_rows(("account", "state", "bot", "version", "points"), rows)


@assignment.command()
@assignment_id
def results(assignment_id: int) -> None:
    """Write the results with points as CSV, with real names."""
    with organiser() as (arena, account):
        click.echo(sheets.results(arena, account, assignment_id), nl=False)


@assignment.command()
@assignment_id
@click.argument("time", type=Timestamp())
def deadline(assignment_id: int, time: datetime) -> None:
    """Move the deadline of an assignment to TIME."""
    with organiser() as (arena, account):
        terms = assignment_pages.assignment_page(arena, assignment_id, account).terms
        assignments.change(arena, account, assignment_id, replace(terms, deadline=time.timestamp()))
    click.echo(f"assignment {assignment_id}: deadline {_time(time.astimezone(UTC))}")


@assignment.command()
@assignment_id
def delete(assignment_id: int) -> None:
    """Delete an assignment for which nothing has been played."""
    with organiser() as (arena, account):
        assignments.delete(arena, account, assignment_id)
    click.echo(f"assignment {assignment_id} is deleted")


def _version(arena: Arena, name: str) -> int:
    """Return the ID of the active version of an active bot. Raises `NotFound`."""
    found = next((id for id, known in assignment_pages.references(arena) if _bot(known) == name.lower()), None)
    if found is None:
        raise NotFound(f"There is no active bot {name} with a valid version.")
    return found


def _bot(version: str) -> str:
    """Return the bot of a version such as ``greedy v2``, in lower case."""
    return version.rpartition(" ")[0].lower()


def _group(arena: Arena, name: str) -> int:
    """Return the ID of a group. Raises `NotFound`."""
    found = next((id for id, known in assignment_pages.groups(arena) if known.lower() == name.lower()), None)
    if found is None:
        raise NotFound(f"There is no group {name}.")
    return found


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M} UTC"
