"""Logs: one line per event, for people or for programs."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
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
