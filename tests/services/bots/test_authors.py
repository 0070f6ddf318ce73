"""The page of an author."""

import pytest
from sqlalchemy import select, update

from arena.db.models import Bot, BotMember, Entry, RatingEvent, Tournament
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import authors
from arena.services.bots.authors import author_page
from arena.services.people.rows import neutral_name
from arena.services.privacy import deletions
from arena.services.tournaments import standings
from tests import factories

VARIANT = "suitability-4"


@pytest.fixture
def cup(arena: Arena, author: Account) -> int:
    """A finished cup with two bots of the author and three of another account."""
    other = factories.user(arena, "other")
    versions = [
        factories.bot(arena, author, "one", factories.LAST),
        factories.bot(arena, author, "two", factories.CHANCE),
        *(factories.bot(arena, other, f"other-{number}", factories.FIRST) for number in range(3)),
    ]
    made = factories.tournament(arena, author, versions)
    factories.play_all(arena, factories.table_ids(arena, made))
    with arena.transaction() as session:
        session.execute(update(Tournament).values(state="finished", finished=1.0))
    return made


@pytest.mark.parametrize("name", ["nobody", "not a name", ""])
def test_account_that_does_not_exist_has_no_page(arena: Arena, name: str) -> None:
    """The page is not found."""
    with pytest.raises(NotFound, match="There is no author"):
        author_page(arena, name)


def test_account_without_bots_has_no_page(arena: Arena, author: Account) -> None:
    """Registering alone does not make an account public."""
    with pytest.raises(NotFound, match="There is no author"):
        author_page(arena, author.name)


def test_page_has_places_on_the_leaderboard(arena: Arena, author: Account, cup: int) -> None:
    """Ranks and ratings are those of the leaderboard, and the history ends with the best one."""
    (standing,) = author_page(arena, author.name.upper()).standings
    rows = {row.version_id: row for row in factories.leaderboard(arena, VARIANT)}

    assert standing.variant == VARIANT
    assert len(standing.places) == 2
    for place in standing.places:
        row = rows[place.version_id]
        assert (place.rank, place.mu, place.sigma, place.tables) == (row.rank, row.mu, row.sigma, row.tables)
        assert (place.of, place.provisional, place.bot, place.version) == (5, row.provisional, row.bot, row.version)
        assert place.interval == (row.mu - 1.96 * row.sigma, row.mu + 1.96 * row.sigma)
    assert standing.history[-1] == pytest.approx(max(row.mu - 3 * row.sigma for row in standing.places))


def test_history_has_the_best_of_all_versions(arena: Arena, author: Account, cup: int) -> None:
    """Each value is the highest mu - 3 sigma of any version at that table, active or not."""
    (standing,) = author_page(arena, author.name).standings
    curves = [rated(arena, place.version_id) for place in standing.places]
    with arena.transaction() as session:
        session.execute(update(Bot).where(Bot.id == standing.places[0].bot_id).values(active=False))
    tables = sorted({table for curve in curves for table in curve})
    best = [max(curve[max(t for t in curve if t <= at)] for curve in curves if min(curve) <= at) for at in tables]

    (later,) = author_page(arena, author.name).standings

    assert [place.bot for place in later.places] == [standing.places[1].bot]
    assert tables == list(range(tables[0], tables[-1] + 1))
    assert list(later.history) == pytest.approx(best)


def test_long_history_is_thinned(arena: Arena, author: Account, cup: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last value stays."""
    (whole,) = author_page(arena, author.name).standings
    monkeypatch.setattr(authors, "POINTS", 2)
    (standing,) = author_page(arena, author.name).standings

    assert len(standing.history) < len(whole.history)
    assert standing.history[-1] == whole.history[-1]


def test_page_has_the_best_results_of_cups(arena: Arena, author: Account, cup: int) -> None:
    """A cup counts once, with the author's best bot; who wins is counted."""
    mine, other = author_page(arena, author.name), author_page(arena, "other")

    assert [(one.tournament_id, one.entries) for one in mine.results] == [(cup, 5)]
    assert mine.results[0].bot in ("one", "two")
    assert mine.cups == other.cups == 1
    assert {mine.won, other.won} <= {0, 1}
    assert min(mine.results[0].rank, other.results[0].rank) == 1
    assert mine.won == (mine.results[0].rank == 1)


def test_final_ranks_of_older_releases_are_computed(arena: Arena, author: Account, cup: int) -> None:
    """Cups that ended before ranks were noted have the same results afterwards."""
    before = author_page(arena, author.name).results
    with arena.transaction() as session:
        session.execute(update(Entry).values(rank=None))
    assert author_page(arena, author.name).results == ()

    standings.backfill(arena)

    assert author_page(arena, author.name).results == before
    with arena.reading() as session:
        assert standings.finished(arena) == [cup]
        assert list(standings.differences(session, cup)) == []


def test_ladders_comparisons_and_placements_are_not_cups(arena: Arena, author: Account, cup: int) -> None:
    """Neither is a tournament that has not finished."""
    for values in ({"format": "ladder"}, {"format": "comparison"}, {"priority": 10}, {"state": "running"}):
        usual = {"format": "round_robin", "priority": 0, "state": "finished"}
        with arena.transaction() as session:
            session.execute(update(Tournament).values({**usual, **values}))

        assert author_page(arena, author.name).results == ()


def test_bots_of_a_team_are_on_the_pages_of_all_its_members(arena: Arena, author: Account, cup: int) -> None:
    """An invitation that is open shows nothing."""
    friend = factories.user(arena, "friend")
    with arena.transaction() as session:
        session.add(BotMember(bot_id=1, user_id=friend.id))
    with pytest.raises(NotFound):
        author_page(arena, "friend")
    with arena.transaction() as session:
        session.execute(update(BotMember).values(accepted=1.0))
    page = author_page(arena, "friend")

    assert [(bot.name, bot.owner) for bot in page.bots] == [("one", author.name)]
    assert len(page.standings[0].places) == 1


def test_archived_bots_are_apart_and_inactive_bots_have_no_place(arena: Arena, author: Account, cup: int) -> None:
    """Their results stay."""
    with arena.transaction() as session:
        session.execute(update(Bot).where(Bot.name == "one").values(archived=1.0, active=False))
    page = author_page(arena, author.name)

    assert [bot.name for bot in page.bots] == ["two"]
    assert [bot.name for bot in page.archived] == ["one"]
    assert [place.bot for place in page.standings[0].places] == ["two"]
    assert page.cups == 1


def test_deleted_account_keeps_its_page_under_the_neutral_name(arena: Arena, author: Account, cup: int) -> None:
    """The former name leads nowhere."""
    deletions.delete(arena, author)
    page = author_page(arena, neutral_name(author.id))

    assert page.deleted
    assert not page.house
    assert page.name == neutral_name(author.id)
    assert page.standings == ()
    assert page.cups == 1
    with pytest.raises(NotFound):
        author_page(arena, author.name)


def rated(arena: Arena, version_id: int) -> dict[int, float]:
    """Return mu - 3 sigma of a version after each of its tables, by the table's ID."""
    rating = RatingEvent.mu - 3 * RatingEvent.sigma
    with arena.reading() as session:
        found = session.execute(select(RatingEvent.table_id, rating).where(RatingEvent.version_id == version_id))
        return dict(found.all())
