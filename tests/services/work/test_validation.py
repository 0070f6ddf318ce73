"""Validation of uploads: verdicts, reports, placements, and faults of the arena."""

from collections import Counter

import pytest
from sqlalchemy import select, update

from arena.db.models import Bot, Table, TableSeat, Tournament, Version
from arena.games.errors import NotFound, Refused
from arena.games.registry import GAMES, VARIANTS, rules_of
from arena.services.base.access import Account
from arena.services.base.context import VALIDATE, Arena, Doorbell
from arena.services.base.repertoire import plays
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import BotPage, VersionRef
from arena.services.integrity import fsck
from arena.services.queue import announcements
from arena.services.queue.leases import ATTEMPTS, VERSIONS, Claim, LeaseLost, Leases
from arena.services.work import sweep, validation
from bots import HOUSE
from tests import factories
from tests.cages import LocalCage, fail_to_start

PLAYS = factories.FIRST


@pytest.fixture
def page(arena: Arena, author: Account) -> "Page":
    """Return a helper that validates bots of the author and reads their pages."""
    return Page(arena, author)


class Page:
    """Uploads and validates a bot, and reads its page."""

    def __init__(self, arena: Arena, author: Account) -> None:
        self.arena, self.author = arena, author

    def after_validation(self, source: bytes) -> BotPage:
        """Return the page of a new bot after its validation."""
        ref = bots.upload(self.arena, self.author, "candidate", source)
        validation.validate(self.arena, ref.version_id, LocalCage())
        return bot_pages.bot_page(self.arena, ref.bot_id, self.author)


def upload(arena: Arena, author: Account) -> VersionRef:
    """Upload a valid bot."""
    return bots.upload(arena, author, "candidate", PLAYS)


def test_bot_that_plays_is_valid_and_active(page: Page) -> None:
    """Tournaments enter it after it has loaded and played itself."""
    shown = page.after_validation(PLAYS)

    assert shown.versions[0].state == "valid"
    assert shown.versions[0].active
    assert shown.versions[0].report is not None
    assert shown.versions[0].report.stage == "done"


@pytest.mark.parametrize(
    ("source", "stage", "line", "says"),
    [
        (b"x = 1\n", "load", None, "act"),
        (b"import os\nimport no_such_module\n", "load", 2, "no_such_module"),
        (b"def act(view):\n    return 'nonsense'\n", "self-play", None, "nonsense"),
        (b"def act(view):\n    x = 1\n    return x / 0\n", "self-play", 3, "division by zero"),
        (b"from arena.sdk import Bot\nclass B(Bot):\n    games = ('bridge',)\n    def act(self, view): ...\n",
         "load", None, "bridge"),
    ],
)  # fmt: skip
def test_report_of_an_invalid_bot(page: Page, source: bytes, stage: str, line: int | None, says: str) -> None:
    """The report has a stage, line and message, and the move and view if the bot failed at a move."""
    [version] = page.after_validation(source).versions
    report = version.report

    assert version.state == "invalid"
    assert not version.active
    assert report is not None
    assert (report.stage, report.line) == (stage, line)
    assert says in report.message
    if stage == "self-play":
        assert report.move is not None
        assert report.view is not None
        assert report.view["legal"]


def test_fault_against_house_bots_only_is_reported(arena: Arena, page: Page) -> None:
    """House bots are the opponents after self-play."""
    house.ensure_house(arena)
    only_itself = (
        b"from arena.sdk import Bot\n\nclass B(Bot):\n    def act(self, view):\n"
        b"        assert set(self.seats) == {'candidate'}\n        return view.legal[0]\n"
    )

    [version] = page.after_validation(only_itself).versions

    assert version.report is not None
    assert (version.state, version.report.stage) == ("invalid", "house")


def test_reports_are_private(arena: Arena, page: Page) -> None:
    """All users see the state, but only the owner and administrators see the report."""
    shown = page.after_validation(b"def act(view):\n    raise ValueError('my secret')\n")
    stranger = factories.user(arena, "stranger")

    for viewer in (None, stranger):
        seen = bot_pages.bot_page(arena, shown.id, viewer)
        assert (seen.versions[0].state, seen.versions[0].report, seen.mine) == ("invalid", None, False)
        assert bot_pages.version_status(arena, shown.versions[0].id, viewer).report is None
    with pytest.raises(Refused):
        bots.source_of(arena, stranger, shown.versions[0].id)


def test_valid_bot_is_placed_immediately(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """The placement goes to the urgent queue, after which the bot is on the leaderboard."""
    house.ensure_house(arena, games=())
    ref = upload(arena, author)
    assert bell.heard[-1] == Doorbell(VALIDATE, ref.version_id, urgent=True)
    bell.heard.clear()

    assert validation.validate(arena, ref.version_id, LocalCage()) == "done"
    assert [rung.urgent for rung in bell.heard] == [True]
    assert not bot_pages.version_status(arena, ref.version_id, author).settled

    assert factories.play_heard(arena, bell) == ["done"] * 4
    status = bot_pages.version_status(arena, ref.version_id, author)
    assert status.settled
    assert status.rating is not None
    assert (status.rating.tables, status.rating.matches) == (4, 16)
    assert "candidate" in [row.bot for row in factories.leaderboard(arena, "suitability-4")]
    assert fsck.check(arena) == []


@pytest.mark.parametrize(
    ("variant", "meetings"),
    [("suitability-4", 2), ("suits-steere-3", 1), ("separate-suits-2", 1), ("suits-barnhart-solitaire", 3)],
)
def test_placement_meets_every_house_bot_that_plays_the_game(
    arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch, variant: str, meetings: int
) -> None:
    """The new version sits at three tables or more, and meets each house bot equally often or once more."""
    house.ensure_house(arena)
    monkeypatch.setattr(validation, "first_variants", lambda _: [VARIANTS[variant]])
    ref = upload(arena, author)
    validation.validate(arena, ref.version_id, LocalCage())

    with arena.reading() as session:
        placement = session.scalars(select(Tournament).where(Tournament.priority > 0)).one()
        query = select(TableSeat.table_id, TableSeat.version_id).join(Table)
        seats = session.execute(query.where(Table.tournament_id == placement.id)).all()
        able = [one.version for one in validation._house(session) if plays(one.games, VARIANTS[variant].game)]
    met = Counter(seat.version_id for seat in seats)
    assert met.pop(ref.version_id) == placement.tables_total >= validation.PLACEMENT_TABLES
    assert set(met) == set(able)
    assert set(met.values()) <= {meetings, meetings + 1}


def test_bot_is_placed_in_each_declared_game(
    arena: Arena, author: Account, bell: factories.Bell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot plays house bots in the first variant of each game, and is rated in all of them."""
    quick = {f"{name}-{number}": HOUSE[name] for name in ("random", "greedy") for number in range(4)}
    monkeypatch.setattr(house, "ENTERED", quick)
    house.ensure_house(arena, games=())
    bell.heard.clear()
    ref = bots.upload(arena, author, "candidate", b"games = ['suits_steere', 'suits_barnhart']\n" + PLAYS)
    assert validation.validate(arena, ref.version_id, LocalCage()) == "done"
    assert bot_pages.version_status(arena, ref.version_id, author).rating is None

    factories.play_heard(arena, bell)

    rated = bot_pages.bot_page(arena, ref.bot_id, None).ratings
    assert {row.variant: row.tables for row in rated} == {"suits-barnhart-4": 3, "suits-steere-3": 4}
    status = bot_pages.version_status(arena, ref.version_id, author)
    assert status.settled
    assert status.rating == rated[0]
    assert [row.rating for row in bot_pages.bots_of(arena, author)] == [rated[0]]
    assert fsck.check(arena) == []


def test_house_bots_have_declared_games(arena: Arena) -> None:
    """Versions stored by an older release without games get them."""
    house.ensure_house(arena)
    with arena.transaction() as session:
        session.execute(update(Version).values(games=None))

    house.ensure_house(arena)

    with arena.reading() as session:
        rows = session.execute(select(Bot.name, Version.games).join(Bot, Bot.id == Version.bot_id))
        games = {row.name: row.games for row in rows}
    assert games["random"] is games["bold"] is None
    assert games["planner"] == games["starter"] == ["suitability"]
    assert games["greedy"] == ["suitability", "suit_yourself", "suits_barnhart", "suits_steere", "separate_suits"]


def test_two_workers_validate_a_version_once(arena: Arena, author: Account) -> None:
    """A repeated doorbell does nothing, during the validation and after it."""
    ref = upload(arena, author)
    again: list[str] = []
    cage = LocalCage(lambda: again.append(validation.validate(arena, ref.version_id, LocalCage())))

    assert validation.validate(arena, ref.version_id, cage) == "done"
    assert set(again) == {"nothing"}
    assert validation.validate(arena, ref.version_id, LocalCage()) == "nothing"


def test_arena_fault_does_not_make_a_bot_invalid(arena: Arena, author: Account) -> None:
    """After the last attempt the state is `infra_failed` with a reason, and the author can request a retry."""
    ref = upload(arena, author)
    states = []
    for _ in range(ATTEMPTS + 1):
        states.append(validation.validate(arena, ref.version_id, LocalCage(fail_to_start)))
        assert validation.validate(arena, ref.version_id, LocalCage()) == "nothing"  # not before its back-off
        factories.due_now(arena)
    assert states == ["fault"] * ATTEMPTS + ["nothing"]

    status = bot_pages.version_status(arena, ref.version_id, author)
    assert status.settled
    assert status.report is not None
    assert "the zygote did not answer" in status.report.message
    assert "not the bot's fault" in status.report.message

    bots.validate_again(arena, author, ref.version_id)
    assert validation.validate(arena, ref.version_id, LocalCage()) == "done"
    with pytest.raises(Refused, match="Only a version that the arena failed to validate"):
        bots.validate_again(arena, author, ref.version_id)


def test_version_is_validated_again_after_its_worker_died(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """The lease expires, the sweep rings again, and a late verdict of the first worker is rejected."""
    ref = upload(arena, author)

    def lose_lease_to_another_worker() -> None:
        with arena.transaction() as session:
            session.execute(update(Version).values(lease_until=0.0))
        bell.heard.clear()
        sweep.tick(arena)
        assert bell.heard == []
        factories.due_now(arena)
        sweep.tick(arena)
        assert bell.heard == [Doorbell(VALIDATE, ref.version_id, urgent=True)]
        cage.before = lambda: None
        assert validation.validate(arena, ref.version_id, cage) == "done"

    cage = LocalCage(lose_lease_to_another_worker)

    assert validation.validate(arena, ref.version_id, cage) == "lost"
    assert bot_pages.version_status(arena, ref.version_id, author).state == "valid"


def test_late_worker_cannot_change_a_validation_of_another(arena: Arena, author: Account) -> None:
    """While the second worker validates the version, the first one can submit no verdict, and give nothing back."""
    ref = upload(arena, author)
    current: list[Claim] = []

    def oversleep() -> None:
        with arena.transaction() as session:
            session.execute(update(Version).values(lease_until=0.0))
        sweep.tick(arena)
        factories.due_now(arena)
        with arena.transaction() as session:
            claim = VERSIONS.claim(session, ref.version_id)
        assert claim
        current.append(claim)

    def oversleep_and_fail() -> None:
        oversleep()
        fail_to_start()

    for before in (lambda: None if current else oversleep(), oversleep_and_fail):
        current.clear()
        assert validation.validate(arena, ref.version_id, LocalCage(before)) == "lost"

        assert bot_pages.version_status(arena, ref.version_id, author).state == "pending"
        VERSIONS.renew(arena, current[0])
        with pytest.raises(LeaseLost):
            VERSIONS.renew(arena, current[0]._replace(fence=current[0].fence - 1))
        with arena.transaction() as session:
            VERSIONS.release(session, current[0], {})
        factories.due_now(arena)


def test_lease_that_is_renewed_during_a_sweep_does_not_expire(
    arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep checks the lease again in the transaction that queues the version."""
    ref = upload(arena, author)
    with arena.transaction() as session:
        claim = VERSIONS.claim(session, ref.version_id)
    assert claim
    monkeypatch.setattr(Leases, "expired", lambda *_: [claim])  # found just before the renewal

    with arena.transaction() as session:
        validation.expire(session)

    VERSIONS.renew(arena, claim)


def test_lost_doorbell_rings_again(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """The sweep rings for versions that have waited for a while."""
    ref = upload(arena, author)
    bell.heard.clear()
    sweep.tick(arena)
    assert bell.heard == []

    with arena.transaction() as session:
        session.execute(update(Version).values(rung_at=Version.rung_at - 2 * announcements.RING_AGAIN))
    sweep.tick(arena)
    assert bell.heard == [Doorbell(VALIDATE, ref.version_id, urgent=True)]


def test_latest_valid_version_is_active(arena: Arena, author: Account) -> None:
    """An older version that is validated later does not replace it, nor does an invalid one."""
    first = upload(arena, author)
    second = bots.upload_version(arena, author, first.bot_id, factories.LAST)
    third = bots.upload_version(arena, author, first.bot_id, b"nonsense")
    for ref in (second, first, third):
        validation.validate(arena, ref.version_id, LocalCage())

    with arena.reading() as session:
        assert session.get_one(Bot, first.bot_id).active_version_id == second.version_id
    assert [row.number for row in bot_pages.bot_page(arena, first.bot_id, author).versions] == [3, 2, 1]


def test_house_bots_are_created_once(arena: Arena, bell: factories.Bell) -> None:
    """The first start creates house bots and a demo round robin of each game; the second start changes nothing."""
    demo = house.ensure_house(arena)
    names = [row.name for row in factories.bots(arena)]
    assert demo is not None
    assert {"random", "greedy", "planner"} <= set(names)
    assert len(factories.table_ids(arena, demo)) == 12

    assert house.ensure_house(arena) is None
    assert [row.name for row in factories.bots(arena)] == names
    with arena.reading() as session:
        found = session.execute(select(Tournament.variant, Tournament.tables_total).order_by(Tournament.id))
        demos = {rules_of(variant).id: tables for variant, tables in found}
    assert demos.keys() == GAMES.keys()
    assert all(3 <= tables <= 12 for tables in demos.values())


def test_changed_house_bot_becomes_a_new_version(arena: Arena) -> None:
    """After an upgrade of the arena, results of the old version keep naming it."""
    house.ensure_house(arena)
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.number == 1).values(source=PLAYS, sha256="of another source"))

    house.ensure_house(arena)

    assert {row.version for row in factories.bots(arena)} == {2}


def test_unknown_ids_are_not_found(arena: Arena, author: Account) -> None:
    """The message gives the ID of the bot or version."""
    with pytest.raises(NotFound, match="no bot 99"):
        bot_pages.bot_page(arena, 99, None)
    with pytest.raises(NotFound, match="no version 99"):
        bot_pages.version_status(arena, 99, author)
