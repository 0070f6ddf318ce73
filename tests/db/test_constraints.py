"""Constraints allow what the services write, and their violations are told in a sentence."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from sqlalchemy import CheckConstraint, update
from sqlalchemy.exc import IntegrityError

from arena.db.constraints import refusal
from arena.db.models import Base, User
from arena.games.divisions import CAGED, DIVISIONS
from arena.games.errors import ArenaError
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import (
    AnalysisState,
    AttemptOutcome,
    DeliveryState,
    Exit,
    LiveState,
    ProcessState,
    Severity,
    TableState,
    TournamentState,
    VersionState,
)  # fmt: skip
from arena.services.formats.plans import ENTRY_RULES
from arena.services.people.quotas import FACTORS
from arena.services.schedules.views import CATCH_UPS
from arena.services.upkeep import backups

ALLOWED: Final[dict[str, Iterable[str]]] = {
    "analyses.state": AnalysisState,
    "announcements.severity": Severity,
    "attempts.outcome": AttemptOutcome,
    "bots.division": (CAGED, *DIVISIONS),
    "deliveries.state": DeliveryState,
    "entries.out": Exit,
    "live_tables.state": LiveState,
    "lti_scores.state": DeliveryState,
    "matches.cage": ("both", "one", "none"),
    "processes.kind": ("worker", "web", "live"),
    "processes.state": ProcessState,
    "schedules.catch_up": CATCH_UPS,
    "tables.state": TableState,
    "tournaments.entry_rule": ENTRY_RULES,
    "tournaments.state": TournamentState,
    "versions.state": VersionState,
}
"""What each column with a closed set of texts allows."""


def rules() -> dict[str, str]:
    """Return the SQL of each CHECK by its name."""
    checks = (one for table in Base.metadata.tables.values() for one in table.constraints)
    return {str(one.name): str(one.sqltext) for one in checks if isinstance(one, CheckConstraint)}


def test_columns_allow_the_values_of_the_services() -> None:
    """A new state needs a migration: this test fails before a user meets it."""
    found = {}
    for name, rule in rules().items():
        if listed := re.fullmatch(r"(\w+) IN \((.*)\)", rule):
            found[f"{name.removeprefix('ck_').removesuffix(f'_{listed[1]}')}.{listed[1]}"] = listed[2]

    assert found == {column: ", ".join(map(repr, map(str, values))) for column, values in ALLOWED.items()}
    assert rules()["ck_users_quota_factor"] == f"quota_factor BETWEEN {FACTORS[0]:g} AND {FACTORS[1]:g}"


def test_refusal_names_table_and_rule(arena: Arena, admin: Account) -> None:
    """Both databases name the constraint, from which the sentence follows."""
    with pytest.raises(IntegrityError) as refused, arena.transaction() as session:
        session.execute(update(User).values(quota_factor=0.0))

    assert refusal(refused.value.orig or refused.value) == (
        "the table users allows only rows that satisfy ck_users_quota_factor: quota_factor BETWEEN 0.01 AND 1000"
    )


@pytest.mark.parametrize(
    ("member", "harm", "says"),
    [
        ("users", (b",1.0,", b",0.0,"), "the table users allows only rows that satisfy ck_users_quota_factor"),
        ("group_members", (b"", b'[7,1,"",0.0]\n'), "group_members"),
    ],
)
def test_backup_with_rows_that_are_not_allowed_is_refused(
    arena: Arena, admin: Account, tmp_path: Path, member: str, harm: tuple[bytes, bytes], says: str
) -> None:
    """The sentence names the table, and nothing is restored."""
    backups.backup(arena, tmp_path / "arena.zip")
    arena.close()
    with ZipFile(tmp_path / "arena.zip") as whole, ZipFile(tmp_path / "harmed.zip", "w") as harmed:
        for name in whole.namelist():
            data = whole.read(name)
            harmed.writestr(name, data.replace(*harm, 1) if name == f"{member}.jsonl" else data)

    with pytest.raises(ArenaError, match=rf"^The data is damaged: .*{says}.*Nothing was changed\.$"):
        backups.restore(arena.settings, tmp_path / "harmed.zip", overwrite=True)
