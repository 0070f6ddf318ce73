"""Alert rules, the dashboard and the table of metrics in the docs fit the metrics that the arena serves."""

import json
import re
from typing import Any, Final

import pytest
import yaml

from arena.services.base.context import Arena
from arena.services.health import metrics
from tests.docs.test_docs import ROOT

FOLDER: Final = ROOT / "docs/monitoring"
SUFFIXES: Final = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


@pytest.fixture
def families(arena: Arena) -> dict[str, str]:
    """The types of all metrics, by name."""
    text = metrics.render(arena, []).decode()
    return dict(re.findall(r"^# TYPE (arena_\w+) (\w+)$", text, re.MULTILINE))


def series(families: dict[str, str]) -> set[str]:
    """Return the names of all series. In the text format the name of a counter already has its suffix."""
    return {
        name.removesuffix("_total") + suffix if kind == "counter" else name + suffix
        for name, kind in families.items()
        for suffix in SUFFIXES[kind]
    }


def rules() -> list[dict[str, Any]]:
    """Return all alert rules."""
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """Return all panels of the dashboard."""
    found: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    return found


def test_alerts_have_a_condition_and_a_sentence() -> None:
    """Names are unique, times are Prometheus' and brackets are balanced."""
    assert len({rule["alert"] for rule in rules()}) == len(rules())
    for rule in rules():
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"].endswith(".")
        assert re.fullmatch(r"\d+m", rule.get("for", "1m"))
        assert all(rule["expr"].count(left) == rule["expr"].count(right) for left, right in ("()", "{}", "[]"))


def test_panels_do_not_overlap() -> None:
    """Three panels stand in a row of 24 columns."""
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()]

    assert len(set(places)) == len({panel["id"] for panel in panels()}) == len(places)
    assert all(panel["gridPos"]["w"] == 8 for panel in panels())


def test_alerts_and_panels_use_metrics_that_exist(families: dict[str, str]) -> None:
    """Every metric is in a panel or an alert, and none is misspelt."""
    queries = [rule["expr"] for rule in rules()] + [one["expr"] for panel in panels() for one in panel["targets"]]
    used = {name for query in queries for name in re.findall(r"\barena_\w+", query)}

    assert used <= series(families)
    for name, kind in families.items():
        assert used & series({name: kind}), name


def test_docs_list_every_metric(families: dict[str, str]) -> None:
    """The operating page has a row for each metric, in the order of the answer."""
    rows = re.findall(r"^\| `(arena_\w+)` \|", (ROOT / "docs/operating.md").read_text(), re.MULTILINE)

    assert rows == list(families)
