"""Verdicts on bots: a closed set of kinds, each with a sentence for the author."""

from typing import Final

from arena.games.errors import ArenaError

KINDS: Final = {
    "illegal": "it returned an action that is not among view.legal",
    "error": "it raised an exception",
    "timeout": "it used up its time",
    "memory": "it needed more memory than is allowed",
    "crash": "its process ended",
    "protocol": "it sent something that is not a reply",
    "ponder": "it went on computing while it was not its turn",
}

STAGES: Final = ("parse", "import", "find", "construct", "start", "play")
"""How far a bot comes: its text, its module, its class or function, its instance, its `on_start`, its moves."""


class Fault(ArenaError):
    """A bot failed. What it says is for the bot's author; faults of the arena are `ArenaFault`."""

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
        """The traceback, with the paths of the server taken out; empty where there is none."""
        self.line = line
        """The line of the bot's file that raised, where there is one."""
        self.file = file
        """The name of that file."""
        self.stage = stage
        """How far it had come (see `STAGES`)."""
        self.output = output
        """What it had printed; filled in where the bot was only being inspected."""
