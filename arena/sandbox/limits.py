"""Limits on a bot's process, in addition to the match clock, which the referee keeps."""

from dataclasses import dataclass
from typing import Final

from arena.sdk.local import END, LOAD
from arena.settings import Settings

MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits of one bot's process in one match."""

    memory: int = 256 * MIB
    """Bytes of address space beyond those of an empty bot."""
    load: float = LOAD
    """CPU seconds for compiling, importing, constructing and `on_start` together."""
    end: float = END
    """CPU seconds for `on_end`."""
    nap: float = 1.0
    """Seconds that it may sleep while loading, and again in `on_end`."""
    idle: float = 60.0
    """Seconds that it may sleep over one move if no match clock counts them."""
    output: int = 64 * 1024
    """Bytes of printed output that are kept."""
    cpu: int = 900
    """Total CPU seconds. The kernel enforces this limit even if the engine does not watch the clock."""
    bracket: bool = False
    """Whether the process is stopped between requests, so that it cannot compute out of turn."""


DEFAULT_LIMITS: Final = Limits()


def limits_of(settings: Settings) -> Limits:
    """Return the limits that the operator configured."""
    return Limits(memory=settings.bot_memory * MIB, bracket=settings.stop_bracket)
