"""Prompts for language models, and how their answers are read.

The rules are the system message. Each question stands alone: the view holds everything that the seat may know, so a
match costs as many tokens as it has questions, not their square. The last line of an answer is the action: every model
can write one, with or without a JSON mode, and may think aloud before it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.base import Field, Game, View
from arena.games.errors import Refused, shown
from arena.games.rules import page
from arena.sdk.player import Setup

FORM: Final = "ACTION:"
"""Beginning of the line with the action."""
EVENTS: Final = 120
"""Number of the latest events that a question has."""
_SEAT: Final = re.compile(r"\{(\d+)\}")
_SYSTEM: Final = """\
You play a card game. These are its rules.

{rules}
This match has the options {options}. You are seat {seat}, {name}. The seats are, clockwise from 0: {seats}.

Each question has what happened since your last action, your view of the game as JSON, and your legal actions. In the
view and in actions a card is its rank and its suit, if the game has suits. The fields of the view:

{fields}

You may think before you decide. The last line of your answer must be the action and nothing else, in this form:
{form} one of the legal actions, written exactly as it is listed
"""
_QUESTION: Final = """\
Since your last action:
{events}

Your view:
{view}

{question}
Legal actions:
{legal}
"""
_REFUSAL: Final = """\
{reason} Choose one of the legal actions: {legal}
The last line of your answer must be {form} and that action.
"""


def system(rules: Game, setup: Setup) -> str:
    """Return the system message of a match."""
    return _SYSTEM.format(
        rules=page(rules.id),
        options=_compact(setup.options),
        seat=setup.seat,
        name=setup.seats[setup.seat],
        seats=", ".join(setup.seats),
        fields="\n".join(f"- {name}: {' '.join(says.split())}" for name, says in _fields(rules.view_type).items()),
        form=FORM,
    )


def question(rules: Game, seats: Sequence[str], view: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    """Return the message that asks for a move."""
    said = list(dict.fromkeys(event["text"] for event in events if event["text"]))[-EVENTS:]
    known = {name: value for name, value in view.items() if name != "legal"}
    return _QUESTION.format(
        events="\n".join(f"- {_named(text, seats)}" for text in said) or "- nothing",
        view=_compact(known),
        question=_named(rules.question(view), seats),
        legal="\n".join(_listed(rules, token, view) for token in view["legal"]),
    )


def read(answer: str, legal: Sequence[str]) -> str:
    """Return the action in an answer. Raises `Refused` with what is wrong with it."""
    lines = [one for line in answer.splitlines() if (one := line.strip().strip("*`").strip())]
    if not lines or not lines[-1].startswith(FORM):
        raise Refused(f"Your last line did not begin with {FORM}.")
    action = lines[-1].removeprefix(FORM).strip()
    if action not in legal:
        raise Refused(f"{shown(action)} is not a legal action.")
    return action


def refusal(reason: str, legal: Sequence[str]) -> str:
    """Return the message that asks again."""
    return _REFUSAL.format(reason=reason, legal=" ".join(legal), form=FORM)


def _listed(rules: Game, token: str, view: Mapping[str, Any]) -> str:
    """Return a legal action as the question lists it; one that moves no cards is explained."""
    return token if rules.cards_of(token) else f"{token} ({rules.label(token, view)})"


def _named(text: str, seats: Sequence[str]) -> str:
    """Return a sentence with the names of the seats."""
    return _SEAT.sub(lambda mark: seats[int(mark[1])], text)


def _fields(view: type[View]) -> dict[str, str]:
    """Return the fields of a view and their descriptions, without the legal actions."""
    members = {name: member for one in reversed(view.__mro__) for name, member in vars(one).items()}
    fields = {name: member.__doc__ or "" for name, member in members.items() if isinstance(member, Field | property)}
    return {name: says for name, says in fields.items() if name != "legal"}


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
