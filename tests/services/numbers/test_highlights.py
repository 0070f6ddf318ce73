"""Matches worth a look: of a bot, a tournament, and the last week."""

import pytest
from sqlalchemy import func, select, update

from arena.db.clock import now
from arena.db.models import Bot, Match, MatchSeat, RatingEvent, Table, Tournament
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.numbers import highlights as highlights_of
from arena.services.numbers.highlights import KINDS, Highlight, Scope, highlights
from tests import factories

SOLITAIRE = "suits-barnhart-solitaire"
WEEK = Scope()
BROKEN = b"def act(view):\n    raise ValueError('broken')\n"


@pytest.fixture
def cups(arena: Arena, admin: Account) -> tuple[int, int]:
    """A finished tournament of five bots, and one of two of them and two others, one of which fails."""
    five = factories.field_of(arena, admin, 5)
    others = [factories.bot(arena, admin, "fresh"), factories.bot(arena, admin, "broken", BROKEN)]
    first = factories.tournament(arena, admin, five)
    factories.play_all(arena, factories.table_ids(arena, first))
    second = factories.tournament(arena, admin, [*five[:2], *others])
    factories.play_all(arena, factories.table_ids(arena, second))
    return first, second


def bot_id(arena: Arena, name: str) -> int:
    """Return the ID of a bot."""
    with arena.reading() as session:
        return session.scalars(select(Bot.id).where(Bot.name == name)).one()


def shown(arena: Arena, kind: str, scope: Scope = WEEK) -> list[Highlight]:
    """Return the list of a kind."""
    return list(highlights(arena, kind, scope).highlights)


def test_latest_matches_are_those_of_the_last_week(arena: Arena, cups: tuple[int, int]) -> None:
    """The newest comes first. Older matches, and superseded ones, are left out."""
    with arena.transaction() as session:
        session.execute(update(Match).where(Match.id == 1).values(superseded=True))
        session.execute(update(Match).where(Match.id == 2).values(finished=now() - 8 * 86400))

    page = highlights(arena, "latest", Scope())

    assert [one.row.id for one in page.highlights] == list(range(24, 2, -1))
    assert (page.name, page.considered, page.variants) == (None, 22, ("suitability-4",))
    assert page.since == min(one.row.finished for one in page.highlights)


def test_scope_is_a_bot_or_a_tournament(arena: Arena, cups: tuple[int, int]) -> None:
    """Matches of a bot are those of all its versions; both kinds of scope have names, and no limit of time."""
    with arena.transaction() as session:
        session.execute(update(Match).values(finished=now() - 8 * 86400))

    of_bot = highlights(arena, "latest", Scope(bot=bot_id(arena, "fresh")))
    of_cup = highlights(arena, "latest", Scope(tournament=cups[0]))

    assert (of_bot.name, [one.row.id for one in of_bot.highlights]) == ("fresh", [24, 23, 22, 21])
    assert (of_cup.name, [one.row.id for one in of_cup.highlights]) == ("a cup", list(range(20, 0, -1)))
    assert highlights(arena, "latest", Scope()).since is None


def test_scope_may_be_a_bot_in_a_tournament(arena: Arena, cups: tuple[int, int]) -> None:
    """Matches are those of the bot in that tournament, and the name says so."""
    both = highlights(arena, "latest", Scope(bot_id(arena, "bot-0"), cups[1]))
    absent = highlights(arena, "latest", Scope(bot_id(arena, "fresh"), cups[0]))

    assert (both.name, [one.row.id for one in both.highlights]) == ("bot-0 in a cup", [24, 23, 22, 21])
    assert (absent.name, absent.highlights) == ("fresh in a cup", ())


def test_window_is_bounded(arena: Arena, cups: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the latest matches are considered, whatever the scope."""
    monkeypatch.setattr(highlights_of, "WINDOW", 3)

    for scope in (Scope(), Scope(bot=bot_id(arena, "bot-0")), Scope(tournament=cups[1])):
        page = highlights(arena, "latest", scope)
        assert [one.row.id for one in page.highlights] == [24, 23, 22]


def test_matches_of_one_variant_are_chosen(arena: Arena, cups: tuple[int, int], admin: Account) -> None:
    """The variants are listed by the number of their matches, and either may be chosen."""
    with arena.reading() as session:
        versions = [bot.active_version_id or 0 for bot in session.scalars(select(Bot).where(Bot.name.like("bot-%")))]
    alone = factories.tournament(arena, admin, versions[:2], SOLITAIRE)
    factories.play_all(arena, factories.table_ids(arena, alone))

    page = highlights(arena, "latest", Scope(), SOLITAIRE)

    assert page.variants == ("suitability-4", SOLITAIRE)
    assert {one.row.variant for one in page.highlights} == {SOLITAIRE}
    assert page.considered == len(page.highlights) == 2
    assert highlights(arena, "closest", Scope(), SOLITAIRE).highlights == ()
    assert highlights(arena, "best", Scope(), SOLITAIRE).highlights[0].value >= 0


def test_closest_matches_have_the_smallest_margins(arena: Arena, cups: tuple[int, int]) -> None:
    """The winner and the next bot are named. A match in which a bot failed is no close match."""
    closest = shown(arena, "closest")

    assert len(closest) == 20
    assert [one.value for one in closest] == sorted(one.value for one in closest)
    for one in closest:
        assert one.seat is not None
        assert one.other is not None
        assert (one.seat.rank, one.value) == (1, one.seat.score - one.other.score)


def test_upsets_are_measured_by_the_ratings_before_the_match(arena: Arena, cups: tuple[int, int]) -> None:
    """The ratings are those after each bot's table before; later tables do not matter."""
    upsets = shown(arena, "upsets", Scope(tournament=cups[0]))

    assert upsets
    for one in upsets:
        assert one.seat is not None
        assert one.other is not None
        assert one.seat.rank < one.other.rank
        before = [rating_before(arena, one.row.table_id, seat.version_id) for seat in (one.other, one.seat)]
        assert one.value == pytest.approx(before[0] - before[1])
    assert [one.value for one in upsets] == sorted((one.value for one in upsets), reverse=True)


def rating_before(arena: Arena, table_id: int, version_id: int) -> float:
    """Return the mu of a version after its last table before this one."""
    with arena.reading() as session:
        earlier = (RatingEvent.version_id == version_id, RatingEvent.table_id < table_id)
        last = session.scalar(select(func.max(RatingEvent.table_id)).where(*earlier))
        return session.scalars(
            select(RatingEvent.mu).where(RatingEvent.version_id == version_id, RatingEvent.table_id == last)
        ).one()


def test_best_results_are_measured_with_the_same_cards(arena: Arena, cups: tuple[int, int]) -> None:
    """A result is compared with those of the other bots at the table in the same seat."""
    bot = bot_id(arena, "bot-3")

    best = shown(arena, "best", Scope(bot=bot))

    assert len(best) == 16
    for one in best:
        assert one.seat is not None
        assert one.seat.bot_id == bot
        others = scores(arena, one.row.table_id, one.seat.seat, besides=one.seat.version_id)
        assert one.value == pytest.approx(one.seat.score - sum(others) / 3)


def scores(arena: Arena, table_id: int, seat: int, besides: int) -> list[int]:
    """Return the scores of a table's matches in a seat, without those of one version."""
    here = (Match.table_id == table_id, MatchSeat.seat == seat, MatchSeat.version_id != besides)
    with arena.reading() as session:
        return list(session.scalars(select(MatchSeat.score).join(Match, Match.id == MatchSeat.match_id).where(*here)))


def test_matches_with_faults_are_those_in_which_the_bot_failed(arena: Arena, cups: tuple[int, int]) -> None:
    """Without a bot, all matches in which any bot failed are listed."""
    assert [one.row.id for one in shown(arena, "faults")] == [24, 23, 22, 21]
    assert [one.row.id for one in shown(arena, "faults", Scope(bot=bot_id(arena, "broken")))] == [24, 23, 22, 21]
    assert shown(arena, "faults", Scope(bot=bot_id(arena, "fresh"))) == []


@pytest.mark.parametrize("kind", KINDS)
def test_arena_without_matches_has_empty_lists(arena: Arena, kind: str) -> None:
    """Each kind of list may be empty."""
    page = highlights(arena, kind, Scope())

    assert (page.highlights, page.considered, page.since, page.variants) == ((), 0, None, ())


@pytest.mark.parametrize("scope", [Scope(bot=99), Scope(tournament=99)])
def test_unknown_scope_is_not_found(arena: Arena, scope: Scope) -> None:
    """A bot or tournament that does not exist has no list."""
    with pytest.raises(NotFound):
        highlights(arena, "latest", scope)


def test_unrated_tournaments_are_private(arena: Arena, cups: tuple[int, int]) -> None:
    """Matches that count nowhere are on no list, and their tournament is not found."""
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cups[1]).values(format="trial"))
        assert session.scalar(select(func.count()).select_from(Table)) == 6

    assert len(shown(arena, "latest")) == 20
    with pytest.raises(NotFound):
        highlights(arena, "latest", Scope(tournament=cups[1]))
