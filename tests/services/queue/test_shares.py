"""Waits between owners: one owner's full queue and another's first piece of work, for each line of the docs' table."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.db.models import Table, Tournament, Version
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.access import Account
from arena.services.base.context import PLAY, VALIDATE, Arena, Doorbell
from arena.services.bots import actions as bots
from arena.services.comparisons import actions as comparisons
from arena.services.copies import actions as copies
from arena.services.queue import announcements
from arena.services.queue.announcements import ENDLESS, PIECE, SLOW_PLACEMENT, URGENT, announce_more
from arena.services.trials import actions as trials
from arena.services.trials.views import NewTrial
from tests import factories

Ask = Callable[[Arena, Account, list[int]], object]


def upload(arena: Arena, owner: Account, field: list[int], *, slow: bool = False) -> None:
    """Upload four bots; if `slow`, a piece of each has been done."""
    for number in range(4):
        bots.upload(arena, owner, f"{owner.name}-{number}", factories.FIRST)
    if slow:
        with arena.transaction() as session:
            session.execute(update(Version).where(Version.state == "pending").values(spent=PIECE, rung_at=None))
        announce_more(arena)


def slow_upload(arena: Arena, owner: Account, field: list[int]) -> None:
    """Upload four slow bots."""
    upload(arena, owner, field, slow=True)


def tournament(priority: int) -> Ask:
    """Return what starts a tournament of this priority."""
    return lambda arena, owner, field: factories.tournament(arena, owner, field, rounds=3, priority=priority)


def comparison(arena: Arena, owner: Account, field: list[int]) -> None:
    """Start a comparison of two versions."""
    own = factories.bot(arena, owner, f"{owner.name}-compared")
    comparisons.create(arena, owner, DEFAULT_VARIANT, field[0], own)


def trial(arena: Arena, owner: Account, field: list[int]) -> None:
    """Start a trial of many matches."""
    own = factories.bot(arena, owner, f"{owner.name}-tried")
    trials.create(arena, owner, NewTrial(DEFAULT_VARIANT, own, field[:3], matches=40))


def comparison_of_all(arena: Arena, owner: Account, field: list[int]) -> None:
    """Ask for three comparisons of all bots."""
    for _ in range(3):
        copies.request(arena, replace(owner, is_organiser=True))


KINDS: dict[str, Ask] = {
    "upload": upload,
    "slow upload": slow_upload,
    "placement": tournament(URGENT),
    "slow placement": tournament(SLOW_PLACEMENT),
    "tournament": tournament(0),
    "comparison": comparison,
    "trial": trial,
    "ladder": tournament(ENDLESS),
    "copies": comparison_of_all,
}
LINES = {
    "uploads that are quick": "upload",
    "uploads that are slow": "slow upload",
    "placements of quick bots": "placement",
    "placements of slow bots": "slow placement",
    "tournaments, assignments and schedules": "tournament",
    "comparisons": "comparison",
    "trials": "trial",
    "ladders": "ladder",
    "the comparison of all bots (copies)": "copies",
}
"""Kinds by the first cell of the lines of the table in `docs/capacity.md`."""
ROUTINE = ("slow placement", "tournament", "comparison", "trial")


def test_every_line_of_the_table_is_a_kind() -> None:
    """A line that is added to the docs is tested as the others are."""
    text = (Path(__file__).parents[3] / "docs/capacity.md").read_text()
    table = text.partition("## Who waits for whom")[2].partition("\n| --- ")[2].partition("\n\n")[0]

    assert [line.split("|")[1].strip() for line in table.splitlines()[1:]] == list(LINES)


def owner_of(arena: Arena, rung: Doorbell) -> list[int]:
    """Return the owner of each table or upload of a doorbell."""
    with arena.reading() as session:
        if rung.task == VALIDATE:
            return [session.get_one(Version, rung.id).bot.owner_id]
        query = select(Tournament.created_by_id).join(Table).where(Table.id.in_(rung.ids))
        return list(session.scalars(query))


@pytest.mark.parametrize("first", LINES.values())
@pytest.mark.parametrize("second", ["upload", "placement", *ROUTINE])
def test_newcomer_is_announced_in_turn(
    arena: Arena, admin: Account, author: Account, bell: factories.Bell, first: str, second: str
) -> None:
    """However much one member has asked for, another's first work rings at once or within the next turn."""
    newcomer = factories.user(arena, "newcomer")
    field = factories.field_of(arena, admin, 6)
    factories.worker(arena, "a", "b")
    KINDS[first](arena, author, field)
    held = [owner for rung in bell.heard if rung.task in (PLAY, VALIDATE) for owner in owner_of(arena, rung)]
    bell.heard.clear()

    KINDS[second](arena, newcomer, field)
    announce_more(arena)
    finish_announced(arena, bell, author)

    rung = [owner for one in bell.heard if one.task in (PLAY, VALIDATE) for owner in owner_of(arena, one)]
    assert newcomer.id in rung
    assert rung.index(newcomer.id) <= len(held)
    urgent = ("upload", "placement")
    if second in urgent and first not in urgent:
        assert rung[0] == newcomer.id


def finish_announced(arena: Arena, bell: factories.Bell, owner: Account) -> None:
    """Mark the announced tables of an owner as played, and announce more."""
    mine = select(Tournament.id).where(Tournament.created_by_id == owner.id)
    with arena.transaction() as session:
        played = update(Table).where(Table.tournament_id.in_(mine), Table.rung_at.is_not(None))
        session.execute(played.values(state="cancelled"), execution_options={"synchronize_session": False})
    announce_more(arena)


@pytest.mark.parametrize("kind", ROUTINE)
def test_routine_work_of_two_owners_has_equal_shares(
    arena: Arena, author: Account, admin: Account, bell: factories.Bell, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament that begins later gets as many of the workers' tables, however much the other has asked for."""
    newcomer = factories.user(arena, "newcomer")
    field = factories.field_of(arena, admin, 6)
    KINDS[kind](arena, author, field)
    monkeypatch.setattr(announcements, "_pace", lambda session: 2.0)  # so that more tables are announced

    KINDS["tournament"](arena, newcomer, field)

    shares = Counter(owner for rung in bell.heard if rung.task == PLAY for owner in owner_of(arena, rung))
    assert abs(shares[author.id] - shares[newcomer.id]) <= 1
    assert shares.total() == 2 * announcements.AHEAD


@pytest.mark.parametrize("kind", ROUTINE)
def test_ladders_wait_for_all_routine_work(
    arena: Arena, author: Account, admin: Account, bell: factories.Bell, kind: str
) -> None:
    """While any of it waits, no table of a ladder is announced."""
    field = factories.field_of(arena, admin, 6)
    KINDS[kind](arena, author, field)

    KINDS["ladder"](arena, admin, field)
    announce_more(arena)

    assert {owner for rung in bell.heard if rung.task == PLAY for owner in owner_of(arena, rung)} == {author.id}


@pytest.mark.parametrize("kind", ["upload", "placement"])
@pytest.mark.parametrize(("workers", "share"), [(0, 1), (1, 1), (2, 1), (3, 2), (16, 4)])
def test_owner_leaves_one_worker_to_others(
    arena: Arena, author: Account, admin: Account, bell: factories.Bell, kind: str, workers: int, share: int
) -> None:
    """One owner's urgent work takes all workers but one."""
    field = factories.field_of(arena, admin, 6)
    factories.worker(arena, *(f"worker-{number}" for number in range(workers)))

    KINDS[kind](arena, author, field)

    mine = [rung for rung in bell.heard if owner_of(arena, rung) == [author.id]]
    assert min(len(mine), 4) == share
    assert all(rung.urgent for rung in mine)


def test_slow_uploads_of_an_owner_follow_each_other(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """Slow uploads never hold more than one worker, regardless of their number."""
    factories.worker(arena, *"abcdefgh")
    bell.heard.clear()

    slow_upload(arena, author, [])

    assert [rung.urgent for rung in bell.heard if rung.task == VALIDATE][-1:] == [False]
    assert [rung.urgent for rung in bell.heard].count(False) - 2 == 1  # the others ask for more


def test_least_served_owner_comes_first(arena: Arena, author: Account, admin: Account, bell: factories.Bell) -> None:
    """A first upload comes before those of members whose earlier uploads took long."""
    newcomer = factories.user(arena, "newcomer")
    for owner in (author, admin, newcomer):
        bots.upload(arena, owner, f"of-{owner.name}", factories.FIRST)
    with arena.transaction() as session:
        session.execute(update(Version).values(rung_at=None))
        for number, seconds in ((1, 4.0), (2, 2.0), (3, 0.0)):
            session.get_one(Version, number).spent = seconds
    bell.heard.clear()

    announce_more(arena)

    assert [rung.id for rung in bell.heard] == [3, 2, 1]
