"""Tables that the arena gave up can be put back in the queue."""

import pytest

from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from arena.services.ratings.audit import check_ratings
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.retries import retry, retry_all
from arena.services.tournaments.withdrawals import withdraw
from arena.services.work import sweep
from tests import factories
from tests.cages import LocalCage, fail_to_start
from tests.services.queue.test_cancellations import states
from tests.services.tournaments.test_stages import KNOCKOUT, PARTNERS, SWISS, start, submit_wins, waiting


def test_finished_tournament_runs_again_until_its_tables_are_played(arena: Arena, admin: Account) -> None:
    """Counters, ratings and the whole database are consistent before and after."""
    versions = factories.field_of(arena, admin, 4)
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    first, second, *others = factories.table_ids(arena, cup)
    factories.give_up(arena, first, second)
    factories.play_all(arena, others)
    sweep.tick(arena)
    row = tournament_pages.page(arena, cup).row
    assert (row.state, row.tables_failed, row.tables_done) == ("finished", 2, 4)

    assert retry(arena, admin, cup, table_number=0) == 1

    row = tournament_pages.page(arena, cup).row
    assert (row.state, row.tables_failed, states(arena, cup)[:2]) == ("running", 1, ["queued", "infra_failed"])
    assert check_ratings(arena, PARTNERS) == []
    factories.play_all(arena, [first])
    assert retry(arena, admin, cup) == 1
    factories.play_all(arena, [second])
    sweep.tick(arena)
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_failed, page.row.tables_done) == ("finished", 0, 6)
    assert "retry" not in page.actions
    assert fsck.check(arena) == []


def test_table_put_back_gets_all_attempts_again(arena: Arena, admin: Account) -> None:
    """A table that is put back does not fail for good at its next failure."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 2), PARTNERS)
    (table,) = factories.table_ids(arena, cup)
    factories.give_up(arena, table)
    retry(arena, admin, cup)

    factories.play_all(arena, [table], LocalCage(fail_to_start))

    assert states(arena, cup) == ["queued"]


def test_knockout_paused_by_a_given_up_table_runs_again(arena: Arena, admin: Account) -> None:
    """Putting the table back also resumes a tournament that had paused for want of its result."""
    cup = start(arena, admin, KNOCKOUT, factories.field_of(arena, admin, 4))
    table, other = waiting(arena, cup)
    submit_wins(arena, cup, [other])
    factories.give_up(arena, table)
    sweep.tick(arena)
    assert tournament_pages.page(arena, cup).row.state == "paused"

    retry(arena, admin, cup)

    row = tournament_pages.page(arena, cup).row
    assert (row.state, row.problem) == ("running", None)
    assert submit_wins(arena, cup).row.tables_total == 3


def test_organisers_pause_outlasts_a_retry(arena: Arena, admin: Account) -> None:
    """Tables of a tournament that an organiser paused wait until it is resumed."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    factories.give_up(arena, factories.table_ids(arena, cup)[0])
    tournaments.pause(arena, admin, cup)

    retry(arena, admin, cup)

    assert tournament_pages.page(arena, cup).row.state == "paused"


def test_table_is_refused_after_the_next_round_was_drawn(arena: Arena, admin: Account) -> None:
    """The rounds of a Swiss tournament go on without a given-up table; only a replay includes it again."""
    cup = start(arena, admin, SWISS, factories.field_of(arena, admin, 4))
    table, other = waiting(arena, cup)
    factories.give_up(arena, table)
    submit_wins(arena, cup, [other])

    with pytest.raises(Refused, match="next round has been drawn"):
        retry(arena, admin, cup)


def test_table_is_refused_after_one_of_its_bots_left(arena: Arena, admin: Account) -> None:
    """A withdrawn bot gets no further table."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, PARTNERS, rounds=2)
    factories.give_up(arena, factories.table_ids(arena, cup)[0])
    withdraw(arena, admin, cup, versions[0], "author's request")

    with pytest.raises(Refused, match="has left the tournament"):
        retry(arena, admin, cup)


def test_invalid_retry_is_refused(arena: Arena, admin: Account, author: Account) -> None:
    """Refused: tables that were not given up or do not exist, members, and tournaments that are over for good."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    factories.give_up(arena, factories.table_ids(arena, cup)[0])
    for account, number, refusal in ((author, None, "organiser"), (admin, 1, "has not given up")):
        with pytest.raises(Refused, match=refusal):
            retry(arena, account, cup, number)
    with pytest.raises(NotFound, match="no table 8"):
        retry(arena, admin, cup, 7)
    tournaments.cancel(arena, admin, cup)
    with pytest.raises(Refused, match="the tournament is cancelled"):
        retry(arena, admin, cup)


def test_all_tables_of_the_arena_are_put_back(arena: Arena, admin: Account, author: Account) -> None:
    """Tournaments that have moved on are left alone; if nothing can be put back, the refusal says why."""
    versions = factories.field_of(arena, admin, 4)
    with pytest.raises(Refused, match="has not given up any table"):
        retry_all(arena, admin)
    moved = start(arena, admin, SWISS, versions)
    table, other = waiting(arena, moved)
    factories.give_up(arena, table)
    submit_wins(arena, moved, [other])
    with pytest.raises(Refused, match="swiss: The next round has been drawn"):
        retry_all(arena, admin)
    for _ in range(2):
        factories.give_up(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions, PARTNERS))[0])

    with pytest.raises(Refused, match="administrator"):
        retry_all(arena, author)
    assert retry_all(arena, admin) == 2
