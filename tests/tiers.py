"""The two tiers of tests: `make gate` runs tests that match a pattern in `GATE` or `SLOW`, `make test` all others.

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
    # Helm's program, which is fetched.
    "tests/docs/test_helm.py::*",
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
    "tests/learn/test_vector.py::test_environment_plays_many_deals_like_the_engine*",
    "tests/docs/test_learner.py::test_learner_beats_random_after_seconds_of_training",
    "tests/bots/test_house_bots.py::test_house_bots_play_their_variants_without_a_fault[full-*",
    "tests/bots/test_house_bots.py::test_greedy_and_search_beat_random*",
    "tests/bots/test_house_bots.py::test_planner_plays_every_number_of_players*",
    "tests/bots/test_house_bots.py::test_regret_beats_greedy_and_greedy_beats_random",
    # The tiers themselves: collects every test.
    "tests/test_tiers.py::test_every_pattern_matches_a_test",
)
"""Patterns of the tests that only the gate runs."""

SLOW: Final = (
    # Processes that start, end, and are not there.
    "tests/cli/test_alone.py::test_missing_requirement_is_explained[capacity]",
    "tests/cli/test_alone.py::test_service_starts_alone[worker-*",
    "tests/cli/test_parts.py::test_insecure_run_has_a_warning*",
    "tests/cli/test_up.py::test_restart_after_ctrl_c",
    "tests/services/live/test_host.py::test_host_that_was_replaced*",
    "tests/services/live/test_host.py::test_late_people_are_replaced*",
    "tests/services/live/test_host.py::test_lost_connection_is_no_failure*",
    "tests/services/live/test_host.py::test_table_that_*",
    "tests/services/live/test_person.py::test_table_can_be_stopped*",
    "tests/workers/test_celery.py::test_sweep_rings_lost_doorbells_again*",
    "tests/workers/test_celery.py::test_upload_is_validated_placed_and_rated*",
    "tests/workers/test_poller.py::test_silent_process_validates*",
    "tests/workers/test_process.py::test_upload_is_validated_during*",
    "tests/workers/test_pulse.py::test_unreachable_database_is_logged_once*",
    # Datasets from several processes.
    "tests/learn/test_dataset.py::test_number_of_processes_changes_no_byte",
    # The doctor: its report and its grade are in the fast tier.
    "tests/cli/test_doctor.py::test_advi*",
    "tests/cli/test_doctor.py::test_ascii_terminal",
    "tests/cli/test_doctor.py::test_closed_descriptors*",
    "tests/cli/test_doctor.py::test_doctor_in_every_set_up*",
    "tests/cli/test_doctor.py::test_hidden_and_read_only_file_systems*",
    "tests/cli/test_doctor.py::test_ineffective_landlock",
    "tests/cli/test_doctor.py::test_no_process_remains",
    "tests/cli/test_doctor.py::test_ordinary_user_is_graded*",
    "tests/cli/test_doctor.py::test_without_*",
    # The cage: a layer that is ineffective, and bots that wait.
    "tests/sandbox/test_alone.py::test_cpu_limit_is_not_named_beside_others",
    "tests/sandbox/test_alone.py::test_ineffective_*",
    "tests/sandbox/test_alone.py::test_probe_gets_through_without_its_layer*",
    "tests/sandbox/test_alone.py::test_worker_and_doctor_reject_an_ineffective_layer*",
    "tests/sandbox/test_fuzz.py::test_kernel_answers_match_the_table*",
    "tests/sandbox/test_idle.py::test_waiting_for_a_processor_is_not_sleep",
    "tests/sandbox/test_memory.py::test_simultaneous_zygotes_have_separate_groups",
    "tests/sandbox/test_verdicts.py::test_hung_zygote",
    # Programs outside: every fault of a client, a network that loses, and every variant.
    "tests/cli/conformance/test_check.py::test_bot_that_fails_does_not_pass",
    "tests/cli/conformance/test_check.py::test_client_that_ends_early*",
    "tests/cli/conformance/test_check.py::test_command_waits_for_a_client",
    "tests/cli/conformance/test_check.py::test_faults_of_a_client_are_named*",
    "tests/cli/conformance/test_check.py::test_our_client_does_nothing_wrong[engine]",
    "tests/cli/conformance/test_complaints.py::*",
    "tests/docs/test_engine.py::test_bots_of_the_page_play_to_the_end*",
    "tests/docs/test_outside.py::test_client_of_the_page_does_nothing_wrong",
    "tests/remote/test_connect.py::test_bot_plays_rated_matches",
    "tests/remote/test_connect.py::test_python_bot_plays_whatever_the_network_loses",
    "tests/remote/test_models.py::test_command_prints_what_came_out*",
    "tests/remote/test_picture.py::test_terminal_shows_the_picture*",
    "tests/remote/test_real_arena.py::*",
    "tests/services/live/test_outside.py::test_program_sees_a_whole_match_once*",
    "tests/services/live/test_playing.py::test_every_variant_is_played_to_its_end*",
    # Uploads, results and readers from end to end.
    "tests/services/administration/test_bots.py::test_disabled_bot_enters_nothing_new*",
    "tests/services/ratings/test_fold.py::test_any_order_of_finishing*",
    "tests/services/tournaments/test_stages.py::test_results_do_not_depend_on_the_number_of_workers*",
    "tests/services/versions/test_versions.py::test_version_that_fails_has_no_decisions*",
    "tests/services/work/test_urgent.py::*",
    "tests/web/rights/test_matrix.py::test_reading_follows_the_table*",
)
"""Patterns of further tests of the gate, only because they take more than two seconds or so each.

They depend on the user and on paths like those of the fast tier, so `scripts/elsewhere` runs them as well.
"""

FAST: Final = (
    # Of the kernel's answers, of what a program sees, and of every variant, one each.
    "tests/sandbox/test_fuzz.py::test_kernel_answers_match_the_table[0]",
    "tests/services/live/test_outside.py::test_program_sees_a_whole_match_once[sqlite-suitability-4]",
    "tests/services/live/test_playing.py::test_every_variant_is_played_to_its_end[sqlite-suitability-4]",
    # A deal of a person by keys.
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
    return bool(matching(node_id, (*GATE, *SLOW))) and not matching(node_id, FAST)


def is_slow(node_id: str) -> bool:
    """Return whether a test is in the gate only because of its time."""
    return in_gate(node_id) and not matching(node_id, GATE)


@pytest.hookimpl(tryfirst=True)  # before pytest selects tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the gate, and begin with the long files."""
    for item in items:
        if in_gate(item.nodeid):
            item.add_marker(pytest.mark.gate)
        if is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: place(item.nodeid))


def place(node_id: str) -> int:
    """Return when the file of a test starts: before those with a larger number."""
    return next((place for place, path in enumerate(LONG) if node_id.startswith(path)), len(LONG))
