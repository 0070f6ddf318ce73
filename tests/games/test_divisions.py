"""Divisions: variants of their own for programs outside the arena."""

import pytest

from arena.games.divisions import DIVISIONS, caged, division_of
from arena.games.errors import OptionError
from arena.games.registry import LEADERBOARDS, OPEN, VARIANTS, check_caged, rules_of, variant


def test_every_variant_without_partners_has_open_divisions() -> None:
    """Nothing keeps two seats of one program apart, so variants with partners and for one player have none."""
    without = {id for id in VARIANTS if f"{id}-quick" not in OPEN}

    assert without == {id for id in VARIANTS if len(rules_of(id).teams) in (1, 2) and rules_of(id).players != 2}
    assert set(OPEN) == {f"{id}-{division}" for id in VARIANTS.keys() - without for division in DIVISIONS}
    assert list(LEADERBOARDS) == [*VARIANTS, *OPEN]


@pytest.mark.parametrize("id", OPEN)
def test_open_variant_has_the_same_rules(id: str) -> None:
    """Its ID names the variant and the division; its boards are played once."""
    division = division_of(id)

    assert division is not None
    assert id == f"{caged(id)}-{division.id}"
    assert rules_of(id).options == rules_of(caged(id)).options
    assert variant(id).title == f"{variant(caged(id)).title}, {division.title}"
    assert (variant(id).boards, variant(id).points_over) == (1, 0)


@pytest.mark.parametrize("id", VARIANTS)
def test_variants_of_caged_bots_are_of_no_division(id: str) -> None:
    """No ID of theirs ends like one of an open division."""
    assert division_of(id) is None
    assert caged(id) == id
    check_caged(id)


def test_open_variants_are_refused_where_caged_bots_play() -> None:
    """The sentence lists the variants."""
    with pytest.raises(OptionError, match="there is no variant 'suitability-4-slow' here; the variants are suit"):
        check_caged("suitability-4-slow")
