"""Logging of the workers: one line per event, on standard error."""

import logging
import sys
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError
from structlog.typing import EventDict

from arena.services.base.texts import described, reference_of


def configure_logs(level: str) -> None:
    """Make the standard library's loggers and structlog write lines of the same format."""
    number = logging.getLevelNamesMapping()[level.upper()]
    line = "%(asctime)s [%(levelname)-8s] %(name)s: %(message)s"
    logging.basicConfig(level=number, stream=sys.stderr, format=line, force=True)
    tracebacks = level == "debug"
    if not tracebacks:
        for handler in logging.root.handlers:
            handler.addFilter(shorten_record)
    for chatty in ("celery.worker.strategy", "celery.app.trace", "celery.beat"):  # one line per doorbell or tick
        logging.getLogger(chatty).setLevel(max(number, logging.WARNING) if level != "debug" else number)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            *([] if tracebacks else [shorten_event]),
            structlog.processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False),
            # Rich's tracebacks read files, which fails if too many are open already.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def shorten_event(logger: Any, name: str, event: EventDict) -> EventDict:
    """Replace the traceback of a database error, which has some 60 lines, by the error in one line and a reference."""
    error = _error(event.get("exc_info"))
    if isinstance(error, SQLAlchemyError):
        del event["exc_info"]
        event.update(error=described(error), reference=reference_of(error))
    return event


def shorten_record(record: logging.LogRecord) -> bool:
    """Like `shorten_event`, for a record of the standard library's loggers. Celery quotes the error in its message."""
    error = _error(record.exc_info)
    if isinstance(error, SQLAlchemyError):
        if isinstance(record.args, dict) and "exc" in record.args:
            record.args = {**record.args, "exc": type(error).__name__}
        message = record.getMessage().splitlines()[0]
        record.msg, record.args = f"{message} ({described(error)}; reference {reference_of(error)})", None
        record.exc_info = record.exc_text = None
    return True


def _error(found: Any) -> BaseException | None:
    """Return the error that a logger was given as `exc_info`: itself, a tuple, or True for the current one."""
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    return error if isinstance(error, BaseException) else None
