"""A class with a reference bot, in which results are simulated by the bots' strengths."""

import secrets
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

from arena.db.models import Assignment, Bot, Group, GroupMember, Table, Version
from arena.services.assignments import actions, runs
from arena.services.assignments import pages as assignment_pages
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.assignments.views import Student
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.base.times import database_time
from arena.services.bots.actions import new_version
from arena.services.tournaments import stages
from arena.services.work import play
from tests import factories
from tests.cages import LocalCage
from tests.simulated_play import simulated_play

VARIANT = "suitability-4"
HOUR = 3600.0


@dataclass
class Class:
    """A class of an arena with a teacher, and what its tests do again and again."""

    arena: Arena
    teacher: Account
    group: int
    reference: int
    now: float

    def challenge(self, **changes: Any) -> Challenge:
        """Return a challenge for the group, with these changes."""
        return replace(Challenge(VARIANT, self.reference, self.group, tables=12), **changes)

    def terms(self, **changes: Any) -> Terms:
        """Return terms of an assignment that is open for an hour, with these changes."""
        return replace(Terms("Homework", self.now - HOUR, self.now + HOUR), **changes)

    def assign(self, challenge: Challenge | None = None, **changes: Any) -> int:
        """Create an assignment; return its ID."""
        return actions.create(self.arena, self.teacher, challenge or self.challenge(), self.terms(**changes))

    def student(self, name: str, real_name: str = "") -> Account:
        """Create a member of the group."""
        made = factories.user(self.arena, name)
        with self.arena.transaction() as session:
            session.add(GroupMember(group_id=self.group, user_id=made.id, real_name=real_name))
        return made

    def enter(self, assignment: int, name: str, source: bytes = factories.FIRST) -> Account:
        """Create a member of the group with a bot of the same name, and enter it."""
        made = self.student(name)
        factories.bot(self.arena, made, name, source)
        actions.enter(self.arena, made, assignment, self.bot(name))
        return made

    def bot(self, name: str) -> int:
        """Return the ID of a bot."""
        with self.arena.reading() as session:
            return session.scalars(select(Bot.id).where(Bot.name == name)).one()

    def upload(self, name: str, state: str, report: dict[str, Any] | None = None, **columns: Any) -> int:
        """Add a version in this state to a bot; return its ID."""
        with self.arena.transaction() as session:
            bot = session.scalars(select(Bot).where(Bot.name == name)).one()
            number = len(session.scalars(select(Version.id).where(Version.bot_id == bot.id)).all()) + 1
            version = new_version(bot.id, number, factories.FIRST)
            version.state, version.report = state, report
            for column, value in columns.items():
                setattr(version, column, value)
            session.add(version)
            session.flush()
            if state == "valid":
                bot.active_version_id = version.id
            return version.id

    def pass_deadline(self, assignment: int) -> None:
        """Let the deadline pass after everything so far: uploads and entries move an hour into the past."""
        with self.arena.transaction() as session:
            session.execute(update(Version).values(created=Version.created - HOUR / 2))
            times = {"opens": self.now - HOUR, "deadline": self.now - HOUR / 4}
            session.execute(update(Assignment).where(Assignment.id == assignment).values(**times))

    def play(self) -> None:
        """Sweep and play all tables until nothing is left."""
        while runs.run_due(self.arena) or self._play_queued():
            pass

    def _play_queued(self) -> bool:
        stages.advance_all(self.arena)
        with self.arena.reading() as session:
            waiting = session.scalars(select(Table.id).where(Table.state == TableState.QUEUED)).all()
        for table in waiting:
            play.play_tables(self.arena, [table], LocalCage(), "tester")
        return bool(waiting)

    def row(self, assignment: int, name: str) -> Student:
        """Return the row of a participant, as the teacher sees it."""
        page = assignment_pages.assignment_page(self.arena, assignment, self.teacher)
        return next(one for one in page.students if one.name == name)

    def final(self) -> Any:
        """Return the plan of a final."""
        return final_plan(VARIANT, "final", "round_robin")


@pytest.fixture
def course(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Class:
    """Create a class with a reference bot, two other house bots and a teacher, whose seeds are always the same."""
    monkeypatch.setattr(secrets, "token_bytes", Random(1).randbytes)
    monkeypatch.setattr(play, "play_work", simulated_play({"strong": 9.0, "better": 8.0, "weak": -3.0}))
    return make_class(arena)


def make_class(arena: Arena) -> Class:
    """Create a class in an empty arena."""
    house = factories.user(arena, "house")
    reference, *_ = [factories.bot(arena, house, name) for name in ("target", "third", "fourth", "fifth")]
    teacher = replace(factories.user(arena, "teacher"), is_organiser=True)
    with arena.transaction() as session:
        group = Group(name="7b", name_key="7b")
        session.add(group)
        session.flush()
        return Class(arena, teacher, group.id, reference, database_time(session).timestamp())
