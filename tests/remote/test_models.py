"""`arena models`: language models that answer badly, late or not at all, at home and at the tables of an arena."""

import json
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests
from click.testing import CliRunner
from sqlalchemy import func, select

from arena.cli import main
from arena.cli import models as command
from arena.db.models import LiveMove, LiveNote
from arena.games.base import Game
from arena.games.errors import Refused, Unavailable
from arena.games.registry import VARIANTS, game
from arena.match.referee import Played, play
from arena.remote.connect import Connection
from arena.remote.http import Remote
from arena.remote.link import Link
from arena.remote.models import endpoint, player, prompt
from arena.remote.models.endpoint import Endpoint
from arena.remote.models.player import ModelPlayer, Prices
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Setup
from arena.services.base.context import Arena, open_arena
from arena.services.bots.house import ensure_house
from arena.services.live import notes as stored
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.remote.conftest import URL
from tests.remote.standin import BAD, StandIn, at_random, legal_in, serving
from tests.remote.test_real_arena import Bridge
from tests.services.live.test_host import hosting
from web.app import create_app
from web.serving.limits import limiter

KEY = "sk-secret-of-the-server"
SHORT = 0.2
"""Seconds for which these tests wait for an answer; the stand-in is silent for longer."""
LEGAL = ["7H", "8H"]


def endpoint_of(server: StandIn, pauses: list[float]) -> Endpoint:
    """Return the stand-in's model."""
    return Endpoint(server.base, "a-model", KEY, timeout=SHORT, pause=pauses.append)


def asked(server: StandIn, pauses: list[float], name: str = "a") -> Iterator[Any]:
    """Yield replies of the stand-in to the first question of a match, again and again."""
    rules = game("suits_steere", {})
    state = rules.start([])
    state.deal(rules.draw_board(0, Random(1)))
    one = ModelPlayer(endpoint_of(server, pauses), Prices(2.0, 10.0))
    one.start(Setup(rules.id, rules.options, state.seat, [name, name, name], 1))
    while True:
        one.ask(state.view(state.seat), [event.for_seat(state.seat) for event in state.events or ()], 1.0)
        yield one.reply()


def first(*ways: str) -> Callable[[int], str]:
    """Return these ways, then good ones."""
    left = chain(ways, repeat("good"))
    return lambda number: next(left)


@pytest.mark.parametrize(
    ("way", "pauses"),
    [("silent", [1.0]), ("half", [1.0]), ("busy", [7.0]), ("broken", [1.0]), ("dripping", [1.0]), ("endless", [1.0])],
)
def test_server_in_trouble_is_asked_again_after_a_pause(way: str, pauses: list[float]) -> None:
    """The pause is the one that the server names. Nothing of it counts as an answer of the model."""
    waited: list[float] = []
    with serving(first(way)) as server:
        reply = next(asked(server, waited))

    assert waited == pauses
    assert server.answered == [way, "good"]
    assert (reply.note["answers"], reply.note["refused"], reply.note["gave_up"]) == (1, 0, False)
    assert server.asked[0] == server.asked[1]


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("long", "too long and was cut off"), ("illegal", "'ZZ' is not a legal action"),
        ("two", "is not a legal action"), ("prose", "did not begin with ACTION:"), ("declined", "declined to answer"),
        ("filtered", "declined to answer"),
    ],
)  # fmt: skip
def test_bad_answer_is_refused_with_the_reason_and_the_legal_actions(way: str, says: str) -> None:
    """The model reads its answer and what was wrong with it, and answers again; the tokens of both count."""
    with serving(first(way)) as server:
        reply = next(asked(server, []))

    question, refusal = server.asked[0]["messages"][-1]["content"], server.asked[1]["messages"][-1]["content"]
    assert says in refusal
    assert reply.action in question
    assert f" {reply.action}" in refusal
    assert [one["role"] for one in server.asked[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert (reply.note["answers"], reply.note["refused"], reply.note["gave_up"]) == (2, 1, False)
    assert [one["role"] for one in reply.note["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    if way not in ("declined",):
        assert (reply.note["tokens_in"], reply.note["tokens_out"]) == (2000, 20)
        assert reply.note["cost"] == pytest.approx(2000 * 2e-6 + 20 * 1e-5)


@pytest.mark.parametrize("way", BAD)
def test_model_that_never_answers_well_gives_up_the_move(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    """After three answers, or four attempts to get one, the first legal action is played, with a mark and a reason."""
    waited: list[float] = []
    with serving(lambda number: way) as server:
        reply = next(asked(server, waited))

    if way == "slow":  # slow but good
        assert not reply.note["gave_up"]
        return
    assert reply.note["gave_up"]
    assert reply.action == legal_in(server.asked[0]["messages"])[0]
    assert len(server.asked) <= max(1 + player.RETRIES, endpoint.ATTEMPTS)
    assert max(waited, default=0.0) <= endpoint.LONGEST_PAUSE
    said = capsys.readouterr().err
    assert "gave up a move" in said
    assert KEY not in said


def test_action_is_the_last_line_and_nothing_else() -> None:
    """A model may think before it, and set it in bold; nothing follows it."""
    for answer in ("ACTION: 7H", "ACTION: 8H? No.\n\nACTION:7H\n", "**ACTION: 7H**\n\n", "`ACTION: 7H`"):
        assert prompt.read(answer, LEGAL) == "7H"
    for answer in ("", "7H", "ACTION: 7h", "ACTION: 7H.", "ACTION: 7H\nGood luck!", "action: 7H", "ACTION: 7H 8H"):
        with pytest.raises(Refused):
            prompt.read(answer, LEGAL)


def test_notes_fit_into_what_an_arena_takes() -> None:
    """Long texts are cut, characters that nobody can store are replaced; only the first note has the rules."""
    with serving(lambda number: "prose") as server:
        replies = asked(server, [], "\N{SNOWMAN}" * 30_000)
        notes = [next(replies).note for _ in range(2)]

    for note in notes:
        assert len(json.dumps(note)) < 256 * 2**10
        assert len(note["messages"]) <= stored.MESSAGES
        assert all(len(one["text"]) <= stored.LONGEST for one in note["messages"])
        assert "\0" not in str(note)
        str(note).encode()
    assert [note["messages"][0]["role"] for note in notes] == ["system", "user"]


def at_home(rules: Game, model: ModelPlayer, seed: int) -> Played:
    """Play a match of a model with bots, without an arena."""
    others = [LocalPlayer(b"def act(view):\n    return view.legal[0]\n", "b.py") for _ in range(rules.players - 1)]
    rng, seats = Random(seed), range(rules.players)
    return play(
        rules, [model, *others], [f"p{seat}" for seat in seats], lambda i: rules.draw_board(i, rng), [1] * rules.players
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_matches_end_whatever_the_server_does(variant: str) -> None:
    """With a server that misbehaves at random every match of every variant ends without a fault, each move noted."""
    rules = game(VARIANTS[variant].game, VARIANTS[variant].options)
    made: list[Any] = []
    with serving(at_random(len(variant), 0.3)) as server:
        played = at_home(rules, ModelPlayer(endpoint_of(server, []), Prices(1.0, 1.0), made.append), 5)

    assert played.failures[0] is None
    assert len(made) == len(played.answered[0])
    assert any(note["refused"] for note in made)


@pytest.fixture
def arena(tmp_path: Path, sqlite_template: Path) -> Iterator[Arena]:
    """An arena on SQLite with house bots, whose live tables are played."""
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    opened = open_arena(factories.settings_in(tmp_path))
    ensure_house(opened)
    with hosting(opened):
        yield opened
    opened.close()


@pytest.fixture
def bridge(arena: Arena) -> Bridge:
    """The arena's web app, without a network."""
    made = Bridge(create_app(arena, {"SHARED_SECONDS": 0.0}))
    limiter.reset()
    return made


def test_arena_stores_every_note(arena: Arena, bridge: Bridge) -> None:
    """At an arena with a misbehaving server, matches of all variants end, and each answered move has its note.

    The arena's token never goes to the server, nor the server's key to the arena.
    """
    token = keys.make(arena, factories.user(arena, "ada"), "test", [Scope.UPLOAD])
    sent: list[Any] = []
    with serving(at_random(7, 0.3)) as server:
        for variant in VARIANTS:
            made: list[Any] = []
            new = lambda made=made: ModelPlayer(endpoint_of(server, []), Prices(1.0, 1.0), made.append)  # noqa: E731
            remote = Remote(URL, token, lambda _: None, bridge)
            found = Connection(Link(remote, 20.0), new, {"variant": variant, "length": "deal"}, 1, 1)
            found.run()
            assert any("mean score" in text for text in found.summary())
            sent += made

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(LiveNote)) == len(sent)
        assert session.scalar(select(func.count()).select_from(LiveMove).join(
            LiveNote, (LiveNote.table_id == LiveMove.table_id) & (LiveNote.number == LiveMove.number)
        )) == len(sent)  # fmt: skip
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert not [one for one in bridge.asked if KEY in str(one.headers) + str(one.body)]
    assert not [one for one in server.asked if token in json.dumps(one)]


def test_move_counts_at_an_arena_that_takes_no_note(
    arena: Arena, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older arena refuses the field; the model is not asked again."""
    token = keys.make(arena, factories.user(arena, "ada"), "test", [Scope.UPLOAD])
    monkeypatch.setattr(player.ModelPlayer, "_note", lambda *_: {"unknown": 1})
    made: list[Any] = []
    with serving() as server:
        remote = Remote(URL, token, lambda _: None, bridge)
        new = lambda: ModelPlayer(endpoint_of(server, []), Prices(), made.append)  # noqa: E731
        Connection(Link(remote, 20.0), new, {"variant": "separate-suits-2", "length": "deal"}, 1, 1).run()

    assert len(server.asked) == len(made)


def run(arena: Arena, *words: str, **environ: str) -> Any:
    """Run the command against an arena in this process."""
    token = keys.make(arena, factories.user(arena, "ada"), "test", [Scope.UPLOAD])
    given = {"ARENA_TOKEN": token, "ARENA_URL": URL, "NO_COLOR": "1", **environ}
    return CliRunner().invoke(main, ["models", *words], prog_name="arena", env=given)


def test_command_prints_what_came_out_and_what_it_cost(
    arena: Arena, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is tried before a table is opened; the key is read from the environment, and never printed."""
    real = requests.Session.get_adapter
    monkeypatch.setattr(
        requests.Session, "get_adapter", lambda self, url: bridge if url.startswith(URL) else real(self, url)
    )
    with serving() as server:
        words = ("separate-suits-2", "--length", "deal", "--price-in", "2", "--price-out", "10")
        done = run(arena, "a-model", "--base", server.base, "--key-from", "THEIRS", "--variant", *words, THEIRS=KEY)

    assert done.exit_code == 0, done.output
    assert server.asked[0]["messages"] == command.GREETING
    assert "1 matches: mean score" in done.output
    assert f"{len(server.asked) - 1} moves, {len(server.asked) - 1} answers: 0 refused, 0 moves given up" in done.output
    assert "tokens in" in done.output
    assert "cost 0.0" in done.output
    assert KEY not in done.output


def test_wrong_words_are_said_before_anything_is_sent(arena: Arena) -> None:
    """A key that is not there, an address that is none or holds a password, fields that are no object, a denied key."""
    with serving(lambda number: "denied") as server:
        base = ("m", "--base", server.base)
        for words, says in (
            ((*base, "--key-from", "NOT_THERE"), "the environment variable NOT_THERE is not set"),
            (("m", "--base", "localhost:80"), "is not an address"),
            (("m", "--base", "http://me:secret@localhost/v1"), "holds a password"),
            ((*base, "--fields", "[1]"), "is not a JSON object"),
        ):
            done = CliRunner().invoke(main, ["models", *words], prog_name="arena", env={"NO_COLOR": "1"})
            assert done.exit_code == 2, done.output
            assert says in done.output
        assert not server.asked


def test_denied_key_is_said_without_the_key() -> None:
    """The server repeats it."""
    with serving(lambda number: "denied") as server, pytest.raises(Refused, match="status 401") as refused:
        endpoint_of(server, []).ask([{"role": "user", "content": "x\nLegal actions:\n7H"}])

    assert KEY not in str(refused.value)


def test_address_without_a_server_is_said() -> None:
    """The last attempt says why."""
    waited: list[float] = []
    with pytest.raises(Unavailable, match="cannot be reached"):
        Endpoint("http://127.0.0.1:9/v1", "m", None, pause=waited.append).ask(command.GREETING)
    assert waited == [1.0, 2.0, 4.0]
