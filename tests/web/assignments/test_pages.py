"""Assignments: what a teacher and students read and do, and the results as CSV."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from arena.db.models import Assignment, AssignmentAttempt, Group, GroupMember, Table, Tournament, User, Version
from arena.services.assignments import runs
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.tournaments import stages
from arena.services.work import play
from tests import factories
from tests.cages import LocalCage
from tests.simulated_play import simulated_play
from tests.web.conftest import Person, words

SOON = datetime.now(UTC) + timedelta(days=2)
HOMEWORK: dict[str, Any] = {
    "name": "Homework", "group": 1, "opens": "", "deadline": f"{SOON:%Y-%m-%dT%H:%M}", "zone": "UTC",
    "variant": "suitability-4", "reference": 1, "share": 55, "confidence": "0.95", "tables": 30, "valid": 1,
    "beaten": 4, "places": "5", "final": "round_robin",
}  # fmt: skip


@pytest.fixture
def teacher(ada: Person, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Person:
    """An organiser in an arena with house bots and a group, whose tables are simulated."""
    monkeypatch.setattr(play, "play_work", simulated_play({"strong": 3.0}))
    house = factories.user(arena, "house")
    for name in ("target", "third", "fourth"):
        factories.bot(arena, house, name)
    with arena.transaction() as session:
        session.add(Group(name="<b>7b</b>", name_key="<b>7b</b>"))
        session.execute(update(User).where(User.name == "ada").values(is_organiser=True))
    return ada


@pytest.fixture
def student(bob: Person, arena: Arena) -> Person:
    """A member of the group with a real name that spreadsheets would execute, and a bot."""
    with arena.transaction() as session:
        user = session.scalars(select(User).where(User.name == "bob")).one()
        session.add(Group(name="other", name_key="other"))
        session.flush()
        session.add(GroupMember(group_id=1, user_id=user.id, real_name="=1+1"))
        account = Account(user.id, user.name, is_admin=False)
    factories.bot(arena, account, "strong")
    return bob


def play_all(arena: Arena) -> None:
    """Start what is due, and play all tables."""
    while runs.run_due(arena) or _play(arena):
        pass


def _play(arena: Arena) -> bool:
    stages.advance_all(arena)
    with arena.reading() as session:
        waiting = session.scalars(select(Table.id).where(Table.state == TableState.QUEUED)).all()
    for table in waiting:
        play.play_tables(arena, [table], LocalCage(), "tester")
    return bool(waiting)


def bot_of(arena: Arena, name: str) -> int:
    """Return the ID of a bot."""
    with arena.reading() as session:
        version = session.scalars(select(Version).where(Version.bot.has(name=name))).first()
        assert version
        return version.bot_id


def test_teacher_grades_a_class(teacher: Person, student: Person, arena: Arena) -> None:
    """Create, enter, compare, read, move the deadline, and download; each number leads to its tables."""
    page = words(teacher.send("/assignments/new", **HOMEWORK))
    assert "No final" not in page
    assert "=1+1 bob no bot" in page

    mine = student.visit("/assignments/1")
    assert "Enter my bot" in mine
    page = words(student.send("/assignments/1", bot=bot_of(arena, "strong")))
    assert "Your bot takes part." in page
    assert "=1+1 bob" not in page
    play_all(arena)

    page = teacher.visit("/assignments/1")
    with arena.reading() as session:
        comparison = session.scalars(select(AssignmentAttempt.tournament_id)).one()
    assert f'href="/comparisons/{comparison}"' in page
    assert "=1+1 bob beaten strong v1" in words(page)
    assert "5 = 1 (valid) + 4 (beaten) + 0 (place)" in words(student.visit("/assignments/1"))
    shown = words(student.visit(f"/comparisons/{comparison}"))
    assert "Does strong v1 take more than 55 % against target v1?" in shown
    assert "Yes: strong v1 takes more than 55 %." in shown
    assert "At most one answer in twenty is wrong." in shown

    [line] = csv.DictReader(io.StringIO(teacher.visit("/assignments/1/results.csv").lstrip("\ufeff")))
    assert line["real_name"] == "'=1+1"
    assert (line["account"], line["beaten"], line["points"], line["comparison"]) == (
        "bob",
        "yes",
        "5.0",
        str(comparison),
    )
    assert float(line["share_low"]) < float(line["share"]) < float(line["share_high"])


def test_terms_can_be_changed(teacher: Person, student: Person, arena: Arena) -> None:
    """The form shows the old terms in UTC, and times that stay keep their seconds."""
    teacher.send("/assignments/new", **HOMEWORK)
    with arena.reading() as session:
        before = session.get_one(Assignment, 1)
    form = teacher.visit("/assignments/1/edit")
    assert f'value="{HOMEWORK["deadline"]}"' in form
    opens = datetime.fromtimestamp(before.opens, UTC)
    changed = {**HOMEWORK, "opens": f"{opens:%Y-%m-%dT%H:%M}", "name": "Project", "places": "3, 2", "final": "none"}

    assert "The assignment is saved." in teacher.send("/assignments/1/edit", **changed)
    with arena.reading() as session:
        after = session.get_one(Assignment, 1)
    assert (after.name, after.opens, after.deadline) == ("Project", before.opens, before.deadline)
    assert (after.points["places"], after.plan) == ([3.0, 2.0], None)
    assert "after the opening" in teacher.send(
        "/assignments/1/edit", 400, **{**changed, "deadline": "2020-01-01T00:00"}
    )
    assert "not &#39;five&#39;" in teacher.send("/assignments/1/edit", 400, **{**changed, "places": "five"})


def test_form_keeps_what_was_typed(teacher: Person) -> None:
    """A refused form says why above the fields and keeps the values."""
    page = teacher.send("/assignments/new", 400, **{**HOMEWORK, "share": 99, "name": "Keep <me>"})
    assert "The share must be 30% to 90%" in page
    assert 'value="Keep &lt;me&gt;"' in page

    page = teacher.send("/assignments/new", 400, **{**HOMEWORK, "deadline": "tomorrow"})
    assert "needs a date and a time" in page
    page = teacher.send("/assignments/new", 400, **{**HOMEWORK, "deadline": "", "tables": "x"})
    assert "Give the assignment a deadline" in page
    assert "Not a valid integer value" in page


def test_assignment_without_results_is_deleted(teacher: Person, student: Person, arena: Arena) -> None:
    """With results it is refused."""
    teacher.send("/assignments/new", **HOMEWORK)
    assert "is deleted permanently" in teacher.visit("/assignments/1/delete")
    assert "The assignment is deleted." in teacher.send("/assignments/1/delete")
    assert "No assignments yet." in teacher.visit("/assignments/")

    teacher.send("/assignments/new", **HOMEWORK)
    number = _only(arena)
    student.send(f"/assignments/{number}", bot=bot_of(arena, "strong"))
    runs.run_due(arena)
    assert "Cannot delete" in teacher.send(f"/assignments/{number}/delete", 400)


def _only(arena: Arena) -> int:
    with arena.reading() as session:
        return session.scalars(select(Assignment.id)).one()


def test_students_see_their_own(teacher: Person, student: Person, app: Any) -> None:
    """A stranger finds no assignment."""
    teacher.send("/assignments/new", **{**HOMEWORK, "public": "y"})
    stranger = Person(app, "eve").register()

    assert "Homework" in student.visit("/assignments/")
    assert "1 no bot" in words(teacher.visit("/assignments/1")) or "no bot" in words(student.visit("/assignments/1"))
    assert "=1+1" in student.visit("/assignments/1")  # the own real name
    assert "No assignments for you yet." in stranger.visit("/assignments/")


def test_late_rejected_and_final_are_shown(teacher: Person, student: Person, arena: Arena) -> None:
    """States, places and problems have their words."""
    teacher.send("/assignments/new", **HOMEWORK)
    student.send("/assignments/1", bot=bot_of(arena, "strong"))
    play_all(arena)
    with arena.transaction() as session:
        version = session.scalars(select(Version).where(Version.bot_id == bot_of(arena, "strong"))).one()
        for number, state in ((2, "invalid"), (3, "valid")):
            report = {"stage": "load", "message": "Line <3>: wrong."} if state == "invalid" else None
            late = {"created": version.created + 7200} if state == "valid" else {}
            session.add(
                Version(
                    bot_id=version.bot_id, number=number, source=b"", size=0, sha256="", state=state, report=report,
                    **late,
                )
            )  # fmt: skip
        session.execute(
            update(Assignment).values(opens=version.created - 7200, deadline=version.created + 3600, public=True)
        )
    page = words(teacher.visit("/assignments/1"))
    assert "rejected late Line <3>: wrong. strong v1" in page
    assert "Line &lt;3&gt;: wrong." in student.visit("/assignments/1")

    with arena.transaction() as session:
        session.execute(update(Assignment).values(problem="Too few <bots>."))
    assert "Too few &lt;bots&gt;." in teacher.visit("/assignments/1")
    assert "Too few" not in student.visit("/assignments/1")
    with arena.transaction() as session:
        made = session.scalars(select(Tournament.id)).first()
        session.execute(update(Assignment).values(final_id=made, problem=None))
    assert "place 1 of 4" in words(student.visit("/assignments/1"))
    assert "By points" in teacher.visit("/assignments/1?by=points")


def test_entry_after_the_deadline_is_refused(teacher: Person, student: Person, arena: Arena) -> None:
    """The page says why."""
    teacher.send("/assignments/new", **{**HOMEWORK, "places": "3, 2"})
    with arena.transaction() as session:
        session.execute(update(Assignment).values(opens=1.0, deadline=2.0))

    assert "deadline of this assignment has passed" in student.send("/assignments/1", 400, bot=bot_of(arena, "strong"))


def test_entry_can_fail_after_the_page_was_made(
    teacher: Person, student: Person, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that does not play the game is refused with the reason."""
    teacher.send("/assignments/new", **HOMEWORK)
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.bot_id == bot_of(arena, "strong")).values(games=["suits_steere"]))

    assert "does not play Suitability" in student.send("/assignments/1", 400, bot=bot_of(arena, "strong"))
