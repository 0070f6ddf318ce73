"""Messages about this machine's cage, for commands that start workers."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.sandbox.doctor.alone import require
from arena.settings import Settings


class Description(NamedTuple):
    """The cage of this machine, for its operator."""

    line: str
    refused: Sequence[str]
    """Sentences about packages that are not offered to bots."""
    warning: str | None
    """Warning about an insecure run; None if the run is not insecure."""


def require_cage(settings: Settings) -> Description:
    """Describe the cage of this machine. Raises `ArenaFault` if it is below the minimum."""
    held = require(settings.sandbox_minimum, settings.bot_packages)
    packages = ", ".join(f"{name} {version}".strip() for name, version in held.packages.items() if name != "python")
    return Description(
        f"{held.layers} layers around every bot, each tested alone (see arena doctor), with {packages}",
        [f"Bots cannot import {name}: {why} (ARENA_BOT_PACKAGES)." for name, why in held.refused.items()],
        insecure_warning(settings, held.lacking),
    )


def insecure_warning(settings: Settings, lacking: Sequence[str]) -> str | None:
    """Return the operator's warning about an insecure run without these layers; None if the run is not insecure."""
    if not settings.insecure:
        return None
    have = f"this machine lacks {', '.join(lacking)}" if lacking else "this machine has them all: unset it"
    return (
        f"INSECURE RUN: ARENA_SANDBOX_MINIMUM=none lets bots run with only the layers available ({have}). "
        "Enter only trusted bots. Pages and results show a notice."
    )
