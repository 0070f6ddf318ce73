"""The reference of views and actions agrees with the engine."""

import pytest

from arena.games.base import View
from arena.games.registry import GAMES, game
from web.manual.reference import options_of, reference


@pytest.mark.parametrize("id", GAMES)
def test_attributes_of_the_view_are_complete(id: str) -> None:
    """Each key of the views that bots are sent is an attribute, with a type and a sentence."""
    shown = reference(id)
    names = {member.name for member in shown.attributes}

    for example in shown.examples:
        assert set(example.view) <= names
    assert all(member.type and "TypeVar" not in member.type and "~" not in member.type for member in shown.attributes)
    assert all(member.doc for member in (*shown.attributes, *shown.methods))


@pytest.mark.parametrize("id", GAMES)
def test_examples_are_legal_decisions(id: str) -> None:
    """Each phase has one, whose action its view allows."""
    examples = reference(id).examples

    assert len({example.phase for example in examples}) == len(examples)
    for example in examples:
        view: View = GAMES[id].view_type(example.view)
        assert view.phase == example.phase
        assert example.action in view.legal
        assert len(view.legal) > 1


def test_phases_are_those_of_the_rules() -> None:
    """Every phase in which a bot is asked has an example."""
    phases = {id: [example.phase for example in reference(id).examples] for id in GAMES}

    assert phases == {
        "suitability": ["nominate", "privilege", "play"],
        "suit_yourself": ["bid", "pass", "second_bid", "play"],
        "suits_barnhart": ["play", "return"],
        "suits_steere": ["play"],
        "separate_suits": ["packet", "play"],
    }


def test_methods_have_signatures_without_modules() -> None:
    """Suitability's view compares cards."""
    (power,) = reference("suitability").methods

    assert (power.name, power.type) == ("power", "(card: str, led: str | None = None) -> int")


@pytest.mark.parametrize("id", GAMES)
def test_events_have_one_example_of_each_kind(id: str) -> None:
    """Examples are as one seat is sent them: cards that it does not see are a number."""
    events = reference(id).events

    assert len({event["kind"] for event in events}) == len(events) > 2
    assert all("seen_by" not in event for event in events)


def test_options_are_those_that_differ() -> None:
    """Defaults are left out, and null is a value."""
    assert options_of(GAMES["suitability"], {**game("suitability").options, "deals": None, "points": 250}) == {
        "deals": None,
        "points": 250,
    }
