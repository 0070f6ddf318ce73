"""Sets of deals: a person's own, and those of a group, one attempt each, compared with bots and people at the end."""

import csv
import io
import time
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from arena.db.models import AuditEntry, LiveBoards, LiveField, LiveSet, LiveTable
from arena.games.errors import Conflict, Forbidden, NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.live import classes, learning, people, sets, tables, upkeep
from arena.services.live.people import Person
from arena.services.live.tables import Wish
from arena.services.people import groups
from tests import factories

ANN, BEN = Person.stranger("ann"), Person.stranger("ben")
WISH = Wish("separate-suits-4", strength="easy")
SOON = datetime.now(UTC) + timedelta(days=1)

pytestmark = pytest.mark.usefixtures("house")


@pytest.fixture
def idle(arena: Arena) -> Account:
    """A pupil whose real name is unknown."""
    return factories.user(arena, "idle")


@pytest.fixture
def group(arena: Arena, admin: Account, author: Account, idle: Account) -> int:
    """A class of two."""
    group = groups.create(arena, admin, "7b")
    with arena.transaction() as session:
        groups.put(session, group, author.id, "Ann Example")
        groups.put(session, group, idle.id)
    return group


@pytest.fixture
def assigned(arena: Arena, admin: Account, group: int) -> int:
    """A set of two deals for the class."""
    return classes.create(arena, admin, group, WISH, 2, SOON)


def set_of(arena: Arena, code: str) -> int:
    """Return the set of a table."""
    with arena.reading() as session:
        found = tables.find(session, code).boards.set_id
    assert found is not None
    return found


def play(arena: Arena, person: Person, set_id: int) -> str:
    """Play the next deal of a set, and return the code of its table."""
    code = sets.open_next(arena, person, set_id)
    factories.play_live(arena, code)
    return code


def blank(arena: Arena, code: str) -> bool:
    """Return whether a table shows blank cards to a stranger."""
    return any(card["token"].startswith("?") for card in tables.look(arena, ANN, code).replay["cards"])


def close(arena: Arena) -> None:
    """Let all sets of groups close now."""
    with arena.transaction() as session:
        session.execute(update(LiveSet).values(closes=time.time()))


def test_own_set_is_five_deals_against_the_same_bots(arena: Arena) -> None:
    """Each deal has other cards; after the last one there is no next one, and the seeds are shown."""
    codes = [sets.open_own(arena, ANN, WISH)]
    found = set_of(arena, codes[0])
    factories.play_live(arena, codes[0])
    assert sets.unfinished(arena, ANN)[0].next == 2
    assert not sets.results(arena, ANN, found).seeds
    codes += [play(arena, ANN, found) for _ in range(4)]

    with pytest.raises(Refused, match="played all"):
        sets.open_next(arena, ANN, found)

    result = sets.results(arena, ANN, found)
    with arena.reading() as session:
        boards = [tables.find(session, code).boards for code in codes]
        assert len({one.seed for one in boards}) == 5
        assert len({tuple(bot for bot in one.bots if bot) for one in boards}) == 1
    assert len(result.seeds) == len(result.commitments) == 5
    assert sets.unfinished(arena, ANN) == []
    assert result.mine is not None
    assert (result.mine.whole, len(result.mine.beaten)) == (True, 5)
    assert result.mine.share == pytest.approx(sum(one or 0 for one in result.mine.beaten) / 5)
    assert {len(row.points) for row in result.rows if row.bot} == {5}


def test_begun_deal_is_continued(arena: Arena) -> None:
    """The next deal begins only when the last one is finished."""
    code = sets.open_own(arena, ANN, WISH)

    assert sets.open_next(arena, ANN, set_of(arena, code)) == code


def test_own_set_is_the_persons_alone(arena: Arena, author: Account) -> None:
    """Others neither play nor see it; it moves to the account with the guest's seats."""
    found = set_of(arena, sets.open_own(arena, ANN, WISH))
    with pytest.raises(NotFound):
        sets.open_next(arena, BEN, found)
    with pytest.raises(NotFound):
        sets.results(arena, None, found)

    people.adopt(arena, "ann", author)

    assert sets.results(arena, Person.member(author), found).set.begun


def test_sets_allow_no_undo_and_no_hints(arena: Arena) -> None:
    """Results of a set are for comparison."""
    code = sets.open_own(arena, ANN, WISH)

    for verb in (learning.undo, learning.hint):
        with pytest.raises(Conflict, match="sets of deals"):
            verb(arena, ANN, code)


def test_earlier_of_two_attempts_counts(arena: Arena, author: Account, assigned: int) -> None:
    """A deal that was played as a guest and again as a member counts once, by the first attempt."""
    member = Person.member(author)
    first = play(arena, member, assigned)
    with arena.transaction() as session:
        boards = tables.find(session, first).boards
        tables.find(session, first).seats[boards.bots.index(None)].score = 77
        again = tables.seat_people(session, boards, {boards.bots.index(None): member})
    factories.play_live(arena, again)

    assert [row.points[0] for row in sets.results(arena, member, assigned).rows if row.mine] == [77]


def test_members_play_the_same_deals_until_the_set_closes(
    arena: Arena, author: Account, idle: Account, assigned: int
) -> None:
    """Only members of the group play and see them, each deal once, and none after the deadline."""
    codes = [play(arena, Person.member(one), assigned) for one in (author, idle)]
    with arena.reading() as session:
        assert len({tables.find(session, code).boards_id for code in codes}) == 1
    for stranger in (ANN, None):
        with pytest.raises(NotFound):
            sets.results(arena, stranger, assigned)
    with pytest.raises(NotFound):
        sets.open_next(arena, ANN, assigned)

    close(arena)

    with pytest.raises(Refused, match="closed"):
        sets.open_next(arena, Person.member(idle), assigned)
    assert sets.unfinished(arena, Person.member(idle)) == []


def test_members_see_others_after_the_deadline(
    arena: Arena, admin: Account, author: Account, idle: Account, group: int
) -> None:
    """Before, a member sees the own deals and the bots on them; after it everybody by account name, and the seeds."""
    assigned = classes.create(arena, admin, group, Wish("suitability-4", strength="easy"), 2, SOON)
    me = Person.member(author)
    code = play(arena, me, assigned)
    for _ in range(2):
        play(arena, Person.member(idle), assigned)

    before = sets.results(arena, me, assigned, author)
    assert [row.name for row in before.rows if row.bot is None] == ["author"]
    assert {row.points[1] for row in before.rows} == {None}
    assert not before.seeds
    assert blank(arena, code)

    close(arena)

    after = sets.results(arena, me, assigned, author)
    assert {row.name for row in after.rows if row.bot is None} == {"author", "idle"}
    assert {row.real_name for row in after.rows} == {""}
    assert len(after.seeds) == 2
    assert not blank(arena, code)


def test_organiser_sees_the_class_at_once(arena: Arena, admin: Account, author: Account, assigned: int) -> None:
    """All members are listed with their real names, also those who have not played."""
    play(arena, Person.member(author), assigned)

    result = sets.results(arena, Person.member(admin), assigned, admin)

    rows = {row.name: row for row in result.rows if row.bot is None}
    assert rows.keys() == {"author", "idle"}
    assert (rows["author"].real_name, rows["idle"].whole) == ("Ann Example", False)
    assert (result.staff, result.set.next) == (True, None)


def test_results_of_a_class_are_a_sheet(
    arena: Arena, admin: Account, author: Account, assigned: int, group: int
) -> None:
    """Each member has a line with points by deal, total and share of the field; deals that are missing are empty."""
    code = play(arena, Person.member(author), assigned)
    with arena.transaction() as session:
        boards = tables.find(session, code).boards
        tables.find(session, code).seats[boards.bots.index(None)].score = 5
        session.execute(update(LiveField).values(score=4))
    formula = factories.user(arena, "formula")
    with arena.transaction() as session:
        groups.put(session, group, formula.id, "=1+1")

    found = list(csv.reader(io.StringIO(classes.sheet(arena, admin, assigned).lstrip("\ufeff"))))

    assert found == [
        ["account", "real_name", "deal_1", "deal_2", "total", "field_beaten"],
        ["formula", "'=1+1", "", "", "", ""],
        ["author", "Ann Example", "5", "", "5", "1.0"],
        ["idle", "", "", "", "", ""],
    ]


def test_results_of_those_who_left_stay(
    arena: Arena, admin: Account, author: Account, assigned: int, group: int
) -> None:
    """A former member keeps the results, under the account's name alone."""
    play(arena, Person.member(author), assigned)

    groups.remove(arena, admin, group, author.id)

    rows = {row.name: row for row in sets.results(arena, None, assigned, admin).rows if row.bot is None}
    assert (rows["author"].real_name, rows["author"].points[0] is None) == ("", False)


def test_late_and_abandoned_deals_do_not_count(arena: Arena, author: Account, assigned: int) -> None:
    """A deal that is finished after the deadline, or that ended without a result, has no points."""
    me = Person.member(author)
    play(arena, me, assigned)
    code = sets.open_next(arena, me, assigned)
    with arena.transaction() as session:
        table = tables.find(session, code)
        table.state, table.finished = "abandoned", table.created
    assert sets.results(arena, me, assigned).rows[0].points[1] is None

    with arena.transaction() as session:
        session.execute(update(LiveTable).values(finished=SOON.timestamp() + 1))

    assert sets.results(arena, me, assigned).mine is None


@pytest.mark.parametrize(
    ("deals", "closes", "message"),
    [(0, SOON, "1 to 10 deals, not 0"), (11, SOON, "not 11"), (5, datetime(2020, 1, 1, tzinfo=UTC), "in the future")],
)
def test_impossible_sets_are_refused(
    arena: Arena, admin: Account, group: int, deals: int, closes: datetime, message: str
) -> None:
    """A set has a number of deals that a class can play, and a deadline to come."""
    with pytest.raises(Refused, match=message):
        classes.create(arena, admin, group, WISH, deals, closes)


def test_only_organisers_make_and_delete_sets(arena: Arena, author: Account, group: int, assigned: int) -> None:
    """Neither do members get the sheet with real names."""
    for act in (
        lambda: classes.create(arena, author, group, WISH, 5, SOON),
        lambda: classes.delete(arena, author, assigned),
        lambda: classes.close_at(arena, author, assigned, SOON),
        lambda: classes.sheet(arena, author, assigned),
    ):
        with pytest.raises(Forbidden):
            act()


def test_set_is_deleted_only_while_nobody_has_begun(
    arena: Arena, admin: Account, author: Account, group: int, assigned: int
) -> None:
    """Results stay with their set, and a group with its sets; both deeds are in the audit log."""
    other = classes.create(arena, admin, group, WISH, 3, SOON)
    sets.open_next(arena, Person.member(author), other)
    with pytest.raises(Conflict, match="have begun"):
        classes.delete(arena, admin, other)

    classes.delete(arena, admin, assigned)

    with pytest.raises(Conflict, match="a set of deals is for this group"):
        groups.delete(arena, admin, group)
    assert [one.id for one in classes.sets_for(arena, author)] == [other]
    with arena.reading() as session:
        notes = session.scalars(select(AuditEntry.action).where(AuditEntry.subject == f"set {assigned}")).all()
    assert notes == ["made a set of deals", "deleted a set of deals"]


def test_sets_are_listed_for_those_who_may_see_them(
    arena: Arena, admin: Account, author: Account, group: int, assigned: int
) -> None:
    """Members see the sets of their groups, the latest deadline first; organisers see all."""
    later = classes.create(arena, admin, group, WISH, 1, SOON + timedelta(1))
    stranger = factories.user(arena, "stranger")
    sets.open_own(arena, Person.member(author), WISH)

    assert [one.id for one in classes.sets_for(arena, author)] == [later, assigned]
    assert [one.id for one in classes.sets_for(arena, admin, group)] == [later, assigned]
    assert classes.sets_for(arena, admin, group + 1) == classes.sets_for(arena, stranger) == []
    assert [one.phase for one in classes.sets_for(arena, author)] == ["open", "open"]


def test_own_sets_of_guests_are_deleted_with_their_tables(arena: Arena, author: Account, assigned: int) -> None:
    """Sets of groups stay, also those of which nobody has begun a deal."""
    sets.open_own(arena, ANN, WISH)
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(touched=LiveTable.touched - 2 * upkeep.KEPT))
        session.execute(update(LiveBoards).values(created=LiveBoards.created - 2 * upkeep.KEPT))

    upkeep.tidy(arena)

    with arena.reading() as session:
        assert session.scalars(select(LiveSet.id)).all() == [assigned]
        assert session.scalar(select(func.count()).select_from(LiveBoards)) == 0


def test_share_counts_equal_results_half() -> None:
    """Without points or others there is nothing to compare."""
    assert sets.share(3, [1, 3, 5, None]) == 0.5
    assert sets.share(None, [1]) is None
    assert sets.share(3, [None]) is None
