"""The two tiers of tests: `make gate` runs the tests that a pattern in `GATE` matches, `make test` runs all others.

Patterns are matched against node IDs such as `tests/faults/test_killed.py::test_killed_zygote[sqlite]` as by `fnmatch`,
but brackets stand for themselves. Tests of the gate get the mark `gate`.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final

import pytest

GATE: Final = (
    # PostgreSQL. The same tests run on SQLite in the fast tier.
    "*[postgresql]",
    "*[postgresql-*]",
    "tests/db/test_locks.py::test_silent_writer*",
    "tests/docs/test_compose.py::*",
    # The proxy.
    "tests/docs/test_proxy.py::*",
    # Builds, and an environment that is installed from a package index.
    "tests/docs/test_wheel.py::*",
    # The cage without each of its layers, and in every other set-up.
    "tests/sandbox/test_ablations.py::*",
    "tests/sandbox/test_alone.py::test_ineffective_layer_or_limit_is_found*",
    "tests/sandbox/test_alone.py::test_worker_and_doctor_reject_an_ineffective_limit*",
    "tests/cli/test_doctor.py::test_refused_or_ineffective_call_takes_away_its_layers*",
    "tests/setups/*",
    "tests/sandbox/test_descriptors.py::*",
    # Faults.
    "tests/faults/test_disturbed_*",
    "tests/faults/test_killed.py::*",
    "tests/faults/test_live.py::*",
    "tests/faults/test_one_worker_and_four.py::*",
    "tests/faults/test_templates.py::*",
    "tests/workers/test_celery.py::test_idle_processes_make_way_for_fresh_ones*",
    "tests/workers/test_celery.py::test_tables_and_uploads_need_no_broker*",
    "tests/workers/test_celery.py::test_worker_ends_when_newer_release_migrates*",
    "tests/workers/test_celery.py::test_worker_without_descriptors_leaves_tables_to_healthy_one*",
    "tests/workers/test_celery.py::test_one_and_two_processes_give_the_same_bytes",
    "tests/workers/test_readiness.py::*",
    # Damage: each kind alone is found in the fast tier.
    "tests/services/integrity/test_damage.py::test_damage_hides_no_other*",
    "tests/services/integrity/test_damage.py::test_damage_is_repaired*",
    # An arena that is killed during an upload.
    "tests/remote/test_restart.py::*",
    # Language models that misbehave, in every variant.
    "tests/remote/test_models.py::test_whole_matches_end*",
    "tests/remote/test_models.py::test_arena_stores_every_note",
    "tests/benchmarks/test_outside.py::test_clients_play_and_requests_wait",
    # A class of students in a running arena.
    "tests/classroom/test_course.py::*",
    # Requests derived from the description of the API, and every write beside the form that does the same.
    "tests/web/api/test_schema.py::test_answers_are_as_described",
    "tests/web/api/test_schema.py::test_histories_are_as_described",
    "tests/web/api/test_effects.py::test_requests_do_what_forms_do",
    # Everything that changes something, for every kind of caller. The fast tier has what reads.
    "tests/web/rights/test_matrix.py::test_acting_follows_the_table*",
    # The kernel under sanitizers, and every set of options.
    "tests/sdk/test_kernel_checks.py::test_sanitizers_find_nothing",
    "tests/sdk/test_option_sets.py::test_every_option_set*",
    # Every page before and after a trial. The fast tier looks at trials where they could be seen.
    "tests/web/trials/test_pages.py::test_a_trial_changes_nothing_for_others",
    # The browser.
    "tests/e2e/*",
    # Contract tests with further seeds.
    "tests/contract/test_games.py::test_view_hides_what_seat_cannot_know[1-*",
    "tests/contract/test_games.py::test_view_hides_what_seat_cannot_know[2-*",
    "tests/contract/test_games.py::test_sample_gives_seat_the_same_view[1-*",
    "tests/contract/test_games.py::test_sample_gives_seat_the_same_view[2-*",
    # Statistics of many matches.
    "tests/docs/test_guide.py::test_listings_and_commands_work",
    "tests/docs/test_learner.py::test_learner_beats_random_after_seconds_of_training",
    "tests/bots/test_house_bots.py::test_house_bots_play_their_variants_without_a_fault[full-*",
    "tests/bots/test_house_bots.py::test_greedy_and_search_beat_random*",
    "tests/bots/test_house_bots.py::test_planner_plays_every_number_of_players*",
    "tests/bots/test_house_bots.py::test_regret_beats_greedy_and_greedy_beats_random",
    # The tiers themselves: collects every test.
    "tests/test_tiers.py::test_every_pattern_matches_a_test",
)
"""Patterns of the tests that only the gate runs."""

FAST: Final = (
    # One killed worker, and some kills at live tables.
    "tests/faults/test_killed.py::test_killed_worker_process[sqlite]",
    "tests/faults/test_live.py::test_people_play_on_whatever_is_killed[sqlite-seldom]",
    # A deal of a person by touch and one by keys.
    "tests/e2e/test_deals.py::test_deal_is_played_by_touch[suitability-3]",
    "tests/e2e/test_deals.py::test_deal_is_played_by_touch[separate-suits-4-split]",
    "tests/e2e/test_deals.py::test_deal_is_played_by_keyboard[suit-yourself]",
    # A browser journey of an author and one of a spectator.
    "tests/e2e/test_first_bot.py::test_newcomer_uploads_a_bot_and_watches_its_replay",
    "tests/e2e/test_replay_page.py::test_keys_step_through_the_match",
)
"""Exceptions: the fast tier runs these."""

LONG: Final = (
    "tests/e2e/test_every_page.py",
    "tests/classroom/",
    "tests/faults/",
    "tests/e2e/",
    "tests/workers/test_celery.py",
    "tests/cli/test_up.py",
    "tests/web/rights/",
    "tests/web/api/",
)
"""Files and folders that take longest. They start first, so that no core is idle at the end."""


def matching(node_id: str, patterns: Iterable[str]) -> list[str]:
    """Return the patterns that match a test."""
    return [pattern for pattern in patterns if fnmatchcase(node_id, pattern.replace("[", "[[]"))]


def in_gate(node_id: str) -> bool:
    """Return whether only the gate runs a test."""
    return bool(matching(node_id, GATE)) and not matching(node_id, FAST)


@pytest.hookimpl(tryfirst=True)  # before pytest selects tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the gate, and begin with the long files."""
    for item in items:
        if in_gate(item.nodeid):
            item.add_marker(pytest.mark.gate)
    items.sort(key=lambda item: place(item.nodeid))


def place(node_id: str) -> int:
    """Return when the file of a test starts: before those with a larger number."""
    return next((place for place, path in enumerate(LONG) if node_id.startswith(path)), len(LONG))
