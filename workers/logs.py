"""Logs of all parts: one line per event on standard error, as text for people or as JSON for programs."""

import logging.config
import sys
import warnings
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

from arena.services.base.texts import described

TEXT, JSON = "text", "json"
"""Formats of a line."""

CHATTY: Final = ("celery.worker.strategy", "celery.app.trace", "celery.beat")
"""Loggers that write a line per doorbell or tick; shown at level debug only."""
GUNICORN: Final = ("gunicorn.error", "gunicorn.access")
"""Gunicorn's loggers, which write by themselves unless told otherwise."""

_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper("iso", utc=True),
]


def configure_logs(level: str, form: str) -> None:
    """Make the standard library's loggers and structlog write lines of the same format (`TEXT` or `JSON`).

    Python's warnings are logged as well. Use of what is deprecated is a `FutureWarning`: Python shows it to people who
    did not write the code, once per process and place.
    """
    logging.config.dictConfig(config(level, form))
    warnings.formatwarning = _one_line
    logging.captureWarnings(True)
    structlog.configure(
        processors=[*_shared(level), ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def _one_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Return a warning without the line of source that Python adds below it."""
    return f"{filename}:{lineno}: {category.__name__}: {message}"


def config(level: str, form: str) -> dict[str, Any]:
    """Return the configuration of the standard library's loggers. Gunicorn applies it as well."""
    quieter = "DEBUG" if level == "debug" else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": ProcessorFormatter, "foreign_pre_chain": _shared(level), "processors": _rendering(form)}
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {
            **{name: {"level": quieter} for name in CHATTY},
            **{name: {"level": "INFO", "handlers": [], "propagate": True} for name in GUNICORN},
        },
    }


def _shared(level: str) -> list[Processor]:
    """Return the first processors of a line."""
    return _SHARED if level == "debug" else [*_SHARED, shorten]


def shorten(logger: Any, name: str, event: EventDict) -> EventDict:
    """Replace the traceback of a database error, which has some 60 lines, by its kind and reason."""
    error = _error(event.get("exc_info"))
    if error is not None and _of_database(error):
        del event["exc_info"]
        event["error"] = described(error)
        # Celery's message about a failed task quotes the error with its statement.
        event["event"] = str(event["event"]).partition(f": {type(error).__name__}(")[0].strip()
    return event


def _of_database(error: BaseException) -> bool:
    # The supervisor logs too, and SQLAlchemy would take most of its memory.
    from sqlalchemy.exc import SQLAlchemyError

    return isinstance(error, SQLAlchemyError)


def _error(found: Any) -> BaseException | None:
    """Return the error that a logger was given as `exc_info`: itself, a tuple, or True for the current one."""
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    return error if isinstance(error, BaseException) else None


def _rendering(form: str) -> list[Processor]:
    """Return the last processors of a line."""
    clean = ProcessorFormatter.remove_processors_meta
    if form == JSON:
        return [clean, structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    # Rich's tracebacks read files, which fails if too many are open already.
    plain = structlog.dev.plain_traceback
    return [clean, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
