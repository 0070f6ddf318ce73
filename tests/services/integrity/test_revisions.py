"""An arena goes on when a release adds an option to a game."""

import pytest
from sqlalchemy import select

from arena.db.models import Match, Table
from arena.match.record import unpack
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from tests import factories
from tests.revisions import revise
from tests.services.integrity.conftest import NEXT


@pytest.fixture
def revised(copy: Arena, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Return an arena with matches of every kind, in a release with one more option of each game."""
    revise(monkeypatch)
    return copy


def test_everything_stored_stays_right(revised: Arena) -> None:
    """Records, live tables and analyses agree with their tournaments as before."""
    assert fsck.check(revised) == []


def test_tournament_in_play_keeps_its_rules(revised: Arena) -> None:
    """The tables that are left are played by the rules of the tournament's start, and say so."""
    waiting = factories.table_ids(revised, NEXT)[2]
    assert factories.play_all(revised, [waiting]) == ["done"]

    with revised.reading() as session:
        kept = session.scalars(select(Match.record).join(Table).where(Table.id == waiting)).all()
    assert {(record["revision"], record["options"]["added"]) for record in map(unpack, kept)} == {(2, False)}
    assert fsck.check(revised) == []
