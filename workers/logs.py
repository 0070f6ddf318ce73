"""Logs of the workers: one line per event, on standard error."""

import logging
import sys

import structlog


def configure_logs(level: str) -> None:
    """Have the standard library's loggers and ours write the same kind of line."""
    number = logging.getLevelNamesMapping()[level.upper()]
    line = "%(asctime)s [%(levelname)-8s] %(name)s: %(message)s"
    logging.basicConfig(level=number, stream=sys.stderr, format=line, force=True)
    for talker in ("celery.worker.strategy", "celery.app.trace", "celery.beat"):  # a line per doorbell, per tick
        logging.getLogger(talker).setLevel(max(number, logging.WARNING) if level != "debug" else number)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
