"""Logs of the workers: database errors take one line."""

import logging
from collections.abc import Iterator

import pytest
import structlog
from celery import Celery
from sqlalchemy.exc import OperationalError

from arena.services.base.texts import reference_of
from workers.logs import configure_logs


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Restore the logging of the tests."""
    root, level = logging.root.handlers[:], logging.root.level
    yield
    structlog.reset_defaults()
    logging.root.handlers[:] = root
    logging.root.setLevel(level)


def failure() -> OperationalError:
    """Return a database error whose message has several lines."""
    return OperationalError("SELECT secret\nFROM versions", {}, Exception("disk I/O error\non page 7"))


def log_failure() -> str:
    """Log a database error as services do, and return its reference."""
    try:
        raise failure()
    except OperationalError as error:
        structlog.get_logger().exception("work failed", table=7)
        return reference_of(error)


def test_database_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The line has the kind, the reason and a reference, and not the statement."""
    configure_logs("info")

    reference = log_failure()

    [line] = capsys.readouterr().err.splitlines()
    for part in ("work failed", "table", "OperationalError: disk I/O error on page 7", reference):
        assert part in line
    assert "secret" not in line


def test_failed_task_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Celery's own report is shortened as well."""

    def broken() -> None:
        raise failure()

    task = Celery("test", set_as_current=False).task(broken)
    configure_logs("info")
    task.apply()

    [line] = capsys.readouterr().err.splitlines()
    assert "raised unexpected: OperationalError" in line
    assert "(OperationalError: disk I/O error on page 7; reference " in line
    assert "secret" not in line


def test_other_errors_keep_their_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    """An error of the arena's own code needs its place."""
    configure_logs("info")

    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        structlog.get_logger().exception("work failed")
        logging.getLogger("arena").exception("work failed")

    assert capsys.readouterr().err.count("Traceback") == 2


def test_debug_level_logs_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    """The operator can ask for all details."""
    configure_logs("debug")

    log_failure()

    assert "Traceback" in capsys.readouterr().err
