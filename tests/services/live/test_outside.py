"""Programs outside: questions, events and results, while a host plays their tables."""

from collections.abc import Iterator

import pytest
from sqlalchemy import select, update

from arena.db.models import LiveField, LiveMove, LiveSeat, LiveTable
from arena.games.errors import Conflict, Forbidden, Refused
from arena.games.registry import VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.bots.house import ensure_house
from arena.services.live import outside, positions, tables
from arena.services.live.changes import Changes
from arena.services.live.outside import NewLiveTable, OutsideQuestion, OutsideSeats
from arena.services.live.people import Person
from tests import factories
from tests.services.live.people import heard, logged, seated
from tests.services.live.test_host import hosting

VARIANT = "separate-suits-2"


@pytest.fixture
def account(arena: Arena) -> Account:
    """A member whose programs play."""
    ensure_house(arena)
    return factories.user(arena, "ada")


def opened(arena: Arena, account: Account, variant: str = VARIANT, length: str = "deal") -> str:
    """Open a table for a program."""
    return outside.open_table(arena, account, NewLiveTable(variant=variant, length=length))


def course(arena: Arena, account: Account) -> Iterator[OutsideSeats]:
    """Yield the answers up to the end of all tables, while the last legal action is played."""
    cursor, over = "", False
    while not over:
        found = heard(arena, Person.program_of(account), cursor, 20.0)
        yield found
        for one in found.questions:
            tables.move(arena, Person.program_of(account), one.table, one.number, one.view["legal"][-1])
        cursor, over = found.cursor, not found.cursor


@pytest.mark.parametrize("variant", VARIANTS)
def test_program_sees_a_whole_match_once(arena: Arena, account: Account, variant: str) -> None:
    """Events since the cursor are those of its seat, none twice; the last answer has the rest and the result."""
    code, seen = opened(arena, account, variant), []
    with hosting(arena):
        for found in course(arena, account):
            seen += [event for asked in found.questions for event in asked.events]
            seen += [event for over in found.over for event in over.events]

    (result,) = found.over
    with arena.reading() as session:
        table = tables.find(session, code)
        rules = positions.rules_of(table.boards)
        draw = positions.drawer(rules, table.boards.seed)
        at = positions.position(rules, draw, positions.log_of(session, table.id))
        assert seen == [event.for_seat(result.seat) for event in at.events_since(outside.NOTHING)]
        assert result.scores == tuple(seat.score for seat in table.seats)
        assert session.scalar(select(LiveField.version_id)) is None  # no bots play its boards
    assert (result.table, result.state, result.problem) == (code, LiveState.FINISHED, None)


def first(arena: Arena, account: Account, after: str = "") -> OutsideQuestion:
    """Return the only open question."""
    (question,) = heard(arena, Person.program_of(account), after, 20.0).questions
    return question


def test_program_without_a_cursor_gets_everything_again(arena: Arena, account: Account) -> None:
    """The question is the same, with all events since the start; so it is for a cursor that is none."""
    opened(arena, account)
    with hosting(arena):
        one = first(arena, account)
        tables.move(arena, Person.program_of(account), one.table, one.number, one.view["legal"][0])
        since = first(arena, account, f"{one.table}:{one.number}")
        whole = first(arena, account)

    assert since.number == whole.number > one.number
    assert since.view == whole.view
    assert whole.events[: len(one.events)] == one.events
    assert whole.events[-len(since.events) :] == since.events
    assert first(arena, account, "x" * 900 + ":1") == whole


def test_known_question_is_waited_out(arena: Arena, account: Account) -> None:
    """It is answered all the same, after the time: it is still open."""
    opened(arena, account)
    with hosting(arena):
        found = heard(arena, Person.program_of(account), "", 20.0)

    again = heard(arena, Person.program_of(account), found.cursor, 0.3)
    assert again.questions[0].number == found.questions[0].number


def test_bad_moves_change_nothing(arena: Arena, account: Account) -> None:
    """An illegal action is refused with the legal ones; another move for an answered question is a conflict."""
    code = opened(arena, account)
    with hosting(arena):
        one = first(arena, account)
        legal = one.view["legal"]
        with pytest.raises(Refused, match=f"'XX' is not allowed now. Allowed: {' '.join(legal)}"):
            tables.move(arena, Person.program_of(account), code, one.number, "XX")
        with pytest.raises(Conflict, match="Your next move has the number"):
            tables.move(arena, Person.program_of(account), code, one.number + 1, legal[0])
        assert first(arena, account) == one
        for _ in range(3):
            tables.move(arena, Person.program_of(account), code, one.number, legal[0])
        with pytest.raises(Conflict, match=f"Move {one.number} was made already: {legal[0]}"):
            tables.move(arena, Person.program_of(account), code, one.number, legal[1])

    assert [token for number, _, token in logged(arena, code) if number == one.number] == [legal[0]]


def test_program_and_its_member_are_apart(arena: Arena, account: Account) -> None:
    """Neither moves for the other, nor sees its cards; to others the program has its member's name."""
    code = opened(arena, account)
    member, eve = Person.member(account), factories.user(arena, "eve")
    with hosting(arena):
        one = first(arena, account)
        for stranger in (member, Person.member(eve), Person.program_of(eve)):
            with pytest.raises(Forbidden):
                tables.move(arena, stranger, code, one.number, one.view["legal"][0])
            assert tables.look(arena, stranger, code).seat is None
    assert heard(arena, Person.program_of(eve), "", 0.0) == OutsideSeats("", (), ())
    assert one.seats[one.seat] == "ada's program"
    with arena.reading() as session:
        own = session.scalars(select(LiveSeat).where(LiveSeat.user_id == account.id)).one()
        assert own.program
        assert session.scalars(select(LiveSeat).where(member.sits())).all() == []


def test_own_tables_at_most_eight(arena: Arena, account: Account) -> None:
    """A program's tables are counted apart from its member's."""
    for _ in range(tables.OPEN):
        opened(arena, account)

    with pytest.raises(Refused, match="You have 8 tables that are not finished"):
        opened(arena, account)
    tables.open_table(arena, Person.member(account), tables.Wish(VARIANT))


def test_table_that_the_arena_gave_up_is_over(arena: Arena, account: Account) -> None:
    """The program hears why, once, and has no result."""
    code = opened(arena, account)
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(state=LiveState.FAILED, problem="the disk is full"))

    (over,) = heard(arena, Person.program_of(account), f"{code}:0", 0.0).over
    assert (over.state, over.problem, over.scores, over.ranks) == (LiveState.FAILED, "the disk is full", None, None)
    assert heard(arena, Person.program_of(account), "", 0.0).over == ()


def test_changes_name_the_programs_with_news(arena: Arena, account: Account) -> None:
    """A move is news for the program that it is up to then; a new table and its end are for all there, once."""
    changes, eve = Changes(arena), factories.user(arena, "eve")
    people = {one.key: one for one in map(Person.program_of, (account, eve))}
    assert not changes()

    code = seated(arena, VARIANT, list(people.values()))
    assert changes() == people.keys()
    assert not changes()
    for _ in range(4):
        questions = {key: outside.look(arena, person, "").questions for key, person in people.items()}
        mover = next(key for key, asked in questions.items() if asked)
        (one,) = questions[mover]
        tables.move(arena, people[mover], code, one.number, one.view["legal"][0])
        assert changes() == {key for key, person in people.items() if outside.look(arena, person, "").questions}
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(state=LiveState.FAILED))
    assert changes() == people.keys()
    factories.user(arena, "fay")
    assert not changes()


def test_waiting_program_keeps_its_table_alive(arena: Arena, account: Account) -> None:
    """The host plays tables at which somebody is, and a program that asks is."""
    code = opened(arena, account)
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(touched=1.0))

    heard(arena, Person.program_of(account), "", 0.0)

    with arena.reading() as session:
        assert tables.find(session, code).touched > 1.0
        assert session.scalars(select(LiveMove)).all() == []
