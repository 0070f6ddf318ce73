"""Metrics of the whole arena."""

from prometheus_client.parser import text_string_to_metric_families

from arena.release import release
from arena.services.base import measures
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.health import heartbeats, metrics
from arena.services.health.heartbeats import Sign
from arena.services.health.views import Check
from tests import factories

Labels = tuple[tuple[str, str], ...]
PARTNERS = "suitability-4-partners"


def scraped(arena: Arena) -> dict[tuple[str, Labels], float]:
    """Return the values by name and labels, as Prometheus reads them."""
    text = metrics.render(arena, [Check("broker", True, "It answers.")]).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def report(arena: Arena, name: str, kind: str = "worker") -> None:
    """Report this process under another name."""
    heartbeats.report(arena, Sign(name, kind, "idle", samples=measures.samples(arena.settings.home)))


def test_figures_and_readiness_are_gauges(arena: Arena, admin: Account) -> None:
    """Queue, given-up tables and the conditions of readiness."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), PARTNERS)
    factories.give_up(arena, factories.table_ids(arena, cup)[0])

    found = scraped(arena)

    assert found["arena_waiting", (("kind", "tournament"),)] == 5
    assert found["arena_tables_given_up", ()] == 1
    assert found["arena_ready", (("check", "workers"),)] == 0
    assert found["arena_ready", (("check", "broker"),)] == 1
    assert found["arena_database_bytes", ()] > 0
    assert found["arena_release_info", (("release", release()),)] == 1


def test_processes_show_what_they_measured(arena: Arena, admin: Account) -> None:
    """Each match, attempt and transaction counts once, in the process that had it."""
    before = {(name, tuple(labels.items())): value for name, labels, value in measures.samples(arena.settings.home)}
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), PARTNERS)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])
    report(arena, "a:1")

    found = scraped(arena)

    def grown(name: str, **labels: str) -> float:
        key = tuple(sorted({**labels, "process": "a:1"}.items()))
        return found[name, key] - before.get((name, tuple(labels.items())), 0.0)

    assert grown("arena_match_start_seconds_count") == 2
    assert grown("arena_answer_seconds_count") == 8
    assert grown("arena_moves_total") > 8
    assert grown("arena_attempts_total", outcome="done") == 1
    assert grown("arena_transaction_seconds_count", kind="write") > 0
    assert grown("arena_transaction_seconds_bucket", kind="read", le="+Inf") > 0
    assert found["arena_process_resident_bytes", (("process", "a:1"),)] > 2**20
    assert found["arena_process_state", (("kind", "worker"), ("process", "a:1"), ("state", "idle"))] == 1


def test_failed_bots_are_counted_by_verdict(arena: Arena, admin: Account) -> None:
    """A bot counts once for each match in which it fails."""
    failing = factories.bot(arena, admin, "failing", b"def act(view):\n    return 1 / 0\n")
    cup = factories.tournament(arena, admin, [failing, *factories.field_of(arena, admin, 1)], PARTNERS)
    counter = measures.FAULTS.labels("error")
    before = counter._value.get()
    factories.play_all(arena, factories.table_ids(arena, cup))

    assert counter._value.get() - before >= 2


def test_metrics_of_other_releases_are_left_out(arena: Arena) -> None:
    """A newer worker may measure what this web server cannot describe."""
    heartbeats.report(arena, Sign("a:1", "worker", "idle", samples=(("arena_unheard_of", {}, 1.0),)))

    assert not any(name == "arena_unheard_of" for name, _ in scraped(arena))
