"""Play an attack inside or outside of a cage and report whether it succeeded."""

import secrets
import subprocess
import sys
from contextlib import ExitStack
from textwrap import dedent, indent
from typing import Any, Final, NamedTuple

from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from arena.sdk.faults import Fault
from tests.sandbox.attacks.attack import Attack
from tests.sandbox.attacks.plants import PLANTS, Scene, canary
from tests.sandbox.attacks.tools import tools

VIEW: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": ["2C", "3C", "4C"]}
_TIME: Final = 5.0
_SEAT: Final = """
turn = 0
address = buffer({secret!r})

def first(view):
{first}

def then(view):
{then}

def act(view):
    global turn
    turn += 1
    if turn > 1:
        return then(view)
    try:
        first(view)
    except OSError:
        pass
    return f"{{os.getpid()}} {{address}}"
"""


class Outcome(NamedTuple):
    """Outcome of an attack."""

    breached: bool
    ends: str
    """Kind of verdict, ``answer``, or ``arena`` if the bot was not at fault."""
    said: str
    """Everything that came out of the bot."""


class _Stage:
    """Planted targets of one attack."""

    def __init__(self, attack: Attack, stack: ExitStack) -> None:
        self.plants = [PLANTS[name](stack) for name in attack.plants]
        self.proof = secrets.token_hex(8)
        self.secrets = [self.proof, *(plant.secret for plant in self.plants if plant.secret)]
        self.names: dict[str, object] = {"PROOF": self.proof}
        for plant in self.plants:
            self.names |= plant.names

    def breached(self, said: str, scene: Scene) -> bool:
        """Return whether a secret leaked or harm was done. Every target is checked."""
        harmed = [plant.harmed(scene) for plant in self.plants]
        return any(harmed) or any(secret in said for secret in self.secrets)


def play(attack: Attack, cage: Cage) -> Outcome:
    """Play the attack in a cage."""
    with ExitStack() as stack:
        stage = _Stage(attack, stack)
        seat = _Seat(attack, cage, stage, stack) if attack.seat is not None else None
        attacker = cage.player(source(attack, stage.names), attack.limits)
        stack.callback(attacker.close)
        zygote = cage.zygote
        ends, said = _ask(attacker, ready=True)
        said += attacker.output()
        harmed = False
        if seat and seat.lives:
            seat_ends, seat_said = _ask(seat.player)
            said += seat_said
            harmed = seat_ends != "answer"
        return Outcome(stage.breached(said, Scene(zygote, attacker.pid)) or harmed, ends, said)


def play_bare(attack: Attack, cage: Cage) -> bool:
    """Play the attack in an ordinary process. Return whether it succeeded."""
    with ExitStack() as stack:
        stage = _Stage(attack, stack)
        program = source(attack, stage.names).decode() + "\nprint(act(None))"
        done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, timeout=30)
        return stage.breached(done.stdout, Scene(cage.zygote, 0))


def source(attack: Attack, names: dict[str, object]) -> bytes:
    """Return the attack as a bot."""
    return f"{tools(**names)}\ndef act(view):\n{_body(attack.body)}\n".encode()


def _body(lines: str) -> str:
    return indent(dedent(lines).strip() or "pass", "    ")


class _Seat:
    """The other bot at the table, which has its own secret."""

    def __init__(self, attack: Attack, cage: Cage, stage: _Stage, stack: ExitStack) -> None:
        secret = canary()
        lines = _SEAT.format(secret=secret, first=_body(attack.seat or ""), then=_body(attack.seat_then))
        self.player: Caged = cage.player((tools(**stage.names) + lines).encode(), seat=1)
        stack.callback(self.player.close)
        ends, said = _ask(self.player, ready=True)
        self.lives = ends == "answer"
        """Whether it survived its first move."""
        pid, address = map(int, said.split()) if self.lives else (self.player.pid, 0)
        stage.names |= {"SEAT": pid, "SEAT_ADDRESS": address, "SEAT_SIZE": len(secret)}
        stage.secrets.append(secret)


def _ask(player: Caged, ready: bool = False) -> tuple[str, str]:
    """Ask the bot once. Return how it ended and everything it said."""
    try:
        if ready:
            player.ready()
        player.ask(VIEW, (), _TIME)
        return "answer", player.reply().action
    except Fault as fault:
        return fault.kind, f"{fault.detail} {fault.traceback}"
    except ArenaFault as fault:
        return "arena", str(fault)
