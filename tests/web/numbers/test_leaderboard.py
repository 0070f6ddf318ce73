"""The leaderboard."""

import pytest
from sqlalchemy import select

from arena.db.clock import now
from arena.db.models import Bot, CurrentRating, PastPlaces, Version
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services.base.context import Arena
from tests import factories
from tests.web.conftest import League, Person, words


def test_leaderboard_is_sorted_by_conservative_rating(league: League) -> None:
    """Bots are ranked by mu - 3 sigma, and the viewer's own bots are marked."""
    page = league.ada.visit("/leaderboard/")
    said = words(page)
    worth = CurrentRating.mu - 3 * CurrentRating.sigma
    with league.arena.reading() as session:
        rated = (
            select(Bot.name)
            .join(Version, Version.bot_id == Bot.id)
            .join(CurrentRating, CurrentRating.version_id == Version.id)
        )
        names = session.scalars(rated.where(CurrentRating.variant == DEFAULT_VARIANT).order_by(worth.desc())).all()
    places = [said.index(f"{name} v1") for name in names]

    assert len(places) > 2
    assert places == sorted(places)
    assert 'class="mine"' in page
    assert 'class="mine"' not in league.visitor.visit("/leaderboard/")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_can_be_picked(visitor: Person, variant: str) -> None:
    """A list of all variants by game has this one selected, and leads to the same page of another."""
    page = visitor.visit(f"/leaderboard/{variant}")

    for game in GAMES.values():
        assert f'<optgroup label="{game.title}">' in page
    for other in VARIANTS.values():
        mark = " selected" if other.id == variant else ""
        assert f'<option value="{other.id}"{mark}>{other.title}</option>' in page
    assert "No bot has a rating in this game yet." in page


@pytest.mark.parametrize("page", ["leaderboard", "ladders", "crosstables", "statistics"])
def test_form_leads_to_the_picked_variant(visitor: Person, page: str) -> None:
    """All pages about a variant pick another one in the same way."""
    answer = visitor.client.get(f"/{page}/?variant=suits-steere-6")

    assert (answer.status_code, answer.location) == (302, f"/{page}/suits-steere-6")
    assert visitor.client.get(f"/{page}/?variant=chess").status_code == 404


@pytest.mark.parametrize(
    ("query", "tidy"),
    [
        ("variant=suits-steere-6&search=ada&sort=", "/leaderboard/suits-steere-6?search=ada"),
        ("search=&sort=&page=1", "/leaderboard/"),
        ("page=7&sort=mu", "/leaderboard/?sort=mu"),
        ("sort=colour&x=1", "/leaderboard/"),
        ("page=two", "/leaderboard/"),
        (f"search={'a' * 99}", f"/leaderboard/?search={'a' * 32}"),
    ],
)
def test_addresses_are_tidied(league: League, query: str, tidy: str) -> None:
    """Empty, invalid and superfluous parameters are left out of the address, so that visitors share few pages."""
    answer = league.visitor.client.get(f"/leaderboard/?{query}")

    assert (answer.status_code, answer.location) == (302, tidy)


def test_bots_are_found_by_name_or_author(league: League) -> None:
    """A search lists the bots that it finds with their places, and offers to show all again."""
    said = words(league.visitor.visit("/leaderboard/?search=duck"))

    assert "1 bot of" in said
    assert "Ducker v1" in said
    assert "planner v1" not in said
    assert "No bot matches." in league.visitor.visit("/leaderboard/?search=nobody")
    assert "planner v1" in words(league.visitor.visit("/leaderboard/?search=HOUSE"))


def test_search_is_neither_shared_nor_compressed(league: League) -> None:
    """Its page repeats what the request says, and visitors could fill the memory with such pages."""
    answer = league.visitor.client.get("/leaderboard/?search=duck", headers={"Accept-Encoding": "gzip, br"})

    assert "Content-Encoding" not in answer.headers
    assert "ETag" not in answer.headers


def test_columns_sort_the_leaderboard(league: League) -> None:
    """The head of a column sorts by it and says so; a second click reverses the order."""
    page = league.visitor.visit("/leaderboard/?sort=name")

    assert words(page).index("Crasher v1") < words(page).index("Ducker v1")
    assert 'aria-sort="ascending"' in page
    assert 'href="/leaderboard/?sort=-name"' in page
    back = league.visitor.visit("/leaderboard/?sort=-name")
    assert words(back).index("Ducker v1") < words(back).index("Crasher v1")
    assert 'aria-sort="descending"' in back
    assert "Name, Z to A" in back


def test_faults_are_marked_for_the_team_and_administrators(league: League) -> None:
    """The author sees how many matches a bot failed in, and so do administrators; others do not."""
    assert "Crasher v1 yours" in words(league.ada.visit("/leaderboard/"))
    for person in (league.ada, league.admin):
        assert "⚠ 4 faults" in words(person.visit("/leaderboard/?search=crasher"))
    assert "⚠" not in league.visitor.visit("/leaderboard/?search=crasher")


def test_changes_of_place_are_explained(arena: Arena, visitor: Person) -> None:
    """Bots that gained or lost places, kept theirs or are new have a mark with words, and a note says since when."""
    owner = factories.user(arena, "carl")
    versions = [factories.bot(arena, owner, f"bot-{number}") for number in range(4)]
    with arena.transaction() as session:
        bots = {bot.name: bot.id for bot in session.scalars(select(Bot))}
        for number, version in enumerate(versions):
            rating = {"mu": 30.0 - number, "sigma": 1.0, "tables": 1, "matches": 4}
            session.add(CurrentRating(variant=DEFAULT_VARIANT, version_id=version, **rating))
        before = {str(bots["bot-0"]): 3, str(bots["bot-1"]): 1, str(bots["bot-2"]): 3}
        today = int(session.scalars(select(now())).one() // 86400)
        session.add(PastPlaces(variant=DEFAULT_VARIANT, day=today, places=before))

    said = words(visitor.visit("/leaderboard/"))

    assert "1 ▲ up 2 bot-0" in said
    assert "2 ▼ down 1 bot-1" in said
    assert "3 – bot-2" in said
    assert "4 new bot-3" in said
    assert "places gained (▲) or lost (▼) since" in said


@pytest.mark.parametrize("variant", VARIANTS)
def test_leaderboard_credits_the_designer(visitor: Person, variant: str) -> None:
    """The credit has the designer's wording and a link to the source."""
    game = GAMES[VARIANTS[variant].game]
    page = visitor.visit(f"/leaderboard/{variant}")

    assert f"Designed by {game.designer} ( {game.source} )" in words(page)
    assert f'href="https://{game.source}"' in page


def test_unknown_variant_is_not_found(visitor: Person) -> None:
    """An unknown variant is answered with 404."""
    assert "Page not found" in visitor.visit("/leaderboard/chess", 404)
