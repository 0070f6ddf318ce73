"""A console that writes JSON, for operators whose logs are read by programs."""

import structlog
from rich.text import Text

from arena.settings import Settings
from workers.logs import JSON, configure_logs


class Lines:
    """A console that logs what it prints, as JSON."""

    def __init__(self, settings: Settings) -> None:
        configure_logs(settings.log_level, JSON)
        self._log = structlog.get_logger("arena.up")

    def print(self, text: Text | str) -> None:
        """Log a text as one event."""
        self._log.info(" ".join(str(text).split()))
