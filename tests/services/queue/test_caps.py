"""Limits on queued tables, waiting uploads and running comparisons."""

import pytest
from sqlalchemy import update

from arena.db.models import Tournament, Version
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.bots import pages as bot_pages
from arena.services.comparisons import actions as comparisons
from arena.services.integrity import fsck
from arena.services.people import quotas
from arena.services.queue import caps
from arena.services.work import validation
from tests import factories
from tests.cages import LocalCage


@pytest.fixture
def small(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Return the arena with low limits."""
    monkeypatch.setattr(caps, "MOST_WAITING", 12)
    monkeypatch.setattr(quotas, "WAITING", 2)
    monkeypatch.setattr(comparisons, "MOST_RUNNING", 2)
    return arena


def test_number_of_queued_tables_is_limited(small: Arena, admin: Account) -> None:
    """Played tables make room, and a refused tournament leaves nothing behind."""
    versions = factories.field_of(small, admin, 5)
    first = factories.tournament(small, admin, versions)
    factories.tournament(small, admin, versions)
    with pytest.raises(Refused, match="at most 12 tables; 10 are waiting, and this would add 5"):
        factories.tournament(small, admin, versions)

    factories.play_all(small, factories.table_ids(small, first)[:3])

    third = factories.tournament(small, admin, versions)
    with small.reading() as session:
        assert session.query(Tournament.id).count() == 3
    assert len(factories.table_ids(small, third)) == 5


def test_full_queue_does_not_block_placements(small: Arena, admin: Account) -> None:
    """Placements are small, and an author cannot help a full queue."""
    factories.tournament(small, admin, factories.field_of(small, admin, 5), rounds=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caps, "MOST_WAITING", 1000)
        house.ensure_house(small)
    ref = bots.upload(small, admin, "candidate", factories.FIRST)

    assert validation.validate(small, ref.version_id, LocalCage()) == "done"

    assert bot_pages.version_status(small, ref.version_id, admin).state == "valid"
    assert fsck.check(small) == []


def test_number_of_waiting_uploads_per_owner_is_limited(small: Arena, author: Account) -> None:
    """New bots, new versions and repeated validations all count; other owners are not affected."""
    first = bots.upload(small, author, "first", factories.FIRST)
    bots.upload_version(small, author, first.bot_id, factories.LAST)
    full = "2 of your uploads are waiting for validation; the limit is 2"
    with pytest.raises(Refused, match=full):
        bots.upload(small, author, "second", factories.FIRST)
    with pytest.raises(Refused, match=full):
        bots.upload_version(small, author, first.bot_id, factories.MIDDLE)
    bots.upload(small, factories.user(small, "stranger"), "third", factories.FIRST)

    validation.validate(small, first.version_id, LocalCage())
    fourth = bots.upload(small, author, "fourth", factories.FIRST)

    with small.transaction() as session:
        session.execute(update(Version).where(Version.id == first.version_id).values(state="infra_failed"))
    with pytest.raises(Refused, match=full):
        bots.validate_again(small, author, first.version_id)
    validation.validate(small, fourth.version_id, LocalCage())
    bots.validate_again(small, author, first.version_id)


def test_number_of_running_comparisons_per_user_is_limited(small: Arena, admin: Account, author: Account) -> None:
    """Paused comparisons count; finished and cancelled ones do not."""
    versions = factories.field_of(small, admin, 4)
    cups = [factories.tournament(small, admin, versions) for _ in range(3)]
    with small.transaction() as session:
        session.execute(update(Tournament).values(format="comparison"))
        session.execute(update(Tournament).where(Tournament.id == cups[0]).values(state="paused"))
        session.execute(update(Tournament).where(Tournament.id == cups[1]).values(state="finished"))
        comparisons.check_quota(session, author.id)
        with pytest.raises(Refused, match="at most 2 comparisons at a time; 2 of yours are running"):
            comparisons.check_quota(session, admin.id)
        session.execute(update(Tournament).where(Tournament.id == cups[2]).values(state="cancelled"))
        comparisons.check_quota(session, admin.id)
