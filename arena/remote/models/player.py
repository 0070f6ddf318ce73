"""A player that asks a language model, and keeps what was asked and answered as a note about the move."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import click

from arena.games.errors import ArenaError, Refused
from arena.games.registry import game
from arena.remote.models import prompt
from arena.remote.models.endpoint import Completion, Endpoint
from arena.sdk.player import Quiet, Reply, Setup

RETRIES: Final = 2
"""Number of answers that may be refused before the model gives up a move."""
LONGEST: Final = 24_000
"""Characters of a message in a note, as an arena takes them."""
LARGEST: Final = 200_000
"""Bytes of a note as JSON; in a larger one messages are cut to `SHORT` characters."""
SHORT: Final = 4_000
NOTHING: Final = "(no text)"
"""Text in place of an empty answer: many servers take no empty message."""


class Prices(NamedTuple):
    """Prices of a million tokens; None if they are not known."""

    tokens_in: float | None = None
    tokens_out: float | None = None


@dataclass
class Asked:
    """Questions and answers about one move."""

    messages: list[dict[str, str]]
    answers: int = 0
    refused: int = 0
    gave_up: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None

    def add(self, answer: Completion) -> None:
        """Count an answer and its tokens."""
        self.answers += 1
        self.tokens_in = _sum(self.tokens_in, answer.tokens_in)
        self.tokens_out = _sum(self.tokens_out, answer.tokens_out)
        self.messages.append(_message("assistant", storable(answer.text)[:LONGEST] or NOTHING))

    def cost(self, prices: Prices) -> float | None:
        """Return the cost of all tokens; None if prices or tokens are not known."""
        pairs = ((self.tokens_in, prices.tokens_in), (self.tokens_out, prices.tokens_out))
        known = [count * price / 1e6 for count, price in pairs if count is not None and price is not None]
        return sum(known) if len(known) == len(pairs) else None


class ModelPlayer(Quiet):
    """A language model in one seat of one match. It never fails: it gives up a move, and plays on."""

    wants_events = True

    def __init__(
        self, endpoint: Endpoint, prices: Prices, on_move: Callable[[Mapping[str, Any]], None] = lambda note: None
    ) -> None:
        """`on_move` is called with the note about each move."""
        self._endpoint, self._prices, self._on_move = endpoint, prices, on_move
        self._is_first = True
        """Whether no note has the system message yet."""

    def start(self, setup: Setup) -> None:
        self._rules, self._seats = game(setup.game, setup.options), setup.seats
        self._system = prompt.system(self._rules, setup)

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._legal: Sequence[str] = view["legal"]
        self._question = prompt.question(self._rules, self._seats, view, events)

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Return the model's action, or after the last refused answer the first legal one."""
        began = time.monotonic()
        asked = Asked([_message("system", self._system), _message("user", self._question)])
        action = self._action(asked)
        wall = time.monotonic() - began
        note = self._note(asked, wall)
        self._on_move(note)
        self._is_first = False
        return Reply(action, wall, wall, note=note)

    def _action(self, asked: Asked) -> str:
        reason = ""
        try:
            for attempt in range(1 + RETRIES):
                if attempt:
                    asked.messages.append(_message("user", prompt.refusal(reason, self._legal)))
                answer = self._endpoint.ask(asked.messages)
                asked.add(answer)
                try:
                    return _read(answer, self._legal)
                except Refused as refusal:
                    asked.refused += 1
                    reason = str(refusal)
        except ArenaError as error:
            reason = str(error)
        asked.gave_up = True
        click.echo(f"arena models: gave up a move: {reason}", err=True)
        return str(self._legal[0])

    def _note(self, asked: Asked, seconds: float) -> dict[str, Any]:
        """Return the note about a move. Only the first one of a match has the system message."""
        said = asked.messages if self._is_first else asked.messages[1:]
        note = {
            **vars(asked),
            "model": self._endpoint.model,
            "messages": _noted(said, LONGEST),
            "seconds": seconds,
            "cost": asked.cost(self._prices),
        }
        return note if len(json.dumps(note)) <= LARGEST else {**note, "messages": _noted(said, SHORT)}


def _read(answer: Completion, legal: Sequence[str]) -> str:
    """Return the action of an answer. Raises `Refused`."""
    if answer.refusal:
        raise Refused(answer.refusal)
    return prompt.read(answer.text, legal)


def _message(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}


def _noted(messages: Sequence[Mapping[str, str]], longest: int) -> list[dict[str, str]]:
    """Return messages as a note has them."""
    return [{"role": one["role"], "text": one["content"][:longest]} for one in messages]


def storable(text: str) -> str:
    """Replace characters that an arena cannot store: NUL and lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def _sum(one: int | None, other: int | None) -> int | None:
    return one if other is None else (one or 0) + other
