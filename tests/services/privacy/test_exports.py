"""Export of a member's data: complete, and without anybody else's."""

import csv
import io
import json
from typing import Any, Final
from zipfile import ZipFile

import pytest
from sqlalchemy import update

from arena.db.models import AuditEntry, Base, Group, GroupMember, User, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.people import accounts, keys, resets, sessions
from arena.services.people.notices import notify
from arena.services.privacy import exports
from arena.services.schedules import actions as schedules
from tests import factories
from tests.sdk.zips import packed

PASSWORD = "correct horse battery"
FAULTY = b"def act(view):\n    print('=1+1')\n    raise ValueError('at the first move')\n"

EXPORTED: Final = {
    "account.json": [
        "users", "user_sessions", "account_links", "access_tokens", "identities", "invitations",
        "invitation_uses", "notices", "events", "lti_scores", "webhooks", "deliveries", "groups",
        "group_members", "announcements", "audit", "bots", "versions", "bot_members", "former_names",
        "presences", "validation_requests", "tournaments", "schedules", "rejudgements", "assignments",
        "assignment_entries", "assignment_attempts",
    ],
    "entries.csv": ["entries"],
    "results.csv": ["table_seats", "tables"],
    "faults.csv": ["match_seats"],
    "ratings.csv": ["ratings"],
    "played.csv": ["live_tables", "live_seats"],
    "notes.csv": ["live_notes"],
}  # fmt: skip
"""Tables whose rows of the member a file has, by the file."""
LEFT_OUT: Final = {
    "alike_pairs": "For organisers, and about another member too.",
    "analyses": "Computed from the records of matches.",
    "attempts": "The arena's own work on tables.",
    "copy_reports": "The arena's own work on all bots.",
    "device_requests": "They end after ten minutes.",
    "event_cursor": "The arena's own work on events.",
    "dismissals": "For organisers, and about another member too.",
    "live_boards": "The deals of tables, which have no member.",
    "live_field": "Results of bots on these deals.",
    "live_moves": "The moves of a finished match are in its replay.",
    "live_sets": "Sets of deals, which have no member.",
    "lost_points": "Computed from the records of matches.",
    "lti_courses": "Courses of learning platforms, which have no member.",
    "lti_links": "Activities of learning platforms, which have no member.",
    "lti_launches": "They end after an hour.",
    "lti_platforms": "The arena's own registrations.",
    "matches": "Records of matches are public, and have no member.",
    "past_places": "Computed from ratings.",
    "processes": "The arena's own processes.",
    "rating_cursors": "The arena's own work on ratings.",
    "rating_events": "Computed from results.",
    "rating_parameters": "The same for all members.",
    "repeats": "Answers of the last day, which repeat what other tables have.",
    "tournament_neighbours": "Computed from tables.",
    "tournament_pairs": "Computed from results.",
    "tournament_scores": "Computed from results.",
    "variant_pairs": "Computed from results.",
    "variant_scores": "Computed from results.",
}
"""Tables that are not exported, and why."""


@pytest.fixture
def ann(arena: Arena) -> Account:
    """Create a member."""
    return accounts.register(arena, "ann", PASSWORD)


def export(arena: Arena, account: Account) -> dict[str, bytes]:
    """Return the files of the zip by name."""
    file = io.BytesIO()
    exports.write(arena, account, file)
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(files: dict[str, bytes], name: str) -> list[dict[str, str]]:
    """Return the rows of a table."""
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def test_every_table_is_considered() -> None:
    """A new table must say here in which file its rows of a member are, or why it has none."""
    exported = {table for tables in EXPORTED.values() for table in tables}

    assert exported | LEFT_OUT.keys() == set(Base.metadata.tables)
    assert not exported & LEFT_OUT.keys()


def test_account_has_all_that_is_stored_of_its_member(arena: Arena, admin: Account, ann: Account) -> None:
    """Sessions, links, notices, groups and what the member created are there, without secrets and other members."""
    with arena.transaction() as session:
        session.get_one(User, ann.id).email = "ann@example.org"
    token = sessions.begin(arena, ann, "Firefox on Linux")
    link = resets.make_link(arena, None, "ann")
    key = keys.make(arena, ann, "Laptop", ["upload"])
    factories.tournament(arena, ann, factories.field_of(arena, ann, 4))
    with arena.transaction() as session:
        session.get_one(User, ann.id).is_admin = True
    chief = accounts.log_in(arena, "ann", PASSWORD)
    schedules.create(arena, chief, Plan("Weekly", "suitability-4"), "0 18 * * FRI", "UTC", "skip")
    with arena.transaction() as session:
        notify(session, ann.id, lambda: "for ann")
        notify(session, admin.id, lambda: "for the organiser")
        group = Group(name="Class", name_key="class")
        session.add_all([group, AuditEntry(actor_id=ann.id, actor="ann", action="did", subject="member bob")])
        session.flush()
        session.add(GroupMember(group_id=group.id, user_id=ann.id, real_name="Ann Example"))

    files = export(arena, ann)
    data: dict[str, Any] = json.loads(files["account.json"])

    assert (data["account"]["name"], data["account"]["email"]) == ("ann", "ann@example.org")
    assert data["account"]["created"].endswith("+00:00")
    assert [one["browser"] for one in data["sessions"]] == ["Firefox on Linux"]
    assert len(data["account_links"]) == 1
    assert [one["name"] for one in data["access_tokens"]] == ["Laptop"]
    assert [one["text"] for one in data["notices"]][1:] == ["for ann"]
    assert [(one["group"], one["real_name"]) for one in data["groups"]] == [("Class", "Ann Example")]
    assert [one["name"] for one in data["tournaments"]] == ["a cup"]
    assert [one["name"] for one in data["schedules"]] == ["Weekly"]
    assert [one["subject"] for one in data["audit"]] == ["schedule 1", "member bob"]
    assert len(data["bots"]) == 4
    everything = b"".join(files.values()).decode()
    for secret in ("argon2", token, key, link.removeprefix("/reset/"), "for the organiser", '"seed"', '"token"'):
        assert secret not in everything


def test_bots_come_with_sources_and_results(arena: Arena, admin: Account, ann: Account) -> None:
    """Every version is the file that was uploaded; results, faults and ratings are tables."""
    module = factories.bot(arena, ann, "module", FAULTY)
    archive = factories.bot(arena, ann, "archive", zipped := packed({"bot.py": factories.FIRST}))
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id == archive).values(files=[["bot.py", len(factories.FIRST)]]))
    cup = factories.tournament(arena, admin, [module, *factories.field_of(arena, admin, 3)])
    factories.play_all(arena, factories.table_ids(arena, cup))

    files = export(arena, ann)

    assert files["sources/module/version-1.py"] == FAULTY
    assert files["sources/archive/version-1.zip"] == zipped
    [entry], [result] = rows(files, "entries.csv"), rows(files, "results.csv")
    assert (entry["bot"], entry["name"], entry["out"]) == ("module", "a cup", "")
    assert (result["tournament"], result["table"], result["bot"], result["state"]) == (str(cup), "1", "module", "done")
    assert float(result["match_points"]) >= 0
    assert result["finished"].endswith("+00:00")
    faults = rows(files, "faults.csv")
    assert len(faults) == int(result["faults"]) == 4
    detail = "ValueError: at the first move, line 3 of bot.py"
    assert {(one["fault"], one["detail"]) for one in faults} == {("error", detail)}
    [rating] = rows(files, "ratings.csv")
    assert (rating["bot"], rating["variant"], rating["tables"]) == ("module", "suitability-4", "1")


def test_pruned_source_is_left_out(arena: Arena, ann: Account) -> None:
    """A rejected version whose source was deleted has no file."""
    version = factories.bot(arena, ann, "gone")
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id == version).values(source=b"", state="invalid"))

    assert [name for name in export(arena, ann) if name.startswith("sources/")] == []
