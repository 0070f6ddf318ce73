"""Changes of leaders."""

from sqlalchemy import select, update

from arena.db.models import CurrentRating, Event, RatingCursor
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.ratings import leads
from tests import factories


def test_new_leader_is_an_event(arena: Arena, admin: Account) -> None:
    """The first leader is no event, another one is; a leaderboard without new results is not looked at."""
    field = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, field, "suitability-2")
    factories.play_all(arena, factories.table_ids(arena, cup))
    assert leads.note_changes(arena) == 1
    assert leads.note_changes(arena) == 0

    for best in (field[0], field[1], field[1]):
        with arena.transaction() as session:
            session.execute(update(CurrentRating).values(mu=20.0, sigma=1.0))
            session.execute(update(CurrentRating).where(CurrentRating.version_id == best).values(mu=40.0))
            session.execute(update(RatingCursor).values(folded=RatingCursor.folded + 1))
        assert leads.note_changes(arena) == 1
    with arena.reading() as session:
        found = session.scalars(select(Event).where(Event.kind == "leader.changed").order_by(Event.id)).all()
        assert found[-1].version_id == field[1]
        assert found[-1].data["variant"] == "suitability-2"
    with arena.transaction() as session:
        session.execute(update(RatingCursor).values(folded=RatingCursor.folded + 1))
        session.query(CurrentRating).delete()
    assert leads.note_changes(arena) == 1
