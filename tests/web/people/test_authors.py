"""The page of an author, and links to it."""

from arena.db.models import User
from tests.web.conftest import DUCKER, League, Person, words


def test_author_page_has_bots_ratings_and_results(league: League) -> None:
    """Places have the rating with its interval and lead to the statistics."""
    page = league.visitor.visit("/authors/ada")
    shown = words(page)

    assert "Author of 2 bots, joined" in shown
    assert "Suitability" in shown
    assert "Best rating in Suitability: from " in page
    assert "Best results" in shown
    assert f'href="/bots/{DUCKER}"' in page


def test_authors_are_linked_where_they_are_named(league: League) -> None:
    """Bots, leaderboards, matches and tournaments lead to the author's page."""
    for address in ("/bots", f"/bots/{DUCKER}", "/leaderboard/", "/matches/1"):
        assert 'href="/authors/ada"' in league.visitor.visit(address), address
    assert 'href="/authors/house"' in league.visitor.visit("/games/suitability")


def test_house_has_a_page(league: League) -> None:
    """The page says that its bots come with the arena."""
    assert "bots that come with the arena" in words(league.visitor.visit("/authors/house"))


def test_page_shows_neither_email_nor_real_name(league: League) -> None:
    """An administrator who visits it sees no more than others."""
    with league.arena.reading() as session:
        email = session.query(User).filter_by(name="ada").one().email
    page = league.admin.visit("/authors/ada")

    assert email is None
    assert "@" not in words(page)


def test_unknown_author_is_not_found(visitor: Person, ada: Person) -> None:
    """Neither is an account without bots."""
    assert "There is no author nobody" in visitor.visit("/authors/nobody", 404)
    assert "There is no author ada" in visitor.visit("/authors/ada", 404)
