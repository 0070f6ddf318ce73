"""Strengths in game points: fits by the sweep, pages that show them, and their check."""

import pytest
from click.testing import CliRunner
from sqlalchemy import text, update

from arena.cli import main
from arena.db.models import MatchSeat, Tournament, TournamentScore, VariantScore
from arena.games.registry import VARIANTS
from arena.services.base import pace
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.numbers import statistics
from arena.services.queue import cancellations
from arena.services.ratings import strengths, tallies
from arena.services.ratings.views import GamePoints
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.starts import lock_tournament
from arena.services.work.sweep import tick
from arena.tournament.strength import Strength
from tests import factories

VARIANT = "suitability-4"
BROKEN = b"def act(view):\n    raise ValueError('broken')\n"


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """A finished tournament of five tables, without strengths yet."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    factories.play_all(arena, factories.table_ids(arena, cup))
    return cup


def stored(arena: Arena, scope: int | str) -> dict[int, Strength | None]:
    """Return the strengths of a tournament or variant, by version."""
    with arena.reading() as session:
        return {version: score.strength for version, score in tallies.scores(session, scope).items()}


def checked(arena: Arena) -> list[str]:
    """Return the differences that the check finds."""
    with arena.reading() as session:
        return strengths.check(session)


def test_sweep_fits_scopes_with_changed_results(arena: Arena, cup: int) -> None:
    """The tournament and its variant are fitted once each; then nothing is due."""
    assert set(stored(arena, cup).values()) == {None}

    tick(arena)

    assert stored(arena, cup) == stored(arena, VARIANT)
    assert None not in stored(arena, cup).values()
    assert strengths.refit(arena) == 0
    assert checked(arena) == []


def test_strength_follows_from_the_leads_in_all_matches(arena: Arena, cup: int) -> None:
    """Five bots that met each other equally often each have 4/5 of their mean lead over the others."""
    strengths.refit(arena)
    rows = "SELECT s.match_id, s.version_id, s.score FROM match_seats s JOIN matches m ON m.id = s.match_id"
    with arena.reading() as session:
        seats = [tuple(row) for row in session.execute(text(rows))]
    scores = {(match, version): score for match, version, score in seats}

    for version, strength in stored(arena, cup).items():
        mine = [(match, score) for match, seated, score in seats if seated == version]
        leads = [
            score - other
            for match, score in mine
            for (of, rival), other in scores.items()
            if of == match and rival != version
        ]
        assert strength is not None
        assert strength.value == pytest.approx(0.8 * sum(leads) / len(leads))


def test_pages_show_points_per_deal(arena: Arena, cup: int) -> None:
    """A match of this variant has four deals, so pages show a quarter of its strength per match."""
    strengths.refit(arena)
    fitted = stored(arena, cup)
    page = tournament_pages.page(arena, cup)
    leaders = factories.leaderboard(arena, VARIANT)

    rows = {(row.version_id, row.strength) for row in page.standings}
    assert rows == {(row.version_id, row.strength) for row in leaders}
    assert len(rows) == len(leaders) == 5
    for version, strength in rows:
        whole = fitted[version]
        assert whole is not None
        assert strength is not None
        assert strength.value == whole.value / 4
        assert strength == statistics.of_version(arena, version, VARIANT).strength


def test_game_points_have_an_interval() -> None:
    """Value and interval are per deal; there are none if nothing was fitted or the variant shows none."""
    assert strengths.game_points(VARIANT, Strength(8.0, 2.0)) == GamePoints(2.0, (1.5, 2.5))
    assert strengths.game_points("suit-yourself", Strength(8.0, None)) == GamePoints(8.0, None)
    assert strengths.game_points(VARIANT, None) is None
    assert strengths.game_points("separate-suits-4-split", Strength(8.0, 2.0)) is None
    assert strengths.game_points("not offered any more", Strength(8.0, 2.0)) is None


def test_variant_without_game_points_is_never_fitted(arena: Arena, admin: Account) -> None:
    """The variant declares that it shows no strengths."""
    variant = "separate-suits-4-split"
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), variant, boards=1)
    factories.play_all(arena, factories.table_ids(arena, cup))

    assert VARIANTS[variant].points_over == 0
    assert strengths.refit(arena) == 0
    assert set(stored(arena, cup).values()) == {None}
    assert checked(arena) == []


def test_results_set_aside_no_longer_count_in_strengths(arena: Arena, cup: int) -> None:
    """Strengths come from the remaining tables; without any, there are none."""
    ids = factories.table_ids(arena, cup)
    strengths.refit(arena)
    before = stored(arena, cup)
    for some in (ids[:1], ids[1:]):
        with arena.transaction() as session:
            cancellations.set_aside(session, lock_tournament(session, cup), some, "cancelled")
        assert checked(arena) == []  # due scopes are not checked
        assert strengths.refit(arena) == 2
        assert checked(arena) == []
        assert stored(arena, cup) != before

    assert stored(arena, cup) == stored(arena, VARIANT) == {}
    with arena.reading() as session:
        assert {row.strength for row in session.query(TournamentScore)} == {None}
        assert {row.strength for row in session.query(VariantScore)} == {None}


def test_older_fit_does_not_replace_a_newer_one(arena: Arena, cup: int) -> None:
    """Two concurrent sweeps may read at different times and write in the other order."""
    strengths.refit(arena)
    fitted = stored(arena, cup)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(results=1))

    strengths._fit(arena, cup)

    assert stored(arena, cup) == fitted


def test_check_reports_a_wrong_strength(arena: Arena, cup: int) -> None:
    """`arena tallies check` names the version, its stored strength and the right one."""
    strengths.refit(arena)
    with arena.transaction() as session:
        session.execute(update(VariantScore).where(VariantScore.version_id == 1).values(strength=99.0))
    result = CliRunner().invoke(main, ["tallies", "check"], env=arena.settings.environ())

    assert result.exit_code == 1
    assert "strengths of suitability-4: version 1 has Strength(value=99.0" in result.output


def test_rebuilt_tallies_are_fitted_to_the_same_bits(arena: Arena, cup: int) -> None:
    """A rebuild makes every scope due again."""
    strengths.refit(arena)
    before = stored(arena, cup)
    tallies.rebuild(arena)

    assert set(stored(arena, cup).values()) == {None}
    strengths.refit(arena)
    assert stored(arena, cup) == before


def test_fault_does_not_improve_a_strength(arena: Arena, admin: Account) -> None:
    """After a fault the arena plays for the bot, so the bot gets the lowest score of the match."""
    broken = factories.bot(arena, admin, "broken", BROKEN)
    cup = factories.tournament(arena, admin, [*factories.field_of(arena, admin, 3), broken], boards=1)
    factories.play_all(arena, factories.table_ids(arena, cup))
    with arena.transaction() as session:
        tallies.remove(session, 1)
        session.execute(update(MatchSeat).where(MatchSeat.fault.is_not(None)).values(score=1000))
        tallies.add(session, 1)
    strengths.refit(arena)

    with arena.reading() as session:
        assert tallies.check(session) == []
    found = {version: strength.value for version, strength in stored(arena, cup).items() if strength}
    assert found[broken] == min(found.values())


def test_large_field_waits_for_more_results(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five bots are ten pairs: at four pairs per result a fit waits for three, unless no tournament is running."""
    monkeypatch.setattr(strengths, "PAIRS_PER_RESULT", 4)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    fitted = []
    for table in factories.table_ids(arena, cup):
        factories.play_all(arena, [table])
        fitted.append(strengths.refit(arena))

    assert fitted == [0, 0, 2, 0, 2]
    assert checked(arena) == []


def test_sweep_without_time_left_fits_one_scope(arena: Arena, cup: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scope with the most new results is first; the next sweep continues."""
    monkeypatch.setattr(pace, "PATIENCE", -1.0)

    assert [strengths.refit(arena) for _ in range(3)] == [1, 1, 0]
    assert checked(arena) == []
