"""A program in another language in a seat: what it reads, and what becomes of bad answers."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from arena.remote import program
from arena.remote.program import ProgramPlayer
from arena.sdk.faults import Fault
from arena.sdk.player import Setup

Start: TypeAlias = Callable[..., ProgramPlayer]

SETUP = Setup("suitability", {"players": 2}, 1, ["a", "b"], 7)
VIEW = {"hand": ["9h", "2s"], "legal": ["9h", "2s"]}
LOOP = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    print(line, file=sys.stderr, end="", flush=True)
    if message["op"] in ("act", "refused"):
        {answer}
        sys.stdout.flush()
"""
GOOD = 'print(json.dumps({"id": message["id"], "action": "2s"}))'


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a program that answers by these lines of Python, and return its player."""
    players = []

    def started(answer: str, loop: str = LOOP, **more: Any) -> ProgramPlayer:
        path = tmp_path / "bot"
        lines = answer.replace("\n", "\n        ")
        path.write_text(f"#!{sys.executable}\n{loop.replace('{answer}', lines)}")
        path.chmod(0o755)
        player = ProgramPlayer(path, captured=True, **more)
        players.append(player)
        player.start(SETUP)
        return player

    yield started
    for player in players:
        player.close()


def ask(player: ProgramPlayer, seconds: float = 10.0) -> str:
    """Ask for a card and return the answer."""
    player.ask(VIEW, [{"kind": "deal"}], seconds)
    return player.reply().action


def heard(player: ProgramPlayer) -> list[dict[str, Any]]:
    """Return what the program has read; it ends."""
    return [json.loads(line) for line in player.close().output.splitlines()]


def test_program_hears_the_whole_match(start: Start) -> None:
    """The setup, each question with its number, view and events, and the result arrive in order."""
    player = start(GOOD)
    player.ready()

    assert [ask(player), ask(player)] == ["2s", "2s"]
    player.end([], [3, 4], [2, 1])
    player.ended()
    first, question, again, last = heard(player)
    assert first == {"op": "start", **SETUP._asdict()}
    assert question == {"op": "act", "id": 1, "time": 10.0, "view": VIEW, "events": [{"kind": "deal"}]}
    assert again["id"] == 2
    assert last == {"op": "end", "events": [], "scores": [3, 4], "ranks": [2, 1]}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("hello", "this line is not JSON; print other text to standard error"),
        ("[" * 5000, "this line is not JSON; print other text to standard error"),
        ('"2s"', 'an answer is an object such as {"id":1,"action":"7h"}'),
        ('{"action":"2s"}', 'an answer is an object such as {"id":1,"action":"7h"}'),
        ('{"id":1,"action":"3s"}', "the answer to question 1 is one of the legal actions"),
        ('{"id":1,"action":["2s"]}', "the answer to question 1 is one of the legal actions"),
        ('{"id":2,"action":"2s"}', "the answer to question 1 is one of the legal actions"),
    ],
)
def test_bad_answer_is_refused_with_legal_actions_and_costs_only_time(start: Start, bad: str, reason: str) -> None:
    """The program reads why, what is allowed and how long it may take, and answers again."""
    player = start(f"print({bad!r}) if message['op'] == 'act' else {GOOD}")

    assert ask(player) == "2s"
    refusal = heard(player)[-1]
    assert 0 < refusal.pop("time") <= 10  # rounded to milliseconds
    assert refusal == {"op": "refused", "id": 1, "reason": reason, "legal": VIEW["legal"]}


def test_second_answer_to_a_question_is_not_taken_for_the_next(start: Start) -> None:
    """An answer names its question, so a late one is ignored."""
    player = start(f'{GOOD}\nprint(json.dumps({{"id": message["id"], "action": "9h"}}))')

    assert [ask(player), ask(player), ask(player)] == ["2s", "2s", "2s"]
    assert [message["op"] for message in heard(player)] == ["start", "act", "act", "act"]


def test_silent_program_fails_after_its_time(start: Start) -> None:
    """The sentence names the time that it had; without limits, it may take longer."""
    with pytest.raises(Fault, match=r"timeout: it had 0\.20 s of real time left") as failed:
        ask(start("time.sleep(60)"), 0.2)

    assert failed.value.kind == "timeout"
    assert ask(start(f"time.sleep(0.3)\n{GOOD}", limited=False), 0.1) == "2s"


def test_ended_program_fails_with_its_status(start: Start) -> None:
    """A program that ends between two questions fails as well."""
    with pytest.raises(Fault, match="crash: its process ended with status 3"):
        ask(start("os._exit(3)"))

    player = start(f"{GOOD}\nsys.stdout.flush()\nos._exit(4)")
    assert ask(player) == "2s"
    with pytest.raises(Fault, match="crash: its process ended with status 4"):
        ask(player)


def test_program_that_cannot_start_fails(tmp_path: Path) -> None:
    """The reason is that of the system."""
    path = tmp_path / "bot"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    player = ProgramPlayer(path)
    player.start(SETUP)

    with pytest.raises(Fault, match="it cannot be started: No such file or directory"):
        player.ready()
    assert player.close().output == ""


def test_program_that_reads_nothing_fails(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena does not wait for it without end, nor for one that writes without end."""
    monkeypatch.setattr(program, "PATIENCE", 0.2)
    flood = 'import time\nfor n in range(10**9): print(json.dumps({"id": n, "action": "2s"}), flush=True)'
    player = start("", loop=f"import json\n{flood}")

    with pytest.raises(Fault, match="protocol: it does not read its input"):
        player.ask({**VIEW, "filler": "x" * 1_000_000}, [], 5.0)


def test_nothing_of_a_program_stays(start: Start, tmp_path: Path) -> None:
    """Processes that it started end with it."""
    fork = f"child = os.fork()\nif not child: time.sleep(60)\nopen('{tmp_path}/child', 'w').write(str(child))"
    player = start(f"{fork}\n{GOOD}")
    ask(player)
    child = Path("/proc", (tmp_path / "child").read_text())
    player.close()

    deadline = time.monotonic() + 10
    while child.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not child.exists()
