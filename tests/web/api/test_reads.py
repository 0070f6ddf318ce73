"""Every answer fits its type, and programs get what pages show."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from flask import Flask
from sqlalchemy import select, update

from arena.db.models import AlikePair, Match, User, Version
from arena.services.administration import announcements
from arena.services.assignments import actions as assignments
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.bots.actions import new_version
from arena.services.comparisons import actions as comparisons
from arena.services.copies import reports
from arena.services.formats.plans import Plan
from arena.services.ladders import actions as ladders
from arena.services.numbers import crosstables
from arena.services.people import groups, invitations, keys, notices, sessions, teams
from arena.services.people.keys import Scope
from arena.services.ratings import boards
from arena.services.schedules import actions as schedules
from arena.services.tables import matches
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.actions import create
from arena.services.tournaments.rejudgements import rejudge
from arena.services.trials import actions as trials
from arena.services.trials.views import Wish
from tests import factories
from tests.cages import LocalCage
from tests.web.api.conftest import Program
from web.api.blueprint import RESOURCES
from web.api.operations import Operation, is_raw, operations
from web.app import create_app
from web.limits import limiter

VARIANT: Final = "suitability-4"
SOON: Final = datetime.now(UTC) + timedelta(days=30)
READS: Final = {one.name: one for one in operations(RESOURCES) if one.is_safe}
HIGHER: Final = (Scope.ORGANISE, Scope.ADMINISTER)
FAILING: Final = b"def act(view):\n    raise ValueError('no idea')\n"


class Filled(NamedTuple):
    """An arena with something of everything. Do not change it."""

    arena: Arena
    app: Flask
    ids: dict[str, Any]
    """IDs and names, by the names of parameters."""
    admin: Program
    author: Program
    nobody: Program


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Filled]:
    """An arena with bots, tournaments of several kinds, people, and what they have made."""
    home = tmp_path_factory.mktemp("filled")
    shutil.copy(empty_database, home / "arena.db")
    arena = open_arena(factories.settings_in(home), factories.Bell())
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    limiter.reset()
    admin, author = factories.user(arena, "grace", admin=True), factories.user(arena, "ada")
    ids = {
        "name": "ada",
        "game": "suitability",
        "variant": VARIANT,
        "user_id": author.id,
        "webhook_id": 1,
        **_play(arena, author),
    }
    ids |= _plan(arena, admin, author, ids) | _people(arena, admin, author)
    highest, usual = (keys.make(arena, *one) for one in ((admin, "all", list(Scope)), (author, "own", [Scope.UPLOAD])))
    yield Filled(arena, app, ids, Program(app, highest), Program(app, usual), Program(app))
    arena.close()


def _play(arena: Arena, author: Account) -> dict[str, Any]:
    """Play a tournament of four bots with two versions each, one of which fails."""
    sources = (factories.FIRST, factories.LAST, factories.MIDDLE, FAILING)
    versions = [factories.bot(arena, author, f"bot-{number}", source) for number, source in enumerate(sources)]
    with arena.transaction() as session:
        again = new_version(session.get_one(Version, versions[0]).bot_id, 2, factories.MIDDLE)
        again.state, again.report, again.files = "valid", {"stage": "done", "message": "Passed."}, [["bot.py", 60]]
        session.add(again)
        session.flush()
        later = again.id
    cup = factories.tournament(arena, author, versions, rounds=2)
    table_ids = factories.table_ids(arena, cup)
    factories.play_all(arena, table_ids, LocalCage())
    other = factories.tournament(arena, author, [later, *versions[1:]])
    factories.play_all(arena, factories.table_ids(arena, other), LocalCage())
    with arena.reading() as session:
        match = session.scalars(select(Match.id).order_by(Match.id)).first()
    return {
        "bot_id": 1, "version_id": versions[0], "tournament_id": cup, "table_id": table_ids[0], "match_id": match,
        "a": versions[0], "b": versions[1],
    }  # fmt: skip


def _plan(arena: Arena, admin: Account, author: Account, ids: dict[str, Any]) -> dict[str, Any]:
    """Make a comparison, a schedule, a trial, a ladder, a cup in rounds, and order tables to be played again."""
    comparison = comparisons.create(arena, admin, VARIANT, ids["a"], ids["b"])
    factories.play_all(arena, factories.table_ids(arena, comparison)[:3], LocalCage())
    schedule = schedules.create(arena, admin, Plan("Friday", VARIANT), "0 18 * * FRI", "Europe/London")
    trial = trials.create(arena, author, Wish(VARIANT, ids["a"], deal_of=ids["match_id"]))
    factories.play_all(arena, factories.table_ids(arena, trial), LocalCage())
    ladders.start(arena, admin, VARIANT)
    shape = {"rounds": 2}
    swiss = create(arena, admin, Plan("Swiss", VARIANT, format="swiss", shape=shape), start=True)
    later = create(arena, admin, Plan("Later", VARIANT, starts_at=SOON.timestamp()), start=False)
    rejudge(arena, admin, ids["tournament_id"], "a card was missing", table_number=0)
    factories.play_all(arena, [ids["table_id"]], LocalCage())
    return {"comparison": comparison, "schedule_id": schedule, "trial": trial, "swiss": swiss, "later": later}


def _people(arena: Arena, admin: Account, author: Account) -> dict[str, Any]:
    """Make a group, an invitation, an assignment, an announcement, a notice, a session, and a report of copies."""
    group = groups.create(arena, admin, "7b")
    invitation = invitations.create(arena, admin, 3, SOON, group)
    invitations.join(arena, author, invitations.invitation_page(arena, admin, invitation).row.token)
    invitations.create(arena, admin, 3, SOON)
    for number in range(3):
        factories.bot(arena, admin, f"filler-{number}")
    terms = Terms("Beat it", 0.0, SOON.timestamp(), final=final_plan(VARIANT, "Final", "round_robin"))
    assignment = assignments.create(arena, admin, Challenge(VARIANT, 2, group), terms)
    assignments.enter(arena, author, assignment, 1)
    announcements.post(arena, admin, "Back soon.", "info", SOON)
    sessions.begin(arena, author, "Firefox on Linux")
    teams.invite(arena, author, 1, admin.name)
    reports.compare(arena)
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == author.id).values(email="ada@example.org"))
        notices.notify(session, author.id, "Your bot failed.", 1)
        pair = {"a_id": 2, "b_id": 3, "a_version_id": 2, "b_version_id": 3}
        session.add(AlikePair(**pair, variant=VARIANT, share=1.0, counted=48, expected=0.3, by_chance=0.001))
    return {"group_id": group, "invitation_id": invitation, "assignment_id": assignment}


QUERIES: Final = {
    "get_bot_history": {"variant": VARIANT},
    "compare_versions": {"a": 1, "b": 2, "variant": VARIANT},
    "compare_decisions": {"a": 1, "b": 2, "variant": VARIANT},
    "compare_sources": {"a": 1, "b": 2},
    "list_candidates": {"variant": VARIANT},
    "get_times": {"cron": "0 18 * * FRI"},
}
"""Parameters that an operation needs."""
OTHERS: Final[dict[str, dict[str, Any]]] = {
    "get_comparison": {"tournament_id": "comparison"},
    "get_trial": {"tournament_id": "trial"},
    "get_copies": {"a": 2, "b": 3},
    "get_problem": {"name": "not-found"},
}
"""Parameters of paths that are not those of `Filled.ids`, or their names there."""
OWN: Final = {"get_webhook"}
"""Operations with tests of their own."""


def path_of(filled: Filled, one: Operation) -> str:
    """Return a path of an operation in the filled arena."""
    ids = {**filled.ids, **{name: filled.ids.get(str(at), at) for name, at in OTHERS.get(one.name, {}).items()}}
    return one.path.format(**ids)


def plain(kind: Any, one: Operation) -> bool:
    """Whether an operation answers with JSON of a type that this module knows how to ask for."""
    return one.name not in OWN and not is_raw(one)


@pytest.mark.parametrize("name", [name for name, one in READS.items() if plain(one.answer, one)])
def test_every_answer_fits_its_type(filled: Filled, name: str) -> None:
    """Answers to an administrator have the fields and types that the document promises."""
    one = READS[name]
    if unknown := set(one.parameters) - set(filled.ids) - set(OTHERS.get(name, ())):
        pytest.fail(f"test_reads does not know what to put for {unknown} in {one.path}")

    answer = filled.admin.ask("GET", path_of(filled, one), query_string=QUERIES.get(name, {}))

    msgspec.json.decode(answer.data, type=one.answer)
    assert answer.headers["ETag"]


@pytest.mark.parametrize("name", [name for name, one in READS.items() if one.scope])
def test_what_is_not_public_needs_a_token(filled: Filled, name: str) -> None:
    """A visitor gets 401 for everything that no page shows to visitors; a trial does not even exist for visitors."""
    status = 404 if name == "get_trial" else 401
    filled.nobody.ask("GET", path_of(filled, READS[name]), status, query_string=QUERIES.get(name, {}))


@pytest.mark.parametrize(
    "name", [name for name, one in READS.items() if one.scope in (Scope.ORGANISE, Scope.ADMINISTER)]
)
def test_members_do_not_read_what_others_organise(filled: Filled, name: str) -> None:
    """A member's token cannot have the scopes for what organisers and administrators see."""
    filled.author.ask("GET", path_of(filled, READS[name]), 403, query_string=QUERIES.get(name, {}))


def test_files_are_those_of_the_pages(filled: Filled) -> None:
    """Records and sources are sent byte for byte, with an ETag; a seed only when it is public."""
    match, version = filled.ids["match_id"], filled.ids["version_id"]
    record = filled.nobody.ask("GET", f"/matches/{match}/record")

    assert record.data == matches.record_bytes(filled.arena, match)
    again = {"If-None-Match": record.headers["ETag"]}
    assert filled.nobody.ask("GET", f"/matches/{match}/record", 304, headers=again).data == b""
    assert filled.author.ask("GET", f"/versions/{version}/source").data == factories.FIRST
    assert b"commitment" in filled.nobody.ask("GET", f"/tournaments/{filled.ids['tournament_id']}/seed").data
    filled.nobody.ask("GET", f"/tournaments/{filled.ids['later']}/seed", 422)


def test_numbers_are_those_of_the_pages(filled: Filled) -> None:
    """Leaderboard, standings and crosstable have the values that pages get from the same services."""
    leaders = filled.nobody.get(f"/leaderboards/{VARIANT}?sort=-mu&limit=2")
    board = boards.board(filled.arena, VARIANT, sort="-mu", size=2)
    standings = filled.nobody.get(f"/tournaments/{filled.ids['tournament_id']}/standings")
    page = tournament_pages.page(filled.arena, filled.ids["tournament_id"])
    grid = filled.nobody.get(f"/crosstables/{VARIANT}")

    assert [one["mu"]["value"] for one in leaders["items"]] == [row.mu for row in board.listed.rows]
    assert (leaders["rated"], leaders["next"] is None) == (board.rated, board.listed.pages == 1)
    assert [(one["bot"], one["points"]) for one in standings] == [(row.bot, row.points) for row in page.standings]
    cells = crosstables.of_variant(filled.arena, VARIANT).cells
    assert {(one["a"], one["b"]): one["share"]["value"] for one in grid["cells"]} == {
        pair: cell.share for pair, cell in cells.items()
    }


def test_lists_are_read_to_the_end(filled: Filled) -> None:
    """Following `next` gives every item once, by pages and by keys."""
    for path in ("/bots", "/tournaments", f"/tournaments/{filled.ids['tournament_id']}/tables", "/matches"):
        whole = [one["id"] for one in filled.nobody.get(f"{path}?limit=200")["items"]]
        found, cursor = [], ""
        while True:
            part = filled.nobody.get(f"{path}?limit=2{cursor and '&cursor='}{cursor}")
            found += [one["id"] for one in part["items"]]
            cursor = part["next"]
            if cursor is None:
                break
        assert found == whole


def test_contradicting_filters_are_refused(filled: Filled) -> None:
    """The latest matches are those of a bot or of a tournament; matches with faults may be of both."""
    problem = filled.nobody.ask("GET", "/matches?bot=1&tournament=1", 422).get_json(force=True)

    assert "not of both" in problem["detail"]
    filled.nobody.ask("GET", "/matches?bot=1&tournament=1&show=faults", 200)
