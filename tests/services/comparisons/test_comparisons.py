"""Comparisons of two bots by a sequential test: decisions, limits, and who may start and stop them."""

from random import Random

import pytest
from sqlalchemy import select, update

from arena.db.models import Event, Table, Tournament
from arena.games.errors import NotFound, Refused
from arena.games.registry import rules_of
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages as comparison_pages
from arena.services.comparisons.views import ComparisonPage
from arena.services.integrity import fsck
from arena.services.tournaments import actions as tournaments
from arena.services.work import play
from tests import factories
from tests.cages import LocalCage
from tests.simulated_play import simulated_play

VARIANT = "suitability-4"


@pytest.fixture
def field(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Create a weak and a strong bot and two opponents; return versions by name."""
    monkeypatch.setattr(play, "play_work", simulated_play({"strong": 1.5}))
    return {name: factories.bot(arena, admin, name) for name in ("weak", "strong", "third", "fourth")}


def finish(arena: Arena, comparison: int, luck: Random) -> ComparisonPage:
    """Play queued tables in random order until none is left; return the page."""
    while waiting := queued(arena, comparison):
        play.play_tables(arena, [luck.choice(waiting)], LocalCage(), "tester")
    return comparison_pages.comparison_page(arena, comparison)


def queued(arena: Arena, comparison: int) -> list[int]:
    """Return the IDs of queued tables, in order."""
    with arena.reading() as session:
        here = select(Table.id).where(Table.tournament_id == comparison, Table.state == TableState.QUEUED)
        return list(session.scalars(here.order_by(Table.id)))


def numbers_by_state(arena: Arena, comparison: int) -> dict[str, list[int]]:
    """Return the numbers of tables by state."""
    states: dict[str, list[int]] = {}
    with arena.reading() as session:
        rows = select(Table.state, Table.number).where(Table.tournament_id == comparison).order_by(Table.number)
        for state, number in session.execute(rows):
            states.setdefault(state, []).append(number)
    return states


def test_stronger_version_is_found_better(arena: Arena, admin: Account, field: dict[str, int]) -> None:
    """The comparison ends as soon as the test decides; tables made in advance are cancelled and do not count."""
    number = comparisons.create(arena, admin, VARIANT, field["weak"], field["strong"], boards=1)
    page = finish(arena, number, Random(1))

    states = numbers_by_state(arena, number)
    assert (page.decision, page.row.state) == ("better", "finished")
    assert page.llr >= page.upper
    assert page.mean is not None
    assert page.mean > 0
    assert states[TableState.DONE] == list(range(page.tables))
    assert set(states) <= {TableState.DONE, TableState.CANCELLED}
    assert len(page.walk) == len(page.leads) == page.tables
    with arena.reading() as session:
        finished = session.scalars(select(Event).where(Event.kind == "tournament.finished")).one()
        assert finished.data["winners"] == []  # evidence decides, and it may stay unclear


def test_decision_does_not_depend_on_finish_order(
    arena: Arena, admin: Account, field: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any order of play gives the same decision after the same table."""
    monkeypatch.setattr("arena.services.tournaments.starts.secrets.token_bytes", lambda count: bytes(range(count)))
    found = []
    for luck in (Random(1), Random(2)):
        number = comparisons.create(arena, admin, VARIANT, field["strong"], field["weak"], boards=1)
        page = finish(arena, number, luck)
        found.append((page.decision, page.tables, page.llr, page.mean, page.walk))

    assert found[0] == found[1]
    assert found[0][0] == "not better"


@pytest.mark.parametrize("source", [factories.LAST, factories.CHANCE], ids=["deterministic", "random"])
@pytest.mark.parametrize("variant", [VARIANT, "suitability-4-partners", "suits-steere-3", "suits-barnhart-solitaire"])
def test_bot_has_no_lead_over_itself(arena: Arena, admin: Account, variant: str, source: bytes) -> None:
    """Both orders have the same boards, and bots the same seeds in the same seats, so luck cancels out."""
    twins = [factories.bot(arena, admin, name, source) for name in ("one", "other")]
    for name in ("third", "fourth"):
        factories.bot(arena, admin, name, factories.CHANCE)
    number = comparisons.create(arena, admin, variant, *twins, boards=2)
    for table in queued(arena, number)[:2]:
        play.play_tables(arena, [table], LocalCage(), "tester")

    page = comparison_pages.comparison_page(arena, number)
    assert [lead for _, lead in page.leads] == [0.0, 0.0]
    assert page.mean == 0.0
    places = len(rules_of(variant).teams)
    assert page.matches == 2 * 2 * (2 * places if places > 2 else 2)
    assert fsck.check(arena) == []


def test_comparison_of_an_older_release_continues_with_rotations(
    arena: Arena, admin: Account, field: dict[str, int]
) -> None:
    """Tables keep the seatings of the older release, and the comparison still reaches a decision."""
    number = comparisons.create(arena, admin, VARIANT, field["weak"], field["strong"], boards=1)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(seatings="rotations"))
    page = finish(arena, number, Random(1))

    assert (page.decision, page.row.state) == ("better", "finished")
    assert page.matches == 4 * page.tables


def test_comparison_of_equal_bots_ends_undecided(
    arena: Arena, admin: Account, field: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two equal bots are undecided after the last allowed table, with an interval around the lead."""
    monkeypatch.setattr("arena.services.tournaments.starts.secrets.token_bytes", lambda count: bytes(range(count)))
    number = comparisons.create(arena, admin, VARIANT, field["weak"], field["third"], boards=1, delta=0.01, most=32)
    page = finish(arena, number, Random(3))

    assert page.decision == "undecided"
    assert page.tables == 32
    assert page.interval is not None
    assert page.interval[0] < 0 < page.interval[1]
    assert page.row.state == "finished"


def test_members_compare_only_their_own_bots(arena: Arena, admin: Account, field: dict[str, int]) -> None:
    """Members can compare two bots if one of them is theirs, and can cancel only their own comparisons."""
    ann = factories.user(arena, "Ann")
    with pytest.raises(Refused, match="one of your bots"):
        comparisons.create(arena, ann, VARIANT, field["weak"], field["strong"])

    own = factories.bot(arena, ann, "own")
    number = comparisons.create(arena, ann, VARIANT, field["weak"], own)
    assert comparison_pages.candidates(arena, ann, VARIANT)[0].version_id == own
    with pytest.raises(Refused, match="organiser"):
        tournaments.cancel(arena, factories.user(arena, "Bob"), number)
    tournaments.cancel(arena, ann, number)
    assert comparison_pages.comparison_page(arena, number).row.state == "cancelled"


def test_invalid_comparison_is_refused_with_a_reason(arena: Arena, admin: Account, field: dict[str, int]) -> None:
    """Each message says what is wrong."""
    weak, strong = field["weak"], field["strong"]
    mute = factories.bot(arena, admin, "mute", games=["suit_yourself"])
    for a, b, more, sentence in (
        (weak, weak, {}, "two different"),
        (weak, mute, {}, "does not play"),
        (weak, strong, {"delta": 0.9}, "must be 0.01 to 0.5"),
        (weak, strong, {"delta": float("nan")}, "must be 0.01 to 0.5"),
        (weak, strong, {"most": 1_000_000}, "24 to 2,000 tables"),
        (
            weak,
            strong,
            {"delta": 0.01, "most": 31},
            "For a lead of 0.01 the limit must be 32 to 2,000 tables, not 31.",
        ),
    ):
        with pytest.raises(Refused, match=sentence):
            comparisons.create(arena, admin, VARIANT, a, b, **more)
    with pytest.raises(Refused, match="3 other bots are needed; 2 play"):
        comparisons.create(arena, admin, "suitability-5", weak, strong)
    with pytest.raises(NotFound):
        comparisons.create(arena, admin, VARIANT, weak, 999)
    with pytest.raises(NotFound, match="is not a comparison"):
        comparison_pages.comparison_page(arena, factories.tournament(arena, admin, list(field.values())))


def test_solitaires_and_games_for_two_need_no_other_bots(arena: Arena, admin: Account) -> None:
    """Solitaires and games for two seat only the two compared bots."""
    a, b = (factories.bot(arena, admin, name) for name in ("one", "other"))
    for variant in ("suits-barnhart-solitaire", "separate-suits-2"):
        number = comparisons.create(arena, admin, variant, a, b, boards=1)
        play.play_tables(arena, [queued(arena, number)[0]], LocalCage(), "tester")

        page = comparison_pages.comparison_page(arena, number)
        assert (page.tables, page.field, page.decision) == (1, (), "running")
