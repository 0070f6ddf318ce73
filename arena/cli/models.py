"""The command ``arena models``."""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import click

from arena.cli.connect import at_tables, connection_of, link_to, play
from arena.remote.models.endpoint import Endpoint
from arena.remote.models.player import ModelPlayer, Prices
from arena.remote.options import arena_option
from arena.remote.picture import Screen
from arena.remote.texts import say

GREETING = [{"role": "user", "content": "Answer with the word ready."}]
"""What the model is asked before a table is opened."""


class Address(click.ParamType[str]):
    """The address of a server, without a name or a password in it."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        parsed = urlsplit(value)
        if parsed.scheme not in ("http", "https") or not parsed.hostname:
            self.fail(f"{value!r} is not an address such as http://localhost:11434/v1", param, ctx)
        if parsed.username is not None:
            self.fail(
                "the address holds a password; put it into the environment, and name it with --key-from", param, ctx
            )
        return str(value)


class Fields(click.ParamType[dict[str, Any]]):
    """A JSON object."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.fail(f"{value!r} is not a JSON object", param, ctx)
        return found


@click.command()
@click.argument("model")
@click.option("--base", type=Address(), required=True, help="Address of the server, without /chat/completions.")
@click.option("--key-from", metavar="NAME", help="Environment variable that holds the server's key.")
@click.option(
    "--timeout", type=click.FloatRange(1, 3600), default=120.0, show_default=True, help="Seconds an answer may take."
)
@click.option("--fields", type=Fields(), help="""More fields of each request, such as '{"temperature": 0}'.""")
@click.option("--price-in", type=click.FloatRange(0), help="Price of a million tokens to the model.")
@click.option("--price-out", type=click.FloatRange(0), help="Price of a million tokens from the model.")
@at_tables
@arena_option
def models(
    model: str, base: str, key_from: str | None, timeout: float, fields: dict[str, Any] | None, price_in: float | None,
    price_out: float | None, url: str | None, **words: Any,
) -> None:  # fmt: skip
    """Let the language MODEL of a server play with bots of an arena: for practice, or with --as for a rating.

    The server takes requests in the usual chat-completions form. Every prompt and answer, the tokens, the cost and the
    time are stored at the arena beside the move, and shown with the replay once a match is over.

    An answer without a legal action is refused twice at most; then the first legal action is played, and marked. The
    key goes to the server alone.
    """
    endpoint = Endpoint(base, model, _key(key_from), extra=fields, timeout=timeout)
    link = link_to(url)
    endpoint.ask(GREETING)
    tally = Tally()
    new_player = lambda: ModelPlayer(endpoint, Prices(price_in, price_out), tally.add)  # noqa: E731
    play(connection_of(link, new_player, model=model, **words), Screen())
    say(*tally.summary())


def _key(name: str | None) -> str | None:
    """Return the key in an environment variable. Raises `UsageError` if there is none."""
    if name is None:
        return None
    if not (key := os.environ.get(name, "").strip()):
        raise click.UsageError(f"the environment variable {name} is not set")
    return key


class Tally:
    """The figures of all moves."""

    def __init__(self) -> None:
        self._notes: list[Mapping[str, Any]] = []

    def add(self, note: Mapping[str, Any]) -> None:
        """Count a move."""
        self._notes.append({**note, "messages": ()})

    def summary(self) -> Iterator[str]:
        """Yield what the moves cost."""
        refused, given_up = self._sum("refused"), self._sum("gave_up")
        yield f"{len(self._notes)} moves, {self._sum('answers')} answers: {refused} refused, {given_up} moves given up"
        if self._sum("tokens_in") or self._sum("tokens_out"):
            yield f"{self._sum('tokens_in'):,} tokens in, {self._sum('tokens_out'):,} tokens out"
        if self._sum("cost"):
            yield f"cost {self._sum('cost'):.4f}"

    def _sum(self, name: str) -> Any:
        return sum(note[name] or 0 for note in self._notes)
