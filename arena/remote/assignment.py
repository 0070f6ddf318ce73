"""``arena assignment``: create and grade assignments of classes."""

from datetime import UTC, datetime
from typing import Any, Final

import click

from arena.games.registry import DEFAULT_VARIANT
from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.names import active_version_id, group_id
from arena.remote.options import ID, VARIANT, Result, Timestamp, own_arena_option, own_or_remote, prints
from arena.remote.texts import minute, table

NO_FINAL: Final = "none"

assignment_id = click.argument("assignment_id", metavar="ID", type=ID)


@click.group()
def assignment() -> None:
    """Create and manage assignments of classes, as an organiser."""


@assignment.command()
@click.argument("name")
@click.option("--deadline", required=True, type=Timestamp(), help="Latest time of an upload that counts.")
@click.option("--opens", type=Timestamp(), help="Start; now by default.")
@click.option("--group", help="Group whose members take part; all members by default.")
@click.option("--variant", type=VARIANT, default=DEFAULT_VARIANT, show_default=True)
@click.option("--reference", default="greedy", show_default=True, help="Bot whose active version must be beaten.")
@click.option("--share", type=float, default=0.55, show_default=True, help="Share of the points to exceed.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Least probability of a right answer.")
@click.option("--tables", type=int, default=150, show_default=True, help="Most tables of a comparison.")
@click.option("--valid", type=float, default=1.0, show_default=True, help="Points for a valid bot.")
@click.option("--beaten", type=float, default=4.0, show_default=True, help="Points for beating the reference.")
@click.option("--places", default="5", show_default=True, help="Points for places in the final: 10, or 10,8,6.")
@click.option("--final", default="balanced", show_default=True, help="Format of the final tournament, or none.")
@click.option("--public", is_flag=True, help="Participants see the results of all others by account name.")
@prints
def create(arena: Remote, reference: str, group: str | None, **words: Any) -> Result:
    """Create an assignment called NAME."""
    body = {
        **words,
        "reference_id": active_version_id(arena, reference),
        "group_id": None if group is None else group_id(arena, group),
        "opens": words["opens"] and words["opens"].isoformat(),
        "deadline": words["deadline"].isoformat(),
        "places": _places(words["places"]),
        "final": None if words["final"] == NO_FINAL else words["final"],
    }
    made = arena.create("/assignments", body)
    return Result(made, [f"assignment {made['id']}"])


@assignment.command("list")
@prints
def list_(arena: Remote) -> Result:
    """List all assignments."""
    rows = list(arena.items("/assignments", limit=200))
    shown = [
        (row["id"], row["phase"], f"{minute(row['deadline'])} UTC", row["group"] or "", row["variant"], row["name"])
        for row in rows
    ]
    return Result(rows, table(("id", "state", "deadline", "group", "variant", "name"), shown))


@assignment.command()
@assignment_id
@prints
def show(arena: Remote, assignment_id: int) -> Result:
    """Show every participant's state and points."""
    page = arena.get(f"/assignments/{assignment_id}")
    students = sorted(page["participants"], key=lambda one: one["name"].lower())
    return Result(page, table(("account", "state", "bot", "version", "points"), map(_columns, students)))


@assignment.command()
@assignment_id
@own_arena_option
def results(assignment_id: int, url: str | None) -> None:
    """Write the results with points as CSV, with real names."""
    click.echo(own_or_remote(url).sheet(f"/assignments/{assignment_id}/results"), nl=False)


@assignment.command()
@assignment_id
@click.argument("time", type=Timestamp())
@prints
def deadline(arena: Remote, assignment_id: int, time: datetime) -> Result:
    """Move the deadline of an assignment to TIME."""
    arena.change(f"/assignments/{assignment_id}", {"deadline": time.isoformat()})
    said = f"assignment {assignment_id}: deadline {time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return Result(arena.get(f"/assignments/{assignment_id}"), [said])


Thing(assignment, "/assignments").delete(
    "Delete an assignment for which nothing has been played.", "assignment {} is deleted"
)


def _columns(one: Any) -> tuple[object, ...]:
    version = one["counts"]["version"] if one["counts"] else ""
    return one["name"], one["progress"], one["bot"] or "", version, f"{one['award']['total']:g}"


def _places(text: str) -> list[float]:
    """Return numbers that are separated by commas, semicolons or spaces. Raises `UsageError`."""
    try:
        return [float(word) for word in text.replace(",", " ").replace(";", " ").split()]
    except ValueError:
        raise click.UsageError(f"--places {text[:40]!r}: give numbers such as 10, or 10,8,6") from None
