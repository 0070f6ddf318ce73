"""What may wait is bounded, and who is refused is told the bound, what is used of it, and what to do."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from arena.db.models import Tournament, Version
from arena.games.errors import Refused
from arena.services import bots, caps, fsck, house, validation
from arena.services.context import Arena
from arena.services.shapes import Account
from tests import factories
from tests.cages import LocalCage


@pytest.fixture
def small(arena: Arena) -> Arena:
    """The arena, where little may wait."""
    return replace(arena, settings=replace(arena.settings, queue_limit=12, upload_queue=2, comparison_limit=2))


def test_the_queue_of_the_whole_arena_is_bounded(small: Arena, admin: Account) -> None:
    """What is played makes room; what is refused leaves nothing behind."""
    versions = factories.field_of(small, admin, 5)
    first = factories.tournament(small, admin, versions)
    factories.tournament(small, admin, versions)
    with pytest.raises(Refused, match="at most 12 tables may wait; 10 do, and this would add 5"):
        factories.tournament(small, admin, versions)

    factories.play_all(small, factories.table_ids(small, first)[:3])

    third = factories.tournament(small, admin, versions)
    with small.reading() as session:
        assert session.query(Tournament.id).count() == 3
    assert len(factories.table_ids(small, third)) == 5


def test_a_full_queue_keeps_no_upload_from_its_placement(small: Arena, admin: Account) -> None:
    """Placements are small, and an author is not to blame."""
    factories.tournament(small, admin, factories.field_of(small, admin, 5), rounds=2)
    house.ensure_house(replace(small, settings=replace(small.settings, queue_limit=1000)))
    ref = bots.upload(small, admin, "candidate", factories.FIRST)

    assert validation.validate(small, ref.version_id, LocalCage()) == "valid"

    assert bots.version_status(small, ref.version_id, admin).state == "valid"
    assert fsck.check(small) == []


def test_an_owner_has_so_many_uploads_waiting(small: Arena, author: Account) -> None:
    """New bots, new versions and second tries alike; others are not concerned."""
    first = bots.upload(small, author, "first", factories.FIRST)
    bots.upload_version(small, author, first.bot_id, factories.LAST)
    full = "At most 2 uploads of one owner may wait to be validated, and 2 of yours do"
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


def test_a_member_has_so_many_comparisons_running(small: Arena, admin: Account, author: Account) -> None:
    """Paused ones count, those that are over do not."""
    versions = factories.field_of(small, admin, 4)
    cups = [factories.tournament(small, admin, versions) for _ in range(3)]
    with small.transaction() as session:
        session.execute(update(Tournament).values(format="comparison"))
        session.execute(update(Tournament).where(Tournament.id == cups[0]).values(state="paused"))
        session.execute(update(Tournament).where(Tournament.id == cups[1]).values(state="finished"))
        caps.check_comparisons(session, author.id)
        with pytest.raises(Refused, match="At most 2 comparisons of one member may run at a time, and 2 of yours do"):
            caps.check_comparisons(session, admin.id)
        session.execute(update(Tournament).where(Tournament.id == cups[2]).values(state="cancelled"))
        caps.check_comparisons(session, admin.id)
