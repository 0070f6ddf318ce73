"""What a bot may use besides its clock, which the referee keeps."""

from dataclasses import dataclass
from typing import Final

from arena.settings import Settings

MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Bounds of one bot's process, in one match."""

    memory: int = 256 * MIB
    """Bytes of address space beyond what an empty bot has."""
    load: float = 5.0
    """CPU seconds for compiling, importing, constructing and `on_start` together."""
    end: float = 0.5
    """CPU seconds for `on_end`."""
    idle: float = 10.0
    """Seconds of real time that one answer may take beyond the bot's CPU time: asleep is not thinking."""
    output: int = 64 * 1024
    """Bytes of what it prints that are kept."""
    cpu: int = 900
    """CPU seconds in all: the kernel's own limit, for when nobody is watching the clock."""
    bracket: bool = False
    """Whether the process is stopped while the bot is not asked, so that it cannot compute out of turn at all."""
    grid: float = 0.0
    """Seconds: an answer is delivered at a multiple of them after the question, so that no other seat can read anything
    finer from when it is asked; 0 for at once."""


DEFAULT_LIMITS: Final = Limits()


def limits_of(settings: Settings) -> Limits:
    """The limits that the operator wants."""
    return Limits(memory=settings.bot_memory * MIB, bracket=settings.stop_bracket, grid=settings.delivery_grid / 1000)
