"""Dailies: the same deals for everybody, one attempt each, and nobody sees cards that they have yet to play."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from arena.db.models import LiveBoards, LiveSet, LiveTable
from arena.games.errors import NotFound, Refused
from arena.services.base.context import Arena
from arena.services.live import daily, results, tables
from arena.services.live.people import Person
from tests import factories

ANN, BEN = Person.stranger("ann"), Person.stranger("ben")
VARIANT = "separate-suits-4"

pytestmark = pytest.mark.usefixtures("house")


def today() -> date:
    """Return the day of this moment, because a run of all tests may last over midnight."""
    return datetime.now(UTC).date()


def age(arena: Arena, days: int) -> None:
    """Let today's dailies be those of an earlier day."""
    postdate(arena, days)
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(finished=LiveTable.finished - days * tables.DAY))


def postdate(arena: Arena, days: int) -> None:
    """Let the deals of all dailies be those of an earlier day, played today."""
    day = today() - timedelta(days)
    closes = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(1)
    with arena.transaction() as session:
        session.execute(update(LiveSet).values(day=day.isoformat(), closes=closes.timestamp()))


def test_everybody_plays_the_same_deals_once(arena: Arena) -> None:
    """The second visitor gets the deal of the first; a finished deal is followed by the next one."""
    first, again, other = (daily.open_next(arena, one, VARIANT) for one in (ANN, ANN, BEN))

    assert first == again
    with arena.reading() as session:
        assert tables.find(session, first).boards_id == tables.find(session, other).boards_id
        assert session.scalar(select(func.count()).select_from(LiveBoards)) == 1
    factories.play_live(arena, first)
    assert daily.open_next(arena, ANN, VARIANT) != first


def test_no_more_deals_than_a_day_has(arena: Arena) -> None:
    """After the last deal the person is told when new ones come."""
    for _ in range(daily.OTHERS):
        factories.play_live(arena, daily.open_next(arena, ANN, VARIANT))

    with pytest.raises(Refused, match="midnight"):
        daily.open_next(arena, ANN, VARIANT)
    found = {game.variant: game for game in daily.today(arena, ANN).games}[VARIANT]
    assert (found.done, found.deals, found.next) == (5, 5, None)


def test_others_see_the_cards_after_midnight(arena: Arena) -> None:
    """A link to a finished deal of today shows strangers no hands, and never how bots played it."""
    code = daily.open_next(arena, ANN, "suitability-4")
    factories.play_live(arena, code)

    assert blank(arena, BEN, code)
    assert not blank(arena, ANN, code)
    age(arena, 1)
    assert not blank(arena, BEN, code)
    with pytest.raises(NotFound):
        results.replay_of(arena, BEN, code, first_bot(arena, code))
    assert results.replay_of(arena, ANN, code, first_bot(arena, code))[0]


def blank(arena: Arena, person: Person, code: str) -> bool:
    """Return whether a table shows a person blank cards."""
    return any(card["token"].startswith("?") for card in tables.look(arena, person, code).replay["cards"])


def first_bot(arena: Arena, code: str) -> int:
    """Return the version of a bot in the field of a table."""
    with arena.reading() as session:
        return tables.find(session, code).boards.field[0].version_id


def test_results_show_others_when_the_day_is_over(arena: Arena) -> None:
    """Before, a person sees the own deals and the bots on them; after it everybody, and the seeds."""
    for person in (ANN, BEN):
        factories.play_live(arena, daily.open_next(arena, person, VARIANT))
    before = daily.results(arena, ANN, today(), VARIANT)
    stranger = daily.results(arena, Person.stranger("eve"), today(), VARIANT)

    age(arena, 1)
    after = daily.results(arena, ANN, today() - timedelta(1), VARIANT)

    assert [row.mine for row in before.rows if row.bot is None] == [True]
    assert [row for row in before.rows if row.bot is not None]
    assert stranger.rows == ()
    assert not before.seeds
    assert sum(row.bot is None for row in after.rows) == 2
    assert len(after.seeds) == 1


def test_late_deals_do_not_count(arena: Arena) -> None:
    """A deal that is finished after midnight is not among the results of its day."""
    factories.play_live(arena, daily.open_next(arena, ANN, VARIANT))
    postdate(arena, 1)

    result = daily.results(arena, ANN, today() - timedelta(1), VARIANT)

    assert [row for row in result.rows if row.bot is None] == []


def test_streak_counts_days_in_a_row(arena: Arena) -> None:
    """Yesterday's daily counts until today is over; a gap ends the streak."""
    factories.play_live(arena, daily.open_next(arena, ANN, VARIANT))
    assert daily.today(arena, ANN).streak == 1

    age(arena, 1)
    assert daily.today(arena, ANN).streak == 1
    age(arena, 2)
    assert daily.today(arena, ANN).streak == 0


def test_two_first_visitors_of_a_day_play_the_same_deals(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who makes the set of the day at the same time as another visitor gets the other's."""
    first, find, missed = daily.open_next(arena, ANN, VARIANT), daily._find, iter([None])
    monkeypatch.setattr(daily, "_find", lambda *given, **more: next(missed, find(*given, **more)))

    other = daily.open_next(arena, BEN, VARIANT)

    with arena.reading() as session:
        assert tables.find(session, first).boards_id == tables.find(session, other).boards_id


@pytest.mark.parametrize("variant", ["separate-suits-8", "nothing"])
def test_unknown_dailies_are_refused(arena: Arena, variant: str) -> None:
    """Only the first variant of each game has a daily."""
    with pytest.raises(NotFound):
        daily.open_next(arena, ANN, variant)
    with pytest.raises(NotFound):
        daily.results(arena, ANN, today(), variant)
