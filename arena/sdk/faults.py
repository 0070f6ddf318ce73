"""Faults of bots: a closed set of kinds, each with a sentence for the author."""

from typing import Final

from arena.games.errors import ArenaError
from arena.words import N_

KINDS: Final = {
    "illegal": N_("it returned an action that is not among view.legal"),
    "error": N_("it raised an exception"),
    "timeout": N_("it used up its time"),
    "memory": N_("it needed more memory than is allowed"),
    "crash": N_("its process ended"),
    "protocol": N_("it sent something that is not a reply"),
    "ponder": N_("it went on computing while it was not its turn"),
}
"""What the bot did, by kind, as texts to be translated."""

STAGES: Final = ("parse", "import", "find", "construct", "start", "play")
"""Stages in the life of a bot: its text, its module, its class or function, its instance, `on_start`, its moves."""


LOADING: Final = STAGES[1:-1]
"""Stages that a bot's process reports as they begin, in this order."""

GUEST_KINDS: Final = ("illegal", "error", "memory")
"""Kinds that a bot's own process detects; the engine detects the others."""


class Fault(ArenaError):
    """A bot failed. The message is for the bot's author; failures of the arena are `ArenaFault`."""

    def __init__(
        self,
        kind: str,
        detail: str,
        traceback: str = "",
        line: int | None = None,
        stage: str = "",
        output: str = "",
        file: str = "",
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.traceback = traceback
        """Traceback without the server's paths; empty if there is none."""
        self.line = line
        """Line of the bot's file that raised, if known."""
        self.file = file
        """Name of the file of `line`."""
        self.stage = stage
        """Stage that the bot had reached (`STAGES`)."""
        self.output = output
        """Text that the bot had printed; set only when it was inspected."""

    @property
    def place(self) -> str:
        """Return the place of the fault as the end of a sentence: ", line 4 of bot.py"; empty if that is not known."""
        return place(self.line, self.file)


def place(line: int | None, file: str) -> str:
    """Return a line of a bot's file as the end of a sentence; empty if it is not known."""
    return f", line {line}{f' of {file}' if file else ''}" if line else ""
