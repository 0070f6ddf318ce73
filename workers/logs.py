"""Logging of the workers: one line per event, on standard error."""

import logging
import sys

import structlog


def configure_logs(level: str) -> None:
    """Make the standard library's loggers and structlog write lines of the same format."""
    number = logging.getLevelNamesMapping()[level.upper()]
    line = "%(asctime)s [%(levelname)-8s] %(name)s: %(message)s"
    logging.basicConfig(level=number, stream=sys.stderr, format=line, force=True)
    for chatty in ("celery.worker.strategy", "celery.app.trace", "celery.beat"):  # one line per doorbell or tick
        logging.getLogger(chatty).setLevel(max(number, logging.WARNING) if level != "debug" else number)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False),
            # Rich's tracebacks read files, which fails if too many are open already.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
