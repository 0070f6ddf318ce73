"""A match in the terminal, step by step."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from arena.games.cards import SUIT_SIGNS
from arena.match.position import Position, position_after
from arena.match.replay import replay

KEYS: Final = "Space or → next, ← back, d next deal, q quit"


def watch(record: Mapping[str, Any]) -> None:
    """Show a match; on a terminal a key leads from step to step, otherwise all steps are printed."""
    match = replay(record)
    steps = match["steps"]
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for number in range(len(steps)):
            click.echo("\n".join([*screen(match, number), ""]))
        return
    number = 0
    while number < len(steps):
        click.clear()
        click.echo("\n".join([*screen(match, number), "", f"Step {number + 1} of {len(steps)}. {KEYS}"]))
        number = _moved(steps, number, click.getchar())


def _moved(steps: Sequence[Mapping[str, Any]], number: int, key: str) -> int:
    """Return the number of the step to which a key leads; the number of steps to quit."""
    if key in ("q", "\x1b"):
        return len(steps)
    if key in ("b", "\x1b[D"):
        return max(0, number - 1)
    if key == "d":
        deals = (later for later in range(number + 1, len(steps)) if steps[later]["events"][0]["kind"] == "deal")
        return next(deals, len(steps) - 1)
    return min(number + 1, len(steps))


def screen(match: Mapping[str, Any], number: int) -> Iterator[str]:
    """Yield the lines that show a step: what happened, the facts, and the cards of each seat."""
    steps, names = match["steps"], [seat["name"] for seat in match["seats"]]
    for event in steps[number]["events"]:
        yield _named(event["text"], names)
    position = position_after(steps, number)
    yield ""
    yield from _facts(match, position, names)
    signs = SUIT_SIGNS if match["game"]["deck"] == "french" else {}
    for place in sorted(place for place, cards in position.places.items() if cards and not place.startswith("won")):
        cards = [card.token for card in position.places[place]]
        yield f"  {_place(place, names):<24} {' '.join(_card(card, signs) for card in cards)}"


def _facts(match: Mapping[str, Any], position: Position, names: Sequence[str]) -> Iterator[str]:
    for fact in match["facts"]:
        value = position.facts.get(fact["key"])
        if value is None:
            continue
        if fact["per_seat"]:
            parts = (f"{name} {one}" for name, one in zip(names, value, strict=True) if one is not None)
            text = ", ".join(parts)
        else:
            text = f"{names[value]} ({value})" if fact["kind"] == "seat" else str(value)
        if text:
            yield f"  {fact['label']:<24} {text}"


def _named(text: str, names: Sequence[str]) -> str:
    return text.format(*(f"{name} ({seat})" for seat, name in enumerate(names)))


def _place(place: str, names: Sequence[str]) -> str:
    kind, _, seat = place.partition(":")
    return f"{kind} of {names[int(seat)]} ({seat})" if seat.isdigit() and int(seat) < len(names) else place


def _card(token: str, signs: Mapping[str, str]) -> str:
    return token[0] + signs[token[1]] if len(token) == 2 and token[1] in signs else token
