"""Metrics of one process: counters and histograms that only grow while it lives, for Prometheus.

They are the only state of modules that changes. The heartbeat stores them, so that one address shows the metrics of all
processes on all machines (`arena.services.health.metrics`). They are taken per match, per transaction and per request,
never per move: a move takes microseconds.
"""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

Sample = tuple[str, dict[str, str], float]
"""Name, labels and value."""

_BUCKETS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_ANSWERS: Final = (0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)

REGISTRY: Final = CollectorRegistry()

TRANSACTIONS: Final = Histogram(
    "arena_transaction_seconds", "Duration of a database transaction, read or write, with its wait for locks.",
    ["kind"], buckets=_BUCKETS, registry=REGISTRY,
)  # fmt: skip
REQUESTS: Final = Histogram(
    "arena_request_seconds", "Duration of a web request, without static files, by class of its status.",
    ["status"], buckets=_BUCKETS, registry=REGISTRY,
)  # fmt: skip
STARTS: Final = Histogram(
    "arena_match_start_seconds", "Time until all bots of a match are caged and ready.",
    buckets=_BUCKETS, registry=REGISTRY,
)  # fmt: skip
ANSWERS: Final = Histogram(
    "arena_answer_seconds", "Mean real time of the answers of a bot in a match.", buckets=_ANSWERS, registry=REGISTRY
)
MOVES: Final = Counter("arena_moves", "Answers of bots.", registry=REGISTRY)
MOVE_CPU: Final = Counter("arena_move_cpu_seconds", "CPU time of answers of bots.", registry=REGISTRY)
FAULTS: Final = Counter("arena_bot_faults", "Bots that failed in a match, by verdict.", ["verdict"], registry=REGISTRY)
ATTEMPTS: Final = Counter(
    "arena_attempts", "Attempts at tables that ended: done, fault (of the arena) or expired (its lease).",
    ["outcome"], registry=REGISTRY,
)  # fmt: skip
RESIDENT: Final = Gauge("arena_process_resident_bytes", "Resident memory of the process.", registry=REGISTRY)
DISK_FREE: Final = Gauge("arena_disk_free_bytes", "Free space on the disk of the home folder.", registry=REGISTRY)


def samples(home: Path) -> Sequence[Sample]:
    """Return all metrics of this process; `home` is the folder whose disk is measured."""
    RESIDENT.set(_resident())
    with suppress(OSError):  # the folder may be gone
        DISK_FREE.set(shutil.disk_usage(home).free)
    return tuple(
        (sample.name, sample.labels, sample.value)
        for family in REGISTRY.collect()
        for sample in family.samples
        if not sample.name.endswith("_created")
    )


def _resident() -> int:
    fields = Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()
    return int(fields[0]) * 1024
