"""Slow validations and placements: done in pieces, which lose nothing and give way to the work of others."""

from collections.abc import Callable

import pytest
from sqlalchemy import update

from arena.db.clock import now
from arena.db.models import Table, Tournament, Version
from arena.sdk.player import Reply
from arena.services.base.access import Account
from arena.services.base.context import PLAY, VALIDATE, Arena
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.integrity import fsck
from arena.services.queue.announcements import PIECE, SLOW_PLACEMENT, URGENT, announce_more
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import VERSIONS
from arena.services.work import pieces, play, sweep, validation
from arena.services.work.urgent import Lookout
from tests import factories
from tests.cages import LocalCage, LocalPlayer

SLOW = b"# slow\n" + factories.FIRST


class Times:
    """A clock that only the answers of slow bots advance."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        """Return the time in seconds."""
        return self.seconds


class SlowPlayer(LocalPlayer):
    """A bot that computes for a second per answer."""

    times: Times
    computed_so_far = 0.0

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Answer after a second."""
        self.times.seconds += 1.0
        self.computed_so_far += 1.0
        return super().reply(watch)

    def spent(self) -> float:
        """Return the seconds so far."""
        return self.computed_so_far


class MixedCage(LocalCage):
    """A cage in which bots marked as slow are slow."""

    def __init__(self, times: Times) -> None:
        super().__init__()
        self.times = times
        self.slow_players = 0

    def player(self, source: bytes, *, seat: int) -> LocalPlayer:
        """Start a player."""
        if not source.startswith(b"# slow"):
            return super().player(source, seat=seat)
        self.slow_players += 1
        player = SlowPlayer(source, "bot.py")
        player.times = self.times
        return player


@pytest.fixture
def cage() -> MixedCage:
    """Return a cage with a clock."""
    return MixedCage(Times())


def upload(arena: Arena, owner: Account, name: str, source: bytes = SLOW) -> int:
    """Upload a bot of two games; return the ID of its version."""
    games = b"games = ['suits_steere', 'suits_barnhart']\n"
    return bots.upload(arena, owner, name, source + games).version_id


def version(arena: Arena, version_id: int) -> Version:
    """Return a version as it is stored."""
    with arena.reading() as session:
        return session.get_one(Version, version_id)


def interruptions(arena: Arena, cage: LocalCage) -> Callable[[Keeper], None]:
    """Return what a worker does between moves, without pauses."""

    def between_moves(keeper: Keeper) -> None:
        Lookout(arena, cage, "tester")(keeper)

    return between_moves


def test_slow_upload_is_validated_in_pieces(
    arena: Arena, author: Account, cage: MixedCage, bell: factories.Bell
) -> None:
    """Each piece plays at least one match, none is played twice, and each rings for the next."""
    slow, matches = upload(arena, author, "slow"), []
    while version(arena, slow).state == "pending":
        bell.heard.clear()
        before = cage.slow_players
        assert validation.validate(arena, slow, cage) == "done"
        matches.append(len(version(arena, slow).passed or {}))
        assert (VALIDATE in [rung.task for rung in bell.heard]) == (version(arena, slow).state == "pending")
        assert cage.slow_players - before <= 4

    found = version(arena, slow)
    assert (found.state, matches) == ("valid", [1, 2])
    assert found.attempts == 1
    assert found.spent == sum((found.passed or {}).values()) > PIECE
    assert fsck.check(arena) == []


def test_killed_worker_costs_one_piece(arena: Arena, author: Account, cage: MixedCage) -> None:
    """Findings and seconds of earlier pieces outlive the worker of a later one."""
    slow = upload(arena, author, "slow")
    validation.validate(arena, slow, cage)
    kept = version(arena, slow).passed
    with arena.transaction() as session:
        assert VERSIONS.claim(session, slow)
        session.execute(update(Version).values(lease_until=now() - 1))
    sweep.tick(arena)
    with arena.transaction() as session:
        session.execute(update(Version).values(retry_at=None))

    assert version(arena, slow).passed == kept
    assert validation.validate(arena, slow, cage) == "done"
    assert version(arena, slow).state == "valid"


def test_pieces_share_the_time_of_a_validation(
    arena: Arena, author: Account, cage: MixedCage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A version that exceeds the time of all test matches together is rejected in whichever piece it does."""
    slow = upload(arena, author, "slow")
    validation.validate(arena, slow, cage)
    monkeypatch.setattr(validation, "VALIDATION_TIME", version(arena, slow).spent + 5)
    validation.validate(arena, slow, cage)

    found = version(arena, slow)
    assert found.state == "invalid"
    assert "The slowest match was" in (found.report or {})["message"]


def test_slow_upload_gives_way_to_others(arena: Arena, author: Account, admin: Account, cage: MixedCage) -> None:
    """After some seconds the worker validates another member's upload between two moves, and goes on."""
    slow, quick = upload(arena, author, "slow"), upload(arena, admin, "quick", factories.FIRST)
    seconds: list[float] = []

    def between_moves(keeper: Keeper) -> None:
        interruptions(arena, cage)(keeper)
        if version(arena, quick).state == "valid":
            seconds.append(cage.times.seconds)

    began = cage.times.seconds
    validation.validate(arena, slow, cage, between_moves)

    assert PIECE <= seconds[0] - began <= PIECE + 3  # three bots choose at the same time
    assert version(arena, slow).passed


def test_slow_upload_that_interrupts_is_broken_off(
    arena: Arena, author: Account, admin: Account, cage: MixedCage, bell: factories.Bell
) -> None:
    """A slow upload no longer interrupts other work, and goes on in turns with tournaments."""
    slow = upload(arena, author, "slow")
    table = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]
    bell.heard.clear()

    began = cage.times.seconds
    assert play.play_tables(arena, [table], cage, "tester", interruptions(arena, cage)) == "done"

    assert cage.times.seconds - began == pieces.LONGEST
    found = version(arena, slow)
    assert (found.state, found.attempts, found.spent, found.passed) == ("pending", 0, PIECE, {})
    assert [(rung.id, rung.urgent) for rung in bell.heard if rung.task == VALIDATE] == [(slow, False)]


def test_slow_placement_that_interrupts_is_broken_off(
    arena: Arena, author: Account, admin: Account, cage: MixedCage, bell: factories.Bell
) -> None:
    """Its tournament becomes routine work, and the table counts no failed attempt."""
    field = [factories.bot(arena, author, "slow", SLOW), *factories.field_of(arena, admin, 3)]
    placement = factories.tournament(arena, author, field, priority=URGENT)
    routine = factories.table_ids(arena, factories.tournament(arena, admin, field[1:], "suits-steere-3"))[0]
    [table] = factories.table_ids(arena, placement)

    assert play.play_tables(arena, [routine], cage, "tester", interruptions(arena, cage)) == "done"

    with arena.reading() as session:
        found = session.get_one(Table, table)
        assert (found.state, found.attempts, found.priority) == ("queued", 0, SLOW_PLACEMENT)
        assert session.get_one(Tournament, placement).priority == SLOW_PLACEMENT
    announce_more(arena)
    assert [rung.urgent for rung in bell.heard if rung.task == PLAY and table in rung.ids] == [True, False]
    assert fsck.check(arena) == []


def test_slow_bot_is_placed_in_turns(arena: Arena, author: Account, cage: MixedCage) -> None:
    """The placement of a bot that was slow in its validation has no precedence."""
    house.ensure_house(arena, games=())
    placements = {}
    for name, source in (("slow", SLOW), ("quick", factories.FIRST)):
        tried = upload(arena, author, name, source)
        while version(arena, tried).state == "pending":
            validation.validate(arena, tried, cage)
        with arena.reading() as session:
            placements[name] = {row.priority for row in session.query(Tournament) if name in row.name}

    assert placements == {"slow": {SLOW_PLACEMENT}, "quick": {URGENT}}
