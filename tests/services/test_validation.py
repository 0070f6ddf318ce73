"""An upload is tried, judged, and placed; what the machinery does wrong is never its fault."""

import pytest
from sqlalchemy import select, update

from arena.db.models import Bot, Tournament, Version
from arena.games.errors import NotFound, Refused
from arena.games.registry import GAMES
from arena.services import announcing, bots, fsck, house, sweep, validation
from arena.services.context import VALIDATE, Arena, Doorbell
from arena.services.ratings import leaderboard
from arena.services.shapes import Account, BotPage, VersionRef
from tests import factories
from tests.cages import LocalCage, broken

PLAYS = factories.FIRST


@pytest.fixture
def page(arena: Arena, author: Account) -> "Page":
    """The author's way of seeing a bot's page."""
    return Page(arena, author)


class Page:
    """Uploads and validates, and reads what came of it."""

    def __init__(self, arena: Arena, author: Account) -> None:
        self.arena, self.author = arena, author

    def judged(self, source: bytes) -> BotPage:
        """The page of a new bot after its validation."""
        ref = bots.upload(self.arena, self.author, "candidate", source)
        validation.validate(self.arena, ref.version_id, LocalCage())
        return bots.bot_page(self.arena, ref.bot_id, self.author)


def upload(arena: Arena, author: Account) -> VersionRef:
    """A bot that plays."""
    return bots.upload(arena, author, "candidate", PLAYS)


def test_a_bot_that_plays_is_valid_and_active(page: Page) -> None:
    """It loads, plays itself, and tournaments take it."""
    shown = page.judged(PLAYS)

    assert shown.versions[0].state == "valid"
    assert shown.versions[0].active
    assert shown.versions[0].report is not None
    assert shown.versions[0].report.stage == "done"


@pytest.mark.parametrize(
    ("source", "stage", "line", "says"),
    [
        (b"def act(view)\n    pass\n", "load", 1, "expected ':'"),
        (b"x = 1\n", "load", None, "act"),
        (b"import os\nimport no_such_module\n", "load", 2, "no_such_module"),
        (b"def act(view):\n    return 'nonsense'\n", "self-play", None, "nonsense"),
        (b"def act(view):\n    x = 1\n    return x / 0\n", "self-play", 3, "division by zero"),
        (b"from arena.sdk import Bot\nclass B(Bot):\n    games = ('bridge',)\n    def act(self, view): ...\n",
         "load", None, "bridge"),
    ],
)  # fmt: skip
def test_a_bot_that_fails_is_told_where_and_why(
    page: Page, source: bytes, stage: str, line: int | None, says: str
) -> None:
    """Stage, line and message; where it failed at a move, the move and the view as well."""
    [version] = page.judged(source).versions
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


def test_a_bot_that_fails_against_others_only_is_told_so(arena: Arena, page: Page) -> None:
    """The house is the second opponent."""
    house.ensure_house(arena)
    only_itself = (
        b"from arena.sdk import Bot\n\nclass B(Bot):\n    def act(self, view):\n"
        b"        assert set(self.seats) == {'candidate'}\n        return view.legal[0]\n"
    )

    [version] = page.judged(only_itself).versions

    assert version.report is not None
    assert (version.state, version.report.stage) == ("invalid", "house")


def test_reports_are_for_the_author_alone(arena: Arena, page: Page) -> None:
    """Everybody sees the state; the report only the owner and administrators."""
    shown = page.judged(b"def act(view):\n    raise ValueError('my secret')\n")
    stranger = factories.user(arena, "stranger")

    for viewer in (None, stranger):
        seen = bots.bot_page(arena, shown.id, viewer)
        assert (seen.versions[0].state, seen.versions[0].report, seen.mine) == ("invalid", None, False)
        assert bots.version_status(arena, shown.versions[0].id, viewer).report is None
    with pytest.raises(Refused):
        bots.source_of(arena, stranger, shown.versions[0].id)


def test_a_valid_bot_is_placed_at_once(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """Its placement is rung on the urgent queue, and after it the bot is on the leaderboard."""
    house.ensure_house(arena)
    ref = upload(arena, author)
    assert bell.heard[-1] == Doorbell(VALIDATE, ref.version_id, urgent=True)
    bell.heard.clear()

    assert validation.validate(arena, ref.version_id, LocalCage()) == "valid"
    assert len(bell.heard) == validation.PLACEMENT_ROUNDS
    assert all(rung.urgent for rung in bell.heard)
    assert not bots.version_status(arena, ref.version_id, author).settled

    assert factories.play_all(arena, bell.tables()) == ["done"] * 3
    status = bots.version_status(arena, ref.version_id, author)
    assert status.settled
    assert status.rating is not None
    assert (status.rating.tables, status.rating.matches) == (3, 12)
    assert "candidate" in [row.bot for row in leaderboard(arena, "suitability-4")]
    assert fsck.check(arena) == []


def test_a_bot_is_placed_in_every_game_that_it_names(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """In the first variant of each, against house bots that play it, and it is rated in all of them."""
    house.ensure_house(arena)
    bell.heard.clear()
    ref = bots.upload(arena, author, "candidate", b"games = ['suits_steere', 'suits_barnhart']\n" + PLAYS)
    assert validation.validate(arena, ref.version_id, LocalCage()) == "valid"
    assert bots.version_status(arena, ref.version_id, author).rating is None

    factories.play_all(arena, bell.tables())

    rated = bots.bot_page(arena, ref.bot_id, None).ratings
    assert {row.variant: row.tables for row in rated} == {"suits-barnhart-4": 3, "suits-steere-3": 3}
    status = bots.version_status(arena, ref.version_id, author)
    assert status.settled
    assert status.rating == rated[0]
    assert [row.rating for row in bots.bots_of(arena, author)] == [rated[0]]
    assert fsck.check(arena) == []


def test_the_house_says_what_it_plays(arena: Arena) -> None:
    """So that all active bots can be entered in any game; also where an older arena did not know."""
    house.ensure_house(arena)
    with arena.transaction() as session:
        session.execute(update(Version).values(games=None))

    house.ensure_house(arena)

    with arena.reading() as session:
        rows = session.execute(select(Bot.name, Version.games).join(Bot, Bot.id == Version.bot_id))
        games = {row.name: row.games for row in rows}
    assert games["random"] is games["sampler"] is None
    assert games["planner"] == games["starter"] == ["suitability"]
    assert games["greedy"] == list(GAMES)


def test_two_workers_validate_a_version_once(arena: Arena, author: Account) -> None:
    """A doorbell that rings again finds nothing to do, also while the first one is at work."""
    ref = upload(arena, author)
    again: list[str] = []
    cage = LocalCage(lambda: again.append(validation.validate(arena, ref.version_id, LocalCage())))

    assert validation.validate(arena, ref.version_id, cage) == "valid"
    assert set(again) == {"nothing"}
    assert validation.validate(arena, ref.version_id, LocalCage()) == "nothing"


def test_a_fault_of_the_machinery_is_never_the_bots(arena: Arena, author: Account) -> None:
    """Three attempts, then `infra_failed`, with the reason; the author may have it tried again."""
    ref = upload(arena, author)
    states = []
    for _ in range(4):
        states.append(validation.validate(arena, ref.version_id, LocalCage(broken)))
        assert validation.validate(arena, ref.version_id, LocalCage()) == "nothing"  # not at once
        factories.due_now(arena)
    assert states == ["pending", "pending", "infra_failed", "nothing"]

    status = bots.version_status(arena, ref.version_id, author)
    assert status.settled
    assert status.report is not None
    assert "the zygote did not answer" in status.report.message
    assert "not the bot's fault" in status.report.message

    bots.validate_again(arena, author, ref.version_id)
    assert validation.validate(arena, ref.version_id, LocalCage()) == "valid"
    with pytest.raises(Refused, match="Only a version that the arena failed to validate"):
        bots.validate_again(arena, author, ref.version_id)


def test_a_worker_that_dies_while_validating_is_replaced(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """Its lease runs out, the sweep rings again, and the late verdict of the dead is not taken."""
    ref = upload(arena, author)

    def die_and_be_swept() -> None:
        with arena.transaction() as session:
            session.execute(update(Version).values(lease_until=0.0))
        bell.heard.clear()
        sweep.tick(arena)
        assert bell.heard == []
        factories.due_now(arena)
        sweep.tick(arena)
        assert bell.heard == [Doorbell(VALIDATE, ref.version_id, urgent=True)]
        cage.before = lambda: None
        assert validation.validate(arena, ref.version_id, cage) == "valid"

    cage = LocalCage(die_and_be_swept)

    assert validation.validate(arena, ref.version_id, cage) == "lost"
    assert bots.version_status(arena, ref.version_id, author).state == "valid"


def test_a_doorbell_that_was_lost_is_rung_again(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """The sweep rings for versions that wait for long."""
    ref = upload(arena, author)
    bell.heard.clear()
    sweep.tick(arena)
    assert bell.heard == []

    with arena.transaction() as session:
        session.execute(update(Version).values(rung_at=Version.rung_at - 2 * announcing.RING_AGAIN))
    sweep.tick(arena)
    assert bell.heard == [Doorbell(VALIDATE, ref.version_id, urgent=True)]


def test_a_later_version_takes_over_and_an_invalid_one_does_not(arena: Arena, author: Account) -> None:
    """Tournaments take the latest valid version, also where an older one is validated late."""
    first = upload(arena, author)
    second = bots.upload_version(arena, author, first.bot_id, factories.LAST)
    third = bots.upload_version(arena, author, first.bot_id, b"nonsense")
    for ref in (second, first, third):
        validation.validate(arena, ref.version_id, LocalCage())

    with arena.reading() as session:
        assert session.get_one(Bot, first.bot_id).active_version_id == second.version_id
    assert [row.number for row in bots.bot_page(arena, first.bot_id, author).versions] == [3, 2, 1]


def test_the_house_is_entered_once(arena: Arena, bell: factories.Bell) -> None:
    """House bots and a demo round robin at the first start, nothing at the second."""
    demo = house.ensure_house(arena)
    names = [row.name for row in bots.all_bots(arena)]
    assert demo is not None
    assert {"random", "greedy", "planner"} <= set(names)
    assert len(factories.table_ids(arena, demo)) == house.DEMO_ROUNDS

    assert house.ensure_house(arena) is None
    assert [row.name for row in bots.all_bots(arena)] == names
    with arena.reading() as session:
        assert session.scalars(select(Tournament.id)).all() == [demo]


def test_a_house_bot_that_changed_becomes_a_new_version(arena: Arena) -> None:
    """As after an upgrade of the arena; what was played with the old one keeps its name."""
    house.ensure_house(arena)
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.number == 1).values(source=PLAYS, sha256="of another source"))

    house.ensure_house(arena)

    assert {row.version for row in bots.all_bots(arena)} == {2}


def test_what_is_not_there_is_not_found(arena: Arena, author: Account) -> None:
    """Ids of nothing."""
    with pytest.raises(NotFound, match="no bot 99"):
        bots.bot_page(arena, 99, None)
    with pytest.raises(NotFound, match="no version 99"):
        bots.version_status(arena, 99, author)
