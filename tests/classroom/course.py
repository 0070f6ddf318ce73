"""The course of a class: the teacher's steps, and what each kind of student does."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from bots import HOUSE
from tests.classroom.browser import Browser

PASSWORD: Final = "a class of correct horses"
BROKEN: Final = "def act(view):\n    return view.missing[0]\n"
WEAK: Final = "def act(view):\n    return view.legal[-1]\n"
STRONG: Final = re.sub(r"games = \(.*\)", 'games = ("suitability",)', HOUSE["greedy"].read_text())
"""A bot that declares one game, so that it is validated in that game alone."""
ORIGINAL: Final = Path(__file__).with_name("original.py").read_text()
"""What one student writes and another copies."""
ATTACK: Final = """import os

os.system("id > /tmp/owned")
PASSWORDS = open("/etc/passwd").read()


def act(view):
    return view.legal[0]
"""
COPY: Final = ORIGINAL.replace("Counter", "Mine").replace("scored", "moves").replace("danger", "risk")
FIRST: Final = {"author": ORIGINAL, "copier": COPY, "attacker": ATTACK, "mender": BROKEN, "weak": WEAK}
"""First upload by kind of student; others upload the strong bot."""
KINDS: Final = ("author", "copier", "attacker", "mender", "late", "weak")
"""Kinds of the first students; the others are strong, mend, or are weak, in turn."""
OPEN: Final = {"validating", "valid", "comparing"}
"""States that will change by themselves."""
PAUSE: Final = 1.0

Line = Mapping[str, str]


@dataclass
class Student:
    """A scripted student."""

    browser: Browser
    kind: str
    bot: str = ""

    @property
    def name(self) -> str:
        """Name of the account."""
        return self.browser.name


@dataclass
class Course:
    """A class in an arena."""

    address: str
    admin_password: str
    size: int
    patience: float
    tables: int = 60
    seconds: dict[str, float] = field(default_factory=dict)
    """Seconds that each step took."""
    alike: Set[Set[str]] = frozenset()
    """Pairs of students whose bots are alike in source."""

    def run(self) -> list[Line]:
        """Do everything, and return the lines of the results."""
        with self._step("teacher: group, invitation, assignment"):
            self._prepare()
        with self._step("students join by the link"):
            students = [self._join(number) for number in range(self.size)]
        with self._step("students upload, fail and mend"):
            self._upload_all(students)
        with self._step("every bot is validated and compared"):
            self._wait("answers", lambda lines: not any(line["state"] in OPEN for line in lines))
        with self._step("deadline, and a late upload"):
            self._close(students)
        with self._step("final tournament"):
            lines = self._wait("the final", lambda lines: any(float(line["points_place"]) for line in lines))
        with self._step("comparison of all bots with each other"):
            self._compare(students)
        return lines

    def _prepare(self) -> None:
        teacher = self.teacher = Browser(self.address, "admin")
        teacher.send("/login", {"name": "admin", "password": self.admin_password})
        teacher.send("/groups/new", {"name": "Class 7b"})
        group = teacher.at.rpartition("/")[2]
        until = f"{datetime.now(UTC) + timedelta(days=7):%Y-%m-%d}"
        link = teacher.send("/invitations/new", {"group": group, "uses": self.size, "until": until})
        token = re.search(r"/join/([\w-]+)", link)
        assert token, "the page shows no link"
        self.link = f"/join/{token[1]}"
        reference = re.search(r'<option[^>]*value="(\d+)">random v', teacher.read("/assignments/new"))
        assert reference, "random is not offered as a reference"
        self.form: dict[str, object] = {
            "name": "Beat random", "opens": "", "deadline": f"{datetime.now(UTC) + timedelta(days=7):%Y-%m-%dT%H:%M}",
            "zone": "UTC", "valid": 1, "beaten": 4, "places": "5", "final": "round_robin" if self.size < 8 else "swiss",
        }  # fmt: skip
        challenge = {
            "group": group, "variant": "suitability-2", "reference": reference[1], "share": 55, "confidence": "0.95",
            "tables": self.tables,
        }  # fmt: skip
        teacher.send("/assignments/new", {**self.form, **challenge})
        self.assignment = teacher.at

    def _join(self, number: int) -> Student:
        kind = KINDS[number] if number < len(KINDS) else ("strong", "mender", "weak")[number % 3]
        student = Student(Browser(self.address, f"student-{number:02}"), kind, f"bot-{number:02}")
        invitation = self.link.rpartition("/")[2]
        typed = {"name": student.name, "password": PASSWORD, "repeat": PASSWORD, "invitation": invitation}
        student.browser.send("/register", typed, at=self.link)
        return student

    def _upload_all(self, students: list[Student]) -> None:
        for one in students:
            source = FIRST.get(one.kind) or _signed(STRONG, one)
            one.browser.send("/bots/upload", {"name": one.bot, "source": source})
            bot = one.browser.at.rpartition("/")[2]
            one.browser.send(self.assignment, {"bot": bot})
            one.bot = bot
        for one in students:
            if one.kind == "mender":
                self._await_rejection(one)
                one.browser.send(f"/bots/{one.bot}/upload", {"source": _signed(STRONG, one)})

    def _await_rejection(self, one: Student) -> None:
        self._until(f"the rejection of {one.name}", lambda: "rejected" in one.browser.read(self.assignment))

    def _close(self, students: list[Student]) -> None:
        now = datetime.now(UTC)
        times = {"opens": f"{now - timedelta(days=1):%Y-%m-%dT%H:%M}", "deadline": f"{now:%Y-%m-%dT%H:%M:%S}"}
        self.teacher.send(f"{self.assignment}/edit", {**self.form, **times})
        for one in students:
            if one.kind == "late":
                one.browser.send(f"/bots/{one.bot}/upload", {"source": _signed(WEAK, one)})

    def _compare(self, students: list[Student]) -> None:
        """Find out which bots are alike in source."""
        self.teacher.send("/copies/compare", {}, at="/copies/")
        self._until("the comparison of all bots", lambda: "Nothing has been compared yet" not in self._report())
        owners = {one.bot: one.name for one in students}
        pairs = re.findall(r'href="/copies/(\d+)/(\d+)".*?data-label="Source"[^>]*>(\d+ %)?', self._report(), re.S)
        self.alike = {frozenset((owners.get(a, a), owners.get(b, b))) for a, b, share in pairs if share}

    def _report(self) -> str:
        return self.teacher.read("/copies/")

    def results(self) -> list[Line]:
        """Return the lines of the results as CSV."""
        return list(csv.DictReader(io.StringIO(self.teacher.read(f"{self.assignment}/results.csv").lstrip("\ufeff"))))

    def _wait(self, what: str, done: Callable[[list[Line]], bool]) -> list[Line]:
        self._until(what, lambda: done(self.results()))
        return self.results()

    def _until(self, what: str, done: Callable[[], bool]) -> None:
        end = monotonic() + self.patience
        while not done():
            assert monotonic() < end, f"waited in vain for {what}"
            sleep(PAUSE)

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        start = monotonic()
        yield
        self.seconds[name] = monotonic() - start


def problems(course: Course, lines: list[Line]) -> list[str]:
    """Return what is wrong with the results of a class; nothing if all is well."""
    by_kind = {
        kind: next((line for line in lines if line["account"] == f"student-{number:02}"), {})
        for number, kind in enumerate(KINDS[: course.size])
    }
    expected = {
        "author": {"state": "beaten", "version": "1", "points_valid": "1.0", "points_beaten": "4.0"},
        "copier": {"state": "beaten"},
        "attacker": {"state": "rejected", "points": "0.0"},
        "mender": {"state": "beaten", "version": "2"},
        "late": {"state": "beaten", "version": "1"},
        "weak": {"beaten": "no", "points_beaten": "0.0"},
    }
    wrong = [
        f"{kind}: {column} is {line.get(column)}, not {right}"
        for kind, line in by_kind.items()
        for column, right in expected[kind].items()
        if line.get(column) != right
    ]
    if course.alike != {frozenset(("student-00", "student-01"))}:
        wrong.append(f"alike are {sorted(map(sorted, course.alike))}")
    return wrong if len(lines) == course.size else [*wrong, f"{len(lines)} lines for {course.size} students"]


def _signed(source: str, one: Student) -> str:
    return f"{source}\nAUTHOR = {one.name!r}\n"
