"""Logs: one line per event, for people or for programs."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from celery import Celery
from sqlalchemy.exc import OperationalError
from structlog.contextvars import bound_contextvars

from arena.cli.up import Screen
from tests import factories
from workers import logs


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Restore the configuration of all loggers."""
    before = structlog.get_config()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.configure(**before)
    root.handlers, root.level = handlers, level


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines on standard error."""
    return capsys.readouterr().err.splitlines()


def test_json_lines_carry_the_context(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of structlog and of the standard library have the same keys, and the IDs that are bound."""
    logs.configure_logs("info", logs.JSON)
    with bound_contextvars(table=12):
        structlog.get_logger().warning("table not played", reason="no memory")
        logging.getLogger("gunicorn.access").info("GET %s", "/bots")

    own, other = map(json.loads, lines(capsys))

    assert (own["event"], own["reason"], own["table"], own["level"]) == ("table not played", "no memory", 12, "warning")
    assert (other["event"], other["table"], other["logger"]) == ("GET /bots", 12, "gunicorn.access")
    assert own["timestamp"].endswith("Z")


def test_traceback_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """A failure is one object as well."""
    logs.configure_logs("info", logs.JSON)
    try:
        raise ValueError("no such card")
    except ValueError:
        logging.getLogger("web").exception("failed")

    (line,) = lines(capsys)
    assert "ValueError: no such card" in json.loads(line)["exception"]


DEPRECATED = """
import warnings
from workers.logs import configure_logs

def read() -> None:
    warnings.warn("ARENA_OLD is deprecated since 1.1: set ARENA_NEW", FutureWarning, stacklevel=2)

configure_logs("info", "json")
for _ in range(3):
    read()
"""


def test_use_of_a_deprecated_setting_is_logged_once() -> None:
    """A warning is one line, however often the setting is read."""
    done = subprocess.run([sys.executable, "-c", DEPRECATED], capture_output=True, text=True, check=True)

    (line,) = done.stderr.splitlines()
    logged = json.loads(line)
    assert logged["event"].endswith(": FutureWarning: ARENA_OLD is deprecated since 1.1: set ARENA_NEW")
    assert (logged["level"], logged["logger"]) == ("warning", "py.warnings")


@pytest.mark.parametrize(("level", "count"), [("info", 0), ("debug", 1)])
def test_doorbells_are_logged_at_level_debug_only(capsys: pytest.CaptureFixture[str], level: str, count: int) -> None:
    """Celery writes a line for each at level info."""
    logs.configure_logs(level, logs.TEXT)

    logging.getLogger("celery.app.trace").info("Task succeeded")

    assert len(lines(capsys)) == count


def test_text_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """A line has the level, the event and its context."""
    logs.configure_logs("warning", logs.TEXT)
    structlog.get_logger().info("hidden")
    structlog.get_logger().warning("this worker pauses", seconds=5)

    (line,) = lines(capsys)
    assert "warning" in line
    assert "this worker pauses" in line
    assert "seconds=5" in line


def test_arena_up_logs_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With JSON, the lines of the supervisor are events as well."""
    screen = Screen(factories.settings_in(tmp_path, ARENA_LOG_FORMAT="json"))

    screen.part("workers", 17, "2 processes")

    (line,) = lines(capsys)
    assert json.loads(line)["event"] == "workers ready pid 17 2 processes"


def broken() -> None:
    """Fail like a database whose message has several lines."""
    raise OperationalError("SELECT secret\nFROM versions", {}, Exception("disk I/O error\non page 7"))


@pytest.mark.parametrize("form", [logs.TEXT, logs.JSON])
def test_database_error_is_one_line(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """The line has the kind, the reason and the IDs of the context, and not the statement."""
    logs.configure_logs("info", form)
    with bound_contextvars(table=7):
        try:
            broken()
        except OperationalError:
            structlog.get_logger().exception("work failed")

    (line,) = lines(capsys)
    for part in ("work failed", "table", "OperationalError: disk I/O error on page 7"):
        assert part in line
    assert "secret" not in line


def test_failed_task_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Celery's own report is shortened as well."""
    task = Celery("test", set_as_current=False).task(broken)
    logs.configure_logs("info", logs.TEXT)

    task.apply()

    (line,) = lines(capsys)
    assert "raised unexpected" in line
    assert "OperationalError: disk I/O error on page 7" in line
    assert "secret" not in line


@pytest.mark.parametrize(
    ("level", "error"), [("info", ZeroDivisionError("a")), ("debug", OperationalError("", {}, Exception()))]
)
def test_other_errors_keep_their_tracebacks(capsys: pytest.CaptureFixture[str], level: str, error: Exception) -> None:
    """An error of the arena's own code needs its place, and at level debug every error has one."""
    logs.configure_logs(level, logs.TEXT)
    try:
        raise error
    except (ZeroDivisionError, OperationalError):
        structlog.get_logger().exception("work failed")

    assert "Traceback" in "".join(lines(capsys))
