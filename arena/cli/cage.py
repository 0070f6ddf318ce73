"""What commands that start workers say about this machine's cage."""

from arena.sandbox import Cage
from arena.sandbox.doctor.alone import require
from arena.settings import Settings


def require_cage(settings: Settings) -> str:
    """Describe the cage of this machine. Raises `ArenaFault` if it is below the minimum."""
    return f"{require(settings.sandbox_minimum)} layers around every bot, each tested alone; arena doctor lists them"


def insecure_warning(settings: Settings) -> str | None:
    """Return the operator's warning about an insecure run; None if the run is not insecure."""
    if not settings.insecure:
        return None
    with Cage(settings.sandbox_minimum) as cage:
        lacking = [name for name, why_not in cage.zygote.probe().items() if why_not]
    have = f"this machine lacks {', '.join(lacking)}" if lacking else "this machine has them all: unset it"
    return (
        f"INSECURE RUN: ARENA_SANDBOX_MINIMUM=none lets bots run with only the layers available ({have}). "
        "Enter only trusted bots. Pages and results show a notice."
    )
