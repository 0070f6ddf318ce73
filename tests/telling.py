"""Tests that tell a figure: `record_property("tells", …)` puts a line at the end of the run."""

from typing import Final

import pytest

TELLS: Final = "tells"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests told."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            told = [value for name, value in getattr(report, "user_properties", ()) if name == TELLS]
            terminalreporter.write("".join(f"{report.nodeid}: {value}\n" for value in told))
