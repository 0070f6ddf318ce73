"""Lookup of games and variants."""

from gettext import NullTranslations

import pytest

from arena.games.base import ClockRule
from arena.games.errors import OptionError
from arena.games.events import Event
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS, game, points_unit, rules_of, variant
from arena.words import Language, speaking


class Shouted(NullTranslations):
    """A language of capital letters."""

    def gettext(self, message: str) -> str:
        return message.upper()


def test_variant_is_a_complete_set_of_options() -> None:
    """No variant depends on a later default."""
    for one in VARIANTS.values():
        assert game(one.game, one.options).options == one.options


def test_shortest_match_keeps_the_other_options() -> None:
    """Partners stay partners in a match of one deal, which replaces a target of points."""
    assert rules_of("suitability-4-250").shortest().options["points"] is None
    assert rules_of("suitability-4-partners").shortest().options == {
        **VARIANTS["suitability-4-partners"].options,
        "deals": 1,
    }


def test_variants_and_facts_are_named_in_the_language_of_the_reader() -> None:
    """Titles, summaries and labels are translated when they are read, and keys are not."""
    one, fact = VARIANTS["suits-steere-3"], GAMES["suits_steere"].facts[0]
    with speaking(Language("xx", Shouted(), {})):
        assert one.summary == one.about.upper()
        assert fact.shown() == {**fact._asdict(), "label": fact.label.upper()}


def test_unknown_game_is_refused_with_the_known_ones() -> None:
    """An unknown variant is refused in the same way."""
    with pytest.raises(OptionError, match="there is no game 'bridge'; the games are suitability"):
        game("bridge")
    with pytest.raises(OptionError, match="there is no variant 'x'; the variants are suitability-4"):
        variant("x")
    assert variant(DEFAULT_VARIANT).game == "suitability"


def test_refusal_quotes_a_bounded_part_of_the_value() -> None:
    """A long or deep value gives a short line that names the allowed values."""
    deep: object = 7
    for _ in range(5000):
        deep = [deep]
    for value in ("x" * 5000, 10**4000, [[]] * 5000, deep):
        with pytest.raises(OptionError, match=r"cannot be .{1,80}; allowed: 2, 3, 4 or 5") as caught:
            game("suitability", {"players": value})
        assert len(str(caught.value)) < 200


def test_full_event_is_plain_json_for_the_replay() -> None:
    """All fields are included, with lists instead of tuples."""
    event = Event("play", "{1} plays AC.", 1, ("AC",), "hand:1", "table:1", (1,))

    assert event.full() == {
        "kind": "play", "text": "{1} plays AC.", "seat": 1, "cards": ["AC"], "source": "hand:1", "target": "table:1",
        "seen_by": [1], "facts": {}, "step": True,
    }  # fmt: skip
    assert event._replace(seen_by=None).full()["seen_by"] is None


def test_computing_time_of_a_match_is_bounded() -> None:
    """A seat has its bank and the paid increments, however long the match is."""
    assert ClockRule(bank=10, increment=0.5, paid=20).computing == 20


@pytest.mark.parametrize(
    ("id", "unit"),
    [
        ("suitability-4", "deal"),
        ("suits-steere-3", "hand"),
        ("suit-yourself", "match"),
        ("suitability-5", None),
        ("suitability-4-quick", None),
        ("whist", None),
    ],
)
def test_points_are_those_of_a_deal_a_hand_or_a_match(id: str, unit: str | None) -> None:
    """Variants with a target count by the match; others, open divisions and unknown ones have no unit."""
    assert points_unit(id) == unit
