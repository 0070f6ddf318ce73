"""Metrics of the whole arena in Prometheus' text format: figures of the database, and the metrics of all processes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from prometheus_client import generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Process
from arena.release import release
from arena.services.base.context import Arena
from arena.services.base.measures import REGISTRY, Sample
from arena.services.health import readiness
from arena.services.health.figures import figures
from arena.services.health.heartbeats import SILENT
from arena.services.health.views import Check, Figures

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def render(arena: Arena, others: Iterable[Check]) -> bytes:
    """Return all metrics. `others` are further checks of readiness.

    Raises `SQLAlchemyError` if the database does not answer.
    """
    checks = [*readiness.checks(arena), *others]
    with arena.reading() as session:
        families = [*_of_checks(checks), *_of_figures(figures(session)), *_of_processes(session)]
    return bytes(generate_latest(_Collected(families)))


class _Collected:
    """Families that are already collected, as the library wants a registry."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        yield from self._families


def _of_checks(checks: Iterable[Check]) -> Iterator[Metric]:
    ready = GaugeMetricFamily("arena_ready", "Whether a condition of readiness holds.", labels=["check"])
    for check in checks:
        ready.add_metric([check.name], check.holds)
    yield ready


def _of_figures(found: Figures) -> Iterator[Metric]:
    waiting = GaugeMetricFamily("arena_waiting", "Uploads or tables that wait for a worker.", labels=["kind"])
    playing = GaugeMetricFamily("arena_playing", "Uploads or tables that workers hold.", labels=["kind"])
    oldest = GaugeMetricFamily("arena_oldest_seconds", "Age of the oldest open upload or tournament.", labels=["kind"])
    for work in found.work:
        waiting.add_metric([work.kind], work.waiting)
        playing.add_metric([work.kind], work.playing)
        oldest.add_metric([work.kind], work.oldest or 0)
    yield from (waiting, playing, oldest)
    yield GaugeMetricFamily("arena_tables_given_up", "Tables given up after repeated failures.", found.given_up)
    yield GaugeMetricFamily("arena_tables_unrated", "Settled tables that the fold has not reached.", found.unrated)
    about = GaugeMetricFamily("arena_release_info", "1, with the release of the web server.", labels=["release"])
    about.add_metric([release()], 1)
    yield about
    yield GaugeMetricFamily("arena_database_bytes", "Size of the database.", found.database)


def _of_processes(session: Session) -> Iterator[Metric]:
    """Return a gauge of the states of processes, and their own metrics with the label `process`."""
    found = session.scalars(select(Process).where(Process.seen > now() - SILENT).order_by(Process.name)).all()
    states = GaugeMetricFamily(
        "arena_process_state", "1 for the state of each process.", labels=["process", "kind", "state"]
    )
    for row in found:
        states.add_metric([row.name, row.kind, row.state], 1)
    yield states
    own = [(row.name, sample) for row in found for sample in row.samples]
    for family in REGISTRY.collect():
        yield _gathered(family, own)


def _gathered(family: Metric, own: Sequence[tuple[str, Sample]]) -> Metric:
    """Return a family with the samples of all processes; processes of other releases may have others."""
    names = {family.name, *(f"{family.name}_{suffix}" for suffix in ("total", "bucket", "sum", "count"))}
    made = Metric(family.name, family.documentation, family.type)
    for process, (name, labels, value) in own:
        if name in names:
            made.add_sample(name, {**labels, "process": process}, value)
    return made
