"""Ladders: they go on for ever, with whoever is there."""

from collections import Counter
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from arena.db.models import Bot, Entry, Table, TableSeat
from arena.games.errors import Refused
from arena.services import ladders, play, stages, tournament_pages, tournaments
from arena.services.context import Arena
from arena.services.laddering import WAITING
from arena.services.shapes import QUEUED, Account
from tests import factories
from tests.cages import LocalCage
from tests.drawn import drawn

VARIANT = "suitability-4"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is played does not matter here."""
    monkeypatch.setattr(play, "play_work", drawn({}))


def waiting(arena: Arena) -> Sequence[int]:
    """The tables that wait, by id."""
    with arena.reading() as session:
        return session.scalars(select(Table.id).where(Table.state == QUEUED).order_by(Table.id)).all()


def play_some(arena: Arena, count: int) -> None:
    """Play the tables that have waited longest."""
    for table_id in waiting(arena)[:count]:
        play.play_table(arena, table_id, LocalCage(), "tester")


def out(arena: Arena, ladder: int) -> dict[int, str | None]:
    """By version, why it is out."""
    with arena.reading() as session:
        rows = session.execute(select(Entry.version_id, Entry.out).where(Entry.tournament_id == ladder))
        return {row.version_id: row.out for row in rows}


def test_a_ladder_makes_tables_as_they_are_played(arena: Arena, admin: Account) -> None:
    """It keeps a few waiting, and is never finished."""
    factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    assert len(waiting(arena)) == WAITING

    play_some(arena, WAITING // 2)
    page = ladders.ladder_page(arena, VARIANT)
    assert len(waiting(arena)) == WAITING
    assert page.row is not None
    assert (page.row.id, page.row.state, page.row.tables_done) == (ladder, "running", WAITING // 2)
    assert page.problem is None
    assert sum(owner.share for owner in page.owners) == pytest.approx(1)


def test_newcomers_come_in_and_others_go(arena: Arena, admin: Account) -> None:
    """A new bot is seated at the next tables; who is replaced or switched off gets no more of them."""
    versions = factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    new = factories.bot(arena, factories.user(arena, "Ann"), "new")
    with arena.transaction() as session:
        session.scalars(select(Bot).where(Bot.active_version_id == versions[0])).one().active = False
        replaced = session.scalars(select(Bot).where(Bot.active_version_id == versions[1])).one()
        replaced.active_version_id = None

    play_some(arena, WAITING // 2)
    assert out(arena, ladder) == {
        **dict.fromkeys([*versions[2:], new]),
        versions[0]: "deactivated",
        versions[1]: "replaced",
    }
    with arena.reading() as session:
        late = select(TableSeat.version_id).join(Table).where(Table.number >= WAITING)
        seated = Counter(session.scalars(late))
    assert seated[new] >= WAITING // 4
    assert versions[0] not in seated
    assert versions[1] not in seated

    with arena.transaction() as session:
        session.scalars(select(Bot).where(Bot.active_version_id == versions[0])).one().active = True
    play_some(arena, WAITING // 2)
    assert out(arena, ladder)[versions[0]] is None


def test_a_ladder_waits_for_bots(arena: Arena, admin: Account) -> None:
    """It may be started with too few; the page says what it waits for."""
    factories.field_of(arena, admin, 3)
    ladder = ladders.start(arena, admin, VARIANT)
    assert "3 bots take part" in (ladders.ladder_page(arena, VARIANT).problem or "")

    factories.bot(arena, admin, "fourth")
    stages.advance_all(arena)
    assert len(waiting(arena)) == WAITING
    assert ladders.ladder_page(arena, VARIANT).problem is None
    assert tournament_pages.page(arena, ladder).row.entries == 4


def test_a_variant_has_one_ladder_at_most(arena: Arena, admin: Account) -> None:
    """Until it is cancelled; then another may begin."""
    factories.field_of(arena, admin, 4)
    first = ladders.start(arena, admin, VARIANT)
    with pytest.raises(Refused, match="already"):
        ladders.start(arena, admin, VARIANT)
    with pytest.raises(Refused, match="administrator"):
        ladders.start(arena, factories.user(arena, "Ann"), VARIANT)
    with pytest.raises(Refused, match="Alone at the cards"):
        ladders.start(arena, admin, "suits-barnhart-solitaire")
    assert ladders.ladder_page(arena, "suits-barnhart-solitaire").problem

    tournaments.cancel(arena, admin, first)
    assert ladders.start(arena, admin, VARIANT) > first
    assert [row.id for row in ladders.ladder_page(arena, VARIANT).former] == [first]
