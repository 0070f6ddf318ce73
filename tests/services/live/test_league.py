"""Bots outside the arena: declared, ready, seated by ladders, and rated in a division of their own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from sqlalchemy import func, select, update

from arena.db.clock import now
from arena.db.models import (
    Bot,
    CurrentRating,
    Entry,
    LiveField,
    LiveMove,
    LiveSeat,
    LiveTable,
    Match,
    MatchSeat,
    Notice,
    Presence,
    Table,
    TableSeat,
    Tournament,
    Version,
)  # fmt: skip
from arena.games.errors import Conflict, Forbidden, OptionError, Refused
from arena.match import record
from arena.match.replay import verify
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState, TableState, VersionState
from arena.services.bots import actions
from arena.services.bots.declared import OpenBot, declaration_of, declare
from arena.services.bots.house import ensure_house
from arena.services.bots.views import Declaration
from arena.services.comparisons import actions as comparisons
from arena.services.formats.plans import Plan
from arena.services.formats.presence import READY_FOR
from arena.services.integrity import fsck
from arena.services.ladders.actions import start_missing
from arena.services.ladders.pages import ladder_page
from arena.services.live import clocks, league, outside, presence, tables, upkeep
from arena.services.live.outside import OutsideResult
from arena.services.live.presence import Ready
from arena.services.numbers import home
from arena.services.queue import claims
from arena.services.tables.pages import table_page
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import calls, stages, starts
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.rejudgements import rejudge
from arena.services.trials import actions as trials
from arena.services.trials.views import NewTrial
from arena.services.versions import pages as versions
from tests import factories
from tests.cli.processes import until
from tests.services.live.people import heard
from tests.services.live.test_host import hosting

VARIANT = "separate-suits-2"
QUICK = f"{VARIANT}-quick"


@pytest.fixture
def ada(arena: Arena) -> Account:
    """An author of bots outside the arena."""
    ensure_house(arena)
    return factories.user(arena, "ada")


def ready(arena: Arena, account: Account, name: str, number: int = 1, division: str = "quick") -> int:
    """Declare a bot that offers a number of tables. Returns its ID."""
    made = declare(arena, account, OpenBot(name=name, division=division))  # type: ignore[arg-type]
    presence.offer(arena, account, Ready(bot=name, tables=number, variants=[VARIANT]))
    return made.bot_id


def draw(arena: Arena) -> None:
    """Start missing ladders, and let all draw tables."""
    start_missing(arena)
    stages.advance_all(arena)


def play(arena: Arena, account: Account, name: str, matches: int = 1) -> None:
    """Play the last legal action until so many tables are over."""
    person, cursor, over = outside.person_of(arena, account, name), "", 0
    while over < matches:
        found = heard(arena, person, cursor, 20.0)
        for one in found.questions:
            tables.move(arena, person, one.table, one.number, one.view["legal"][-1])
        cursor, over = found.cursor, over + len(found.over)


def seated(arena: Arena, bot: int) -> int:
    """Return the number of tables of tournaments that seat a bot."""
    with arena.reading() as session:
        own = select(func.count()).select_from(TableSeat).join(TableSeat.version).where(Version.bot_id == bot)
        return session.scalars(own).one()


def test_table_at_play_is_running(arena: Arena, ada: Account) -> None:
    """Pages and lists say so; a table that waits is queued."""
    ready(arena, ada, "comet")
    draw(arena)
    with arena.reading() as session:
        ladder = session.scalars(select(Tournament.id).where(Tournament.outside, Tournament.variant == QUICK)).one()
    waiting = tournament_pages.tables(arena, ladder, state="queued").total

    league.open_tables(arena, 1)

    (running,) = tournament_pages.tables(arena, ladder, state="running").tables
    assert running.state == table_page(arena, running.id).state == "running"
    assert tournament_pages.tables(arena, ladder, state="queued").total == waiting - 1
    assert tournament_pages.page(arena, ladder).tables_running == 1
    page = ladder_page(arena, QUICK)
    assert page.waiting == waiting - 1
    assert running.id not in [one.id for one in page.due]
    assert [one.table.id for one in home.home(arena).playing] == [running.id]


def test_ready_bot_is_seated_played_and_rated(arena: Arena, ada: Account) -> None:
    """The result is one of the ladder of the division: record, rating, replay and attempt are like those of others."""
    bot = ready(arena, ada, "comet")
    draw(arena)

    with hosting(arena):
        play(arena, ada, "comet")

    with arena.reading() as session:
        table = session.scalars(select(Table).where(Table.state == TableState.DONE).order_by(Table.id).limit(1)).one()
        match = session.scalars(select(Match).where(Match.table_id == table.id)).one()
        verify(record.encode(record.unpack(match.record)))
        rated = select(CurrentRating.variant).join(Version, Version.id == CurrentRating.version_id)
        assert table.tournament.variant == QUICK
        assert set(session.scalars(rated.where(Version.bot_id == bot))) == {QUICK}
        assert {seat.fault for seat in match.seats} == {None}
        caged = select(func.count()).select_from(CurrentRating).where(CurrentRating.variant == VARIANT)
        assert session.scalar(caged) == 0
    assert [str(one) for one in fsck.check(arena)] == []


def test_bots_of_the_field_play_the_boards_of_a_program(arena: Arena, ada: Account) -> None:
    """Programs have a memory, so they are compared in the same seat as people are."""
    ready(arena, ada, "comet")
    draw(arena)

    with hosting(arena):
        play(arena, ada, "comet")

    with arena.reading() as session:
        assert session.scalars(select(func.count()).select_from(LiveField)).one() >= 1
        table = session.scalars(select(LiveTable).order_by(LiveTable.id).limit(1)).one()
        assert table.boards.bots.count(None) == 1
        assert table.boards.seed


def test_bot_gets_as_many_tables_as_it_offers(arena: Arena, ada: Account) -> None:
    """Over all variants, however often ladders draw; none without an offer, and none once it is silent."""
    made = declare(arena, ada, OpenBot(name="comet")).bot_id
    draw(arena)
    assert seated(arena, made) == 0

    presence.offer(arena, ada, Ready(bot="comet", tables=3))
    for _ in range(3):
        draw(arena)
    assert seated(arena, made) == 3

    with arena.transaction() as session:
        session.execute(update(Presence).values(tables=9, seen=Presence.seen - READY_FOR - 1))
    draw(arena)
    assert seated(arena, made) == 3


def test_two_programs_may_meet(arena: Arena, ada: Account) -> None:
    """Neither is seated beyond its offer, though it would fill the place beside the other."""
    bots = [ready(arena, ada, "comet", 4), ready(arena, factories.user(arena, "ben"), "meteor", 1)]

    for _ in range(3):
        draw(arena)

    assert [seated(arena, bot) for bot in bots] == [4, 1]


def test_divisions_are_apart(arena: Arena, ada: Account) -> None:
    """A slow bot sits at slow tables; a bot keeps its division, and an uploaded one stays in the cage."""
    bot = ready(arena, ada, "glacier", division="slow")
    factories.bot(arena, ada, "caged")
    draw(arena)

    with arena.reading() as session:
        seats = select(Tournament.variant).join(Table).join(TableSeat).join(TableSeat.version)
        assert set(session.scalars(seats.where(Version.bot_id == bot))) == {f"{VARIANT}-slow"}
    with pytest.raises(Refused, match="plays in the division slow"):
        declare(arena, ada, OpenBot(name="glacier", division="quick"))
    with pytest.raises(Refused, match="plays in the cage"):
        declare(arena, ada, OpenBot(name="caged"))
    with pytest.raises(Refused, match="runs outside the arena"):
        actions.upload_version(arena, ada, bot, factories.FIRST)


def test_equal_declarations_are_one_version(arena: Arena, ada: Account) -> None:
    """A client declares its bot at each start; what changed makes a version, with what the author says."""
    first = declare(arena, ada, OpenBot(name="comet", commit="1a2b"))
    again = declare(arena, ada, OpenBot(name="Comet".lower(), commit="1a2b"))
    second = declare(arena, ada, OpenBot(name="comet", commit="3c4d", model="m-1", cost="0.02 USD"))

    assert (again, second.number) == (first, 2)
    with arena.reading() as session:
        version = session.get_one(Version, second.version_id)
        assert version.state == VersionState.DECLARED
        assert declaration_of(version) == Declaration("3c4d", "m-1", "0.02 USD")
        assert session.get_one(Bot, first.bot_id).active_version_id == second.version_id


def test_only_the_team_lets_a_bot_play(arena: Arena, ada: Account) -> None:
    """Strangers can neither declare, offer, ask nor move for it."""
    ready(arena, ada, "comet")
    eve = factories.user(arena, "eve")

    for act in (
        lambda: declare(arena, eve, OpenBot(name="comet")),
        lambda: presence.offer(arena, eve, Ready(bot="comet", tables=9)),
        lambda: outside.person_of(arena, eve, "comet"),
    ):
        with pytest.raises(Forbidden, match="not your bot"):
            act()
    with pytest.raises(Refused, match="not played in the open divisions"):
        presence.offer(arena, ada, Ready(bot="comet", variants=["suitability-4-partners"]))


@contextmanager
def quick_clock(arena: Arena, clock: float, bank: float) -> Iterator[None]:
    """Run a host that opens tables with these times instead of those of the division."""
    from arena.games import divisions

    kept = divisions.DIVISIONS["quick"]
    divisions.DIVISIONS["quick"] = kept._replace(move=clock, bank=bank)
    try:
        with hosting(arena):
            yield
    finally:
        divisions.DIVISIONS["quick"] = kept


def test_silent_program_loses_its_seat_not_the_table(arena: Arena, ada: Account) -> None:
    """Two moves are made for it, with the third it has failed, and the match ends."""
    ready(arena, ada, "comet")
    draw(arena)
    person = outside.person_of(arena, ada, "comet")

    with quick_clock(arena, 0.1, 0.2):
        code, cursor = "", ""
        while not code:
            found = heard(arena, person, cursor, 20.0)
            code = next((one.table for one in found.questions), "")
        over: Sequence[OutsideResult] = ()
        while not over:
            over = heard(arena, person, f"{code}:0", 20.0).over

    with arena.reading() as session:
        late = select(func.count()).select_from(LiveMove).where(LiveMove.late)
        assert session.scalar(late) == clocks.LATE - 1
        failed = session.scalars(select(MatchSeat).where(MatchSeat.fault.is_not(None))).one()
        assert (failed.fault, failed.rank) == ("timeout", 2)
        assert presence.times_of(session, session.scalars(select(Bot.id).where(Bot.name == "comet")).one()).late == 2
    with pytest.raises(Conflict, match="over"):
        tables.move(arena, person, code, 999, "2")


def is_held(arena: Arena) -> bool:
    """Return whether a host has taken the only table."""
    with arena.reading() as session:
        return session.scalar(select(LiveTable.resumed)) is not None


def test_bank_pays_for_slow_moves(arena: Arena, ada: Account) -> None:
    """Each second beyond the time of a move is taken from the bank of the match; a question says what is left."""
    ready(arena, ada, "comet")
    draw(arena)

    with hosting(arena):
        person = outside.person_of(arena, ada, "comet")
        (first,) = heard(arena, person, "", 20.0).questions
        until(lambda: is_held(arena), "a host plays the table")
        with arena.transaction() as session:
            session.execute(update(LiveTable).values(resumed=LiveTable.resumed - 12, created=LiveTable.created - 12))
            session.execute(update(LiveMove).values(made=LiveMove.made - 12))
        tables.move(arena, person, first.table, first.number, first.view["legal"][0])
        found = heard(arena, person, f"{first.table}:{first.number}", 20.0)

    assert first.time is not None
    assert 60 < first.time <= 62
    left = found.questions[0].time
    assert left is not None
    assert 49 < left <= 52


def test_workers_leave_these_tables_to_the_host(arena: Arena, ada: Account) -> None:
    """The tables are neither announced nor claimed."""
    ready(arena, ada, "comet")
    draw(arena)

    with arena.reading() as session:
        (table,) = session.scalars(select(Table.id).join(Table.tournament).where(Tournament.outside)).all()
        assert session.get_one(Table, table).rung_at is None
    assert claims.claim(arena, table, "w1") is None


def test_cancelled_ladder_ends_its_tables(arena: Arena, ada: Account) -> None:
    """A match that a program plays goes no further, and its moves are refused."""
    ready(arena, ada, "comet")
    draw(arena)
    admin = factories.user(arena, "root", admin=True)

    with hosting(arena):
        person = outside.person_of(arena, ada, "comet")
        (asked,) = heard(arena, person, "", 20.0).questions
        with arena.reading() as session:
            ladder = session.scalars(select(Tournament.id).where(Tournament.outside)).one()
        tournaments.cancel(arena, admin, ladder)
        upkeep.tidy(arena)
        with pytest.raises(Conflict, match="over"):
            tables.move(arena, person, asked.table, asked.number, asked.view["legal"][0])

    with arena.reading() as session:
        assert session.scalars(select(LiveTable.state)).all() == [LiveState.ABANDONED]


def test_tournament_at_an_hour_enters_those_who_are_ready(arena: Arena, ada: Account) -> None:
    """Owners are called once, ten minutes before; bots that are away stay out, and the tables end."""
    ready(arena, ada, "comet")
    declare(arena, ada, OpenBot(name="sleeper"))
    admin = factories.user(arena, "root", admin=True)
    with arena.reading() as session:
        start = session.scalars(select(now())).one() + 300
    plan = Plan("Friday", QUICK, format="round_robin", shape={"rounds": 1}, starts_at=start)
    cup = tournaments.create(arena, admin, plan, start=False)

    for _ in range(2):
        calls.call(arena)
    with arena.reading() as session:
        (notice,) = session.scalars(select(Notice).where(Notice.user_id == ada.id)).all()
    assert notice.tournament_id == cup
    assert "Let comet and sleeper be ready by then" in notice.text

    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(starts_at=now() - 1))
    starts.start_due(arena)
    with arena.reading() as session:
        entered = select(Bot.name).join(Version, Version.bot_id == Bot.id).join(Entry, Entry.version_id == Version.id)
        names = set(session.scalars(entered.where(Entry.tournament_id == cup)))
        assert "comet" in names
        assert "sleeper" not in names
        assert session.get_one(Tournament, cup).seatings == "single"


def test_program_sits_at_no_more_tables_than_it_offers(arena: Arena, ada: Account) -> None:
    """The other tables of a tournament wait; while it is away they are played one after another."""
    ready(arena, ada, "comet", 2)
    admin = factories.user(arena, "root", admin=True)
    cup = tournaments.create(arena, admin, Plan("Cup", QUICK, format="round_robin", shape={"rounds": 2}), start=True)

    league.open_tables(arena, 50)
    assert open_seats(arena, cup) == 2

    with arena.transaction() as session:
        session.execute(update(LiveTable).values(state=LiveState.ABANDONED))
        session.execute(update(Presence).values(seen=1.0))
    league.open_tables(arena, 50)
    assert open_seats(arena, cup) == 1


def open_seats(arena: Arena, tournament: int) -> int:
    """Return the number of seats of programs at tables of a tournament that are at play."""
    here = (Table.tournament_id == tournament, LiveTable.state == LiveState.PLAYING)
    seats = select(func.count()).select_from(LiveSeat).join(LiveSeat.version).join(LiveSeat.table).join(LiveTable.table)
    with arena.reading() as session:
        return session.scalars(seats.where(*here, Version.state == VersionState.DECLARED)).one()


def test_boards_are_played_once(arena: Arena, ada: Account) -> None:
    """No table of such a tournament is judged again, because programs remember its boards."""
    ready(arena, ada, "comet")
    draw(arena)
    with hosting(arena):
        play(arena, ada, "comet")
    admin = factories.user(arena, "root", admin=True)
    with arena.reading() as session:
        ladder = session.scalars(select(Tournament.id).where(Tournament.outside)).one()

    with pytest.raises(Refused, match="each is played once"):
        rejudge(arena, admin, ladder, "a card was missing", table_number=0)


def test_open_variants_are_only_for_programs(arena: Arena, ada: Account) -> None:
    """Neither people's tables nor trials nor comparisons take them."""
    with pytest.raises(OptionError, match="there is no variant 'separate-suits-2-quick' here"):
        tables.rules_for(tables.Wish(QUICK))
    version = factories.bot(arena, ada, "caged")
    with pytest.raises(OptionError, match="there is no variant"):
        trials.create(arena, ada, NewTrial(QUICK, version))
    with pytest.raises(OptionError, match="there is no variant"):
        comparisons.create(arena, ada, QUICK, version, version)


def test_variants_of_a_bot_take_turns(arena: Arena, ada: Account) -> None:
    """The ladder of the variant of which it has the fewest tables is next, whichever draws first."""
    bot = declare(arena, ada, OpenBot(name="comet")).bot_id
    variants = ["separate-suits-2", "separate-suits-4", "suitability-2"]
    seen: list[str] = []
    for number in range(1, 5):
        presence.offer(arena, ada, Ready(bot="comet", tables=number, variants=variants))
        draw(arena)
        with arena.reading() as session:
            seats = select(Tournament.variant).join(Table).join(TableSeat).join(TableSeat.version)
            seen = list(session.scalars(seats.where(Version.bot_id == bot)))
        assert len(seen) == number

    assert set(seen) == {f"{one}-quick" for one in variants}


def test_all_bots_that_are_ready_are_listed(arena: Arena, ada: Account) -> None:
    """A list of those who are there is not cut, however many they are."""
    with arena.transaction() as session:
        for number in range(250):
            bot = Bot(owner_id=ada.id, name=f"comet-{number:03}", name_key=f"comet-{number:03}", division="quick")
            session.add(bot)
            session.flush()
            session.add(Presence(bot_id=bot.id, tables=1, variants=None))

    page = ladder_page(arena, QUICK)

    assert [row.bot for row in page.ready] == [f"comet-{number:03}" for number in range(250)]
    assert ladder_page(arena, f"{VARIANT}-slow").ready == ()


def test_versions_of_a_program_are_compared(arena: Arena, ada: Account) -> None:
    """Their ratings and opponents stand side by side, as those of uploads do; there are no sources to compare."""
    bot = ready(arena, ada, "comet")
    with hosting(arena):
        for commit in ("1a2b", "3c4d"):
            declare(arena, ada, OpenBot(name="comet", commit=commit))
            draw(arena)
            play(arena, ada, "comet")

    pair = versions.pair(arena, bot, None, None, ada)

    assert [one.number for one in (pair.a, pair.b)] == [2, 3]
    assert pair.variants == [QUICK]
    assert pair.outside
    (ratings,) = versions.results(arena, pair)
    assert ratings.variant == QUICK
    with pytest.raises(Refused, match="no sources here"):
        versions.sources(arena, ada, pair)
