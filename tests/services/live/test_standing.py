"""How people fare against the field, what they see of it, and what becomes of a guest's seats."""

import pytest
from sqlalchemy import func, select, update

from arena.db.models import LiveBoards, LiveField, LiveMove, LiveSeat, LiveSet, LiveTable, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.bots import actions as bots
from arena.services.live import pages, people, results, standing, styles, tables, upkeep
from arena.services.live.people import Person
from arena.services.live.tables import Wish
from tests import factories

ANN = Person.stranger("ann")
VARIANT = "separate-suits-4"

pytestmark = pytest.mark.usefixtures("house")


def play(arena: Arena, person: Person = ANN, own: int = 5, field: int = 3) -> str:
    """Play a table, and set the person's points and those of every bot. Returns the code."""
    code = tables.open_table(arena, person, Wish(VARIANT))
    factories.play_live(arena, code)
    with arena.transaction() as session:
        table = tables.find(session, code)
        session.execute(update(LiveSeat).where(LiveSeat.table_id == table.id, person.sits()).values(score=own))
        session.execute(update(LiveField).where(LiveField.boards_id == table.boards_id).values(score=field))
    return code


def test_points_above_the_field_have_an_interval(arena: Arena) -> None:
    """Each deal counts by its difference from the mean of the bots on the same boards."""
    for own in (5, 4, 3):
        play(arena, own=own)

    (found,) = standing.standings_of(arena, ANN)

    assert found.above == (2, 1, 0)
    assert found.mean == 1
    assert found.course == [2, 1.5, 1]
    assert found.error == pytest.approx(1.96 / 3**0.5)


def test_single_deal_has_no_interval_and_help_does_not_count(arena: Arena) -> None:
    """Neither do tables with undone moves or hints."""
    _, hinted, undone = (play(arena) for _ in range(3))
    with arena.transaction() as session:
        session.execute(update(LiveTable).where(LiveTable.code == hinted).values(hints=1))
        session.execute(update(LiveTable).where(LiveTable.code == undone).values(undone=1))

    (found,) = standing.standings_of(arena, ANN)

    assert (found.deals, found.error) == (1, None)


def test_result_compares_with_the_field(arena: Arena) -> None:
    """A person who beats every bot beats the whole field; others see no result."""
    code = play(arena)

    found = results.result(arena, ANN, code)

    assert found is not None
    assert (found.score, found.mean, found.beaten, found.waiting) == (5, 3, 1, 0)
    assert results.result(arena, Person.stranger("eve"), code) is None


def test_only_members_who_want_it_are_listed(arena: Arena, author: Account) -> None:
    """A member is on the list of people from ten dailies on, and only if the member asked for it."""
    for _ in range(standing.LISTED):
        play(arena, Person.member(author))
    with arena.transaction() as session:
        daily = LiveSet(variant=VARIANT, deals=standing.LISTED, bots=[], day="2026-01-02", closes=1.0)
        for number, boards in enumerate(session.scalars(select(LiveBoards))):
            boards.set, boards.number = daily, number
    assert standing.people(arena, VARIANT) == ()
    assert not standing.is_listed(arena, author)

    standing.list_me(arena, author, True)

    (row,) = standing.people(arena, VARIANT)
    assert (row.name, row.standing.mean) == ("author", 2)


def test_seats_of_a_guest_move_to_the_account(arena: Arena, author: Account) -> None:
    """What was played before the registration belongs to the member."""
    code = play(arena)

    people.adopt(arena, "ann", author)

    assert tables.look(arena, Person.member(author), code).seat is not None
    assert tables.look(arena, ANN, code).seat is None
    assert [row.code for row in pages.tables_of(arena, Person.member(author))] == [code]


def test_author_sees_tables_with_the_bot_and_may_switch_it_off(arena: Arena, author: Account) -> None:
    """A bot that is switched off for people is met no more."""
    factories.bot(arena, author, "mine", factories.FIRST)
    code = tables.open_table(arena, ANN, Wish("suitability-4", bots=("mine",)))
    factories.play_live(arena, code)
    with arena.reading() as session:
        bot = next(seat.version.bot_id for seat in tables.find(session, code).seats if seat.version)

    bots.set_plays_people(arena, author, bot, False)

    assert {row.code for row in pages.tables_with(arena, bot)} == {code}
    with pytest.raises(Exception, match="mine does not play"):
        tables.open_table(arena, ANN, Wish("suitability-4", bots=("mine",)))


@pytest.mark.parametrize(
    ("variant", "ranks", "ahead"),
    [("suitability-4", (1, 2, 2, 4), 0.5), ("suitability-4-partners", (1, 2, 1, 2), 1.0)],
)
def test_author_sees_how_the_bot_fares_against_people(
    arena: Arena, author: Account, variant: str, ranks: tuple[int, ...], ahead: float
) -> None:
    """Every person at a finished table counts, equal ranks half; a partner in the bot's team does not."""
    version = factories.bot(arena, author, "mine", factories.FIRST)
    with arena.reading() as session:
        bot = session.get_one(Version, version).bot_id
    assert pages.record_with(arena, bot) == pages.MetRecord(0, None)
    code = tables.open_table(arena, ANN, Wish(variant, bots=("mine",)))
    factories.play_live(arena, code)
    with arena.transaction() as session:
        table = tables.find(session, code)
        person = next(seat for seat in table.seats if not seat.version)
        for seat in table.seats:
            seat.rank = ranks[(seat.seat - person.seat + 1) % 4]

    assert pages.record_with(arena, bot) == pages.MetRecord(1, ahead)


def test_abandoned_tables_end_and_those_of_guests_are_deleted(arena: Arena, author: Account) -> None:
    """After a week without a person a match ends without a result; a member's results stay."""
    open_, old, own = tables.open_table(arena, ANN, Wish(VARIANT)), play(arena), play(arena, Person.member(author))
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(touched=LiveTable.touched - upkeep.ABANDONED_AFTER - 1))
    upkeep.tidy(arena)
    assert tables.look(arena, ANN, open_).state == LiveState.ABANDONED
    assert tables.look(arena, ANN, old).state == LiveState.FINISHED

    with arena.transaction() as session:
        session.execute(update(LiveTable).values(touched=LiveTable.touched - upkeep.KEPT))
        session.execute(update(LiveBoards).values(created=LiveBoards.created - 2 * upkeep.KEPT))
    upkeep.tidy(arena)

    with arena.reading() as session:
        assert session.scalars(select(LiveTable.code)).all() == [own]
        for model in (LiveSeat, LiveMove, LiveField, LiveBoards):
            assert session.scalar(select(func.count()).select_from(model))
        assert session.scalar(select(func.count()).select_from(LiveBoards)) == 1
    upkeep.tidy(arena)


def test_choices_count_where_bots_differ_up_to_the_first_difference() -> None:
    """A choice on which all agree does not count, nor does anything after the first difference."""
    mine = [[0, "a"], [1, "x"], [0, "b"], [0, "c"]]
    others = {
        7: [[0, "a"], [1, "x"], [0, "b"], [0, "d"]],
        8: [[0, "a"], [1, "x"], [0, "z"], [0, "c"]],
        9: [[0, "a"], [1, "y"], [0, "b"], [0, "c"]],
    }

    assert styles.agreement(mine, others, 0) == {7: (1, 2), 8: (0, 1)}


def test_person_plays_like_the_bot_that_chooses_the_same(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The closest bot is named with the number of choices; too few choices tell nothing."""
    code = tables.open_table(arena, ANN, Wish(VARIANT))
    factories.play_live(arena, code)
    assert styles.styles_of(arena, ANN) == {}

    monkeypatch.setattr(styles, "FEWEST", 1)
    style = styles.styles_of(arena, ANN)[VARIANT]

    assert style.same == style.choices > 0
    assert style.name in {row.name for row in found(arena, code)}


def found(arena: Arena, code: str) -> tuple[results.FieldRow, ...]:
    """Return the field of Ann's match."""
    result = results.result(arena, ANN, code)
    assert result is not None
    return result.field
