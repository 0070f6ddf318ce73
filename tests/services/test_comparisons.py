"""Comparisons: they end when the answer is known, with the same answer whoever finishes first."""

from random import Random

import pytest
from sqlalchemy import select

from arena.db.models import Table
from arena.games.errors import NotFound, Refused
from arena.services import comparisons, play, tournaments
from arena.services.comparisons import ComparisonPage
from arena.services.context import Arena
from arena.services.shapes import CANCELLED, DONE, QUEUED, Account
from tests import factories
from tests.cages import LocalCage
from tests.drawn import drawn

VARIANT = "suitability-4"


@pytest.fixture
def field(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Versions by name: a weak and a strong bot, and two to sit at their tables."""
    monkeypatch.setattr(play, "play_work", drawn({"strong": 1.5}))
    return {name: factories.bot(arena, admin, name) for name in ("weak", "strong", "third", "fourth")}


def finish(arena: Arena, comparison: int, luck: Random) -> ComparisonPage:
    """Play the tables that wait, in any order, until none does."""
    while waiting := queued(arena, comparison):
        play.play_table(arena, luck.choice(waiting), LocalCage(), "tester")
    return comparisons.comparison_page(arena, comparison)


def queued(arena: Arena, comparison: int) -> list[int]:
    """The tables that wait."""
    with arena.reading() as session:
        here = select(Table.id).where(Table.tournament_id == comparison, Table.state == QUEUED)
        return list(session.scalars(here))


def counted(arena: Arena, comparison: int) -> dict[str, list[int]]:
    """The numbers of tables by state."""
    states: dict[str, list[int]] = {}
    with arena.reading() as session:
        rows = select(Table.state, Table.number).where(Table.tournament_id == comparison).order_by(Table.number)
        for state, number in session.execute(rows):
            states.setdefault(state, []).append(number)
    return states


def test_a_stronger_version_is_found_better(arena: Arena, admin: Account, field: dict[str, int]) -> None:
    """After as few tables as the answer needs; what was made ahead is set aside and counts nowhere."""
    number = comparisons.create(arena, admin, VARIANT, field["weak"], field["strong"], boards=1)
    page = finish(arena, number, Random(1))

    states = counted(arena, number)
    assert (page.decision, page.row.state) == ("better", "finished")
    assert page.llr >= page.upper
    assert page.mean is not None
    assert page.mean > 0
    assert states[DONE] == list(range(page.tables))
    assert set(states) <= {DONE, CANCELLED}
    assert len(page.walk) == len(page.leads) == page.tables


def test_the_answer_does_not_depend_on_who_finishes_first(
    arena: Arena, admin: Account, field: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same seed gives the same verdict after the same table, in whatever order tables are played."""
    monkeypatch.setattr("arena.services.starting.secrets.token_bytes", lambda count: bytes(range(count)))
    found = []
    for luck in (Random(1), Random(2)):
        number = comparisons.create(arena, admin, VARIANT, field["strong"], field["weak"], boards=1)
        page = finish(arena, number, luck)
        found.append((page.decision, page.tables, page.llr, page.mean, page.walk))

    assert found[0] == found[1]
    assert found[0][0] == "not better"


def test_a_comparison_that_finds_nothing_ends(
    arena: Arena, admin: Account, field: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of the same strength, and few tables: it is undecided, and says how sure the lead is."""
    monkeypatch.setattr("arena.services.starting.secrets.token_bytes", lambda count: bytes(range(count)))
    number = comparisons.create(arena, admin, VARIANT, field["weak"], field["third"], boards=1, delta=0.01, most=20)
    page = finish(arena, number, Random(3))

    assert page.decision == "undecided"
    assert page.tables == 20
    assert page.interval is not None
    assert page.interval[0] < 0 < page.interval[1]
    assert page.row.state == "finished"


def test_members_compare_what_is_theirs(arena: Arena, admin: Account, field: dict[str, int]) -> None:
    """One of the two at least; they may stop it again, and nobody else's."""
    ann = factories.user(arena, "Ann")
    with pytest.raises(Refused, match="bot of yours"):
        comparisons.create(arena, ann, VARIANT, field["weak"], field["strong"])

    own = factories.bot(arena, ann, "own")
    number = comparisons.create(arena, ann, VARIANT, field["weak"], own)
    assert comparisons.candidates(arena, ann, VARIANT)[0].version_id == own
    with pytest.raises(Refused, match="administrator"):
        tournaments.cancel(arena, factories.user(arena, "Bob"), number)
    tournaments.cancel(arena, ann, number)
    assert comparisons.comparison_page(arena, number).row.state == "cancelled"


def test_nonsense_is_refused_in_words(arena: Arena, admin: Account, field: dict[str, int]) -> None:
    """Each with what was wrong."""
    weak, strong = field["weak"], field["strong"]
    mute = factories.bot(arena, admin, "mute", games=["suit_yourself"])
    for a, b, more, sentence in (
        (weak, weak, {}, "two different"),
        (weak, mute, {}, "does not play"),
        (weak, strong, {"delta": 0.9}, "must be 0.01 to 0.5"),
        (weak, strong, {"delta": float("nan")}, "must be 0.01 to 0.5"),
        (weak, strong, {"most": 1_000_000}, "20 to 2,000 tables"),
    ):
        with pytest.raises(Refused, match=sentence):
            comparisons.create(arena, admin, VARIANT, a, b, **more)
    with pytest.raises(Refused, match="3 other bots are needed, 2 play"):
        comparisons.create(arena, admin, "suitability-5", weak, strong)
    with pytest.raises(NotFound):
        comparisons.create(arena, admin, VARIANT, weak, 999)
    with pytest.raises(NotFound, match="no comparison"):
        comparisons.comparison_page(arena, factories.tournament(arena, admin, list(field.values())))


def test_alone_and_in_pairs_nobody_else_is_needed(arena: Arena, admin: Account) -> None:
    """A solitaire table is the two at the same boards, a table of two is the two."""
    a, b = (factories.bot(arena, admin, name) for name in ("one", "other"))
    for variant in ("suits-barnhart-solitaire", "separate-suits-2"):
        number = comparisons.create(arena, admin, variant, a, b, boards=1)
        play.play_table(arena, queued(arena, number)[0], LocalCage(), "tester")

        page = comparisons.comparison_page(arena, number)
        assert (page.tables, page.field, page.decision) == (1, (), "running")
