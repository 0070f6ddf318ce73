"""Bots that play in this process, without a cage."""

import pytest

from arena.sdk import local
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Setup

SETUP = Setup("suitability", {"players": 4}, 0, ("a", "b", "c", "d"), 1)
VIEW = {"seat": 0, "phase": "play", "legal": ["7S"]}


def player(source: str, *, limited: bool = True) -> LocalPlayer:
    """Return a bot that has loaded."""
    made = LocalPlayer(source.encode(), "mine.py", limited=limited)
    made.start(SETUP)
    made.ready()
    made.ask(VIEW, (), 0.05)
    return made


@pytest.mark.parametrize("body", ["while True: pass", "while True:\n  try: view.legal\n  except Exception: pass"])
def test_endless_loop_ends_with_its_line(body: str) -> None:
    """A bot that uses up its time has the fault of the cage, with the line, even if it catches exceptions."""
    with pytest.raises(Fault) as caught:
        player(f"def act(view):\n {body}").reply()
    fault = caught.value

    assert (fault.kind, fault.file) == ("timeout", "mine.py")
    assert fault.line in (2, 3, 4)
    assert "timer.py" not in fault.traceback


def test_endless_loop_while_loading_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading is limited, too."""
    monkeypatch.setattr(local, "LOAD", 0.05)
    with pytest.raises(Fault) as caught:
        player("while True: pass\ndef act(view): return ''")

    assert (caught.value.kind, caught.value.line, caught.value.stage) == ("timeout", 1, "import")


def test_ctrl_c_is_no_fault_of_the_bot() -> None:
    """Ctrl-C ends the command and not only the bot's turn."""
    with pytest.raises(KeyboardInterrupt):
        player("def act(view): raise KeyboardInterrupt").reply()


def test_bot_in_a_debugger_has_no_limit() -> None:
    """Without the limit a bot may think for longer than it has."""
    source = "import time\nend = time.process_time() + 0.1\ndef act(view):\n"
    source += " while time.process_time() < end: pass\n return '7S'"

    assert player(source, limited=False).reply().action == "7S"
