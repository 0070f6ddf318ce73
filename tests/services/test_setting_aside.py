"""Withdrawals, the cap on faults and rejudging: what ceases to count leaves every number, and nothing is lost."""

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import select, update

from arena.db.models import Match, Rating, Table, Tournament
from arena.games.errors import NotFound, Refused
from arena.services import (
    fold,
    fsck,
    matches,
    notices,
    queue,
    rejudging,
    sweep,
    tournament_pages,
    tournaments,
    withdrawals,
)
from arena.services.context import Arena
from arena.services.lease import LeaseLost
from arena.services.shapes import Account, TournamentPage
from arena.services.table_pages import table_page
from tests import factories

VARIANT = "suitability-4"
PARTNERS = "suitability-4-partners"
"""Two bots at a table, so that there are many cheap ones."""

FAULTY = b"def act(view):\n    return 1 / 0\n"
SOMETIMES = b"""from arena.sdk import Bot

class Sometimes(Bot):
    def act(self, view):
        return 1 / 0 if self.rng.random() < 0.04 else view.legal[0]
"""


def rated(arena: Arena) -> dict[int, tuple[float, float, int, int]]:
    """Current ratings by version."""
    with arena.reading() as session:
        return {row.version_id: (row.mu, row.sigma, row.tables, row.matches) for row in session.scalars(select(Rating))}


def records(arena: Arena, tournament_id: int) -> dict[int, list[bytes]]:
    """By number, what was played at its tables and counts."""
    found: dict[int, list[bytes]] = {}
    with arena.reading() as session:
        query = select(Table.number, Match.record).join(Table, Table.id == Match.table_id)
        counts = (Table.tournament_id == tournament_id, Match.superseded.is_(False))
        for number, record in session.execute(query.where(*counts).order_by(Table.number, Match.seating)):
            found.setdefault(number, []).append(record)
    return found


def states(arena: Arena, tournament_id: int) -> list[str]:
    """The states of its tables by number."""
    with arena.reading() as session:
        query = select(Table.state).where(Table.tournament_id == tournament_id).order_by(Table.number)
        return list(session.scalars(query))


def outs(page: TournamentPage) -> dict[int, tuple[str, int | None]]:
    """By version, why it is out and after which table, for those that are."""
    return {row.version_id: (row.out, row.out_after) for row in page.standings if row.out}


def play_on(arena: Arena, tournament_id: int, seed: int = 0) -> TournamentPage:
    """Play whatever can be played, a table at a time in random order, until nothing can; what came of it."""
    rng = random.Random(seed)
    while waiting := _queued(arena, tournament_id):
        if factories.play_all(arena, [rng.choice(waiting)]) != ["done"]:
            break
    sweep.tick(arena)
    fold.rebuild(arena, tournaments.plan_of(arena, tournament_id).variant)
    return tournament_pages.page(arena, tournament_id)


def _queued(arena: Arena, tournament_id: int) -> Sequence[int]:
    with arena.reading() as session:
        here = (Table.tournament_id == tournament_id, Table.state == "queued")
        return session.scalars(select(Table.id).where(*here).order_by(Table.id)).all()


def test_a_table_that_is_judged_again_is_played_from_the_same_seed(arena: Arena, admin: Account) -> None:
    """The old attempt stays to be looked at, and in the end every number is what it was."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    ids = factories.table_ids(arena, cup)
    standings = play_on(arena, cup).standings
    before, played = rated(arena), records(arena, cup)

    assert rejudging.rejudge(arena, admin, cup, " a doubt ", table_number=1) == 1

    assert fsck.check(arena) == []
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.seed) == ("running", 2, None)
    assert [(order.reason, order.table_number, order.by) for order in page.rejudgements] == [
        ("a doubt", 1, "organiser")
    ]
    assert sum(row.tables for row in page.standings) == 4
    assert sorted(tables for _, _, tables, _ in rated(arena).values()) == [1, 1]
    assert play_on(arena, cup).standings == standings
    assert (rated(arena), records(arena, cup)) == (before, played)
    shown = table_page(arena, ids[1])
    assert [attempt.outcome for attempt in shown.attempts] == ["superseded", "done"]
    assert [len(attempt.sets[0]) for attempt in shown.attempts] == [2, 2]
    assert shown.sets == shown.attempts[1].sets
    assert shown.reasons == ("a doubt",)
    old = matches.match_page(arena, shown.attempts[0].sets[0][0].id, None)
    assert old.superseded
    assert len(old.sets[0]) == 2
    assert fsck.check(arena) == []


def test_a_version_or_a_whole_tournament_is_judged_again(arena: Arena, admin: Account) -> None:
    """All of its tables that were played; what waits goes on waiting, and what the machinery failed is tried again."""
    versions = factories.field_of(arena, admin, 4)
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    ids = factories.table_ids(arena, cup)
    factories.play_all(arena, ids[:4])
    with arena.transaction() as session:  # as after three attempts
        session.execute(update(Table).where(Table.id == ids[4]).values(state="infra_failed"))
        session.execute(update(Tournament).values(tables_failed=1))
    tournaments.pause(arena, admin, cup)

    assert rejudging.rejudge(arena, admin, cup, "its author asks", version_id=versions[0]) == 3
    assert states(arena, cup) == ["queued", "queued", "queued", "done", "infra_failed", "queued"]
    assert fsck.check(arena) == []
    assert rejudging.rejudge(arena, admin, cup, "the rules were wrong") == 2
    assert states(arena, cup) == ["queued"] * 6
    assert rated(arena) == {}
    assert tournament_pages.page(arena, cup).row.state == "paused"
    assert fsck.check(arena) == []
    tournaments.resume(arena, admin, cup)
    page = play_on(arena, cup)
    assert (page.row.state, page.row.tables_done, page.row.tables_failed) == ("finished", 6, 0)
    assert [order.bot for order in page.rejudgements] == [None, "bot-0"]
    assert fsck.check(arena) == []


def test_what_cannot_be_judged_again_is_told(arena: Arena, admin: Account, author: Account) -> None:
    """With the reason."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 2), PARTNERS)
    with pytest.raises(Refused, match="None of these tables has been played"):
        rejudging.rejudge(arena, admin, cup, "why not")
    with pytest.raises(NotFound, match="There is no table 8 in a cup"):
        rejudging.rejudge(arena, admin, cup, "why not", table_number=7)
    with pytest.raises(NotFound, match="Version 99 sits at no table of a cup"):
        rejudging.rejudge(arena, admin, cup, "why not", version_id=99)
    with pytest.raises(Refused, match="Only an administrator"):
        rejudging.rejudge(arena, author, cup, "why not")
    for reason in ("", " \n ", "x" * 501):
        with pytest.raises(Refused, match="Give a reason, in 1 to 500 characters"):
            rejudging.rejudge(arena, admin, cup, reason)
    tournaments.cancel(arena, admin, cup)
    with pytest.raises(Refused, match="cancelled: nothing in it can be judged again"):
        rejudging.rejudge(arena, admin, cup, "why not")


def test_later_results_of_other_tournaments_are_folded_again(arena: Arena, admin: Account) -> None:
    """As if the table that is judged again had not been, until it has been played again."""
    versions = factories.field_of(arena, admin, 3)
    early = factories.tournament(arena, admin, versions[:2], PARTNERS)
    late = factories.tournament(arena, admin, versions[1:], PARTNERS)
    play_on(arena, early)
    play_on(arena, late)
    before = rated(arena)

    rejudging.rejudge(arena, admin, early, "a doubt")

    alone = rated(arena)
    assert set(alone) == set(versions[1:])
    assert alone[versions[2]][:2] != before[versions[2]][:2]
    assert fsck.check(arena) == []
    play_on(arena, early)
    assert rated(arena) == before


def test_who_is_withdrawn_keeps_what_it_played(arena: Arena, admin: Account, author: Account) -> None:
    """Its other tables are cancelled, also under the hands of a worker; its owner and the organiser are told."""
    versions = [*factories.field_of(arena, admin, 3), factories.bot(arena, author, "quitter")]
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    ids = factories.table_ids(arena, cup)  # 0-1 0-2 0-3 1-2 1-3 2-3
    factories.play_all(arena, ids[:3])
    claim = queue.claim(arena, ids[4], "at work")
    assert claim

    with pytest.raises(Refused, match="bot-0 is not your bot"):
        withdrawals.withdraw(arena, author, cup, versions[0], "envy")
    withdrawals.withdraw(arena, author, cup, versions[3], "it has a bug")

    with pytest.raises(LeaseLost):
        queue.renew(arena, claim)
    assert states(arena, cup) == ["done", "done", "done", "queued", "cancelled", "cancelled"]
    assert [notice.text for notice in notices.of(arena, admin)] == [
        "quitter was withdrawn from a cup by author: it has a bug"
    ]
    with pytest.raises(Refused, match="quitter is out of a cup already: withdrawn"):
        withdrawals.withdraw(arena, admin, cup, versions[3], "again")
    with pytest.raises(NotFound, match="Version 99 does not take part in a cup"):
        withdrawals.withdraw(arena, admin, cup, 99, "who?")
    withdrawals.withdraw(arena, admin, cup, versions[2], "so does this")
    page = play_on(arena, cup)
    assert outs(page) == {versions[3]: ("withdrawn", 2), versions[2]: ("withdrawn", 1)}
    assert (page.row.state, page.row.tables_done, page.row.tables_cancelled) == ("finished", 3, 3)
    assert {row.version_id: row.tables for row in page.standings}[versions[3]] == 1
    assert fsck.check(arena) == []
    with pytest.raises(Refused, match="finished: there is nothing to withdraw from"):
        withdrawals.withdraw(arena, admin, cup, versions[0], "late")


def test_alone_at_the_cards_the_others_play_on_without_who_was_withdrawn(arena: Arena, admin: Account) -> None:
    """Everybody sits at every table, so those that were to come are made again without it."""
    versions = factories.field_of(arena, admin, 3)
    cup = factories.tournament(arena, admin, versions, "suits-barnhart-solitaire", rounds=3)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])

    withdrawals.withdraw(arena, admin, cup, versions[1], "it has a bug")

    assert states(arena, cup) == ["done", "cancelled", "cancelled", "queued", "queued"]
    page = play_on(arena, cup)
    assert (page.row.state, page.row.tables_done) == ("finished", 3)
    assert {row.version_id: row.tables for row in page.standings} == dict(zip(versions, (3, 1, 3), strict=True))
    [boards] = {len(board) for board in table_page(arena, page.tables[0].id).sets}
    assert boards == 2
    alone = table_page(arena, page.tables[0].id).sets[0][0].alone
    assert alone
    assert alone.result in ("win", "draw", "loss")
    assert fsck.check(arena) == []


def capped(arena: Arena, admin: Account, versions: Sequence[int], cap: int) -> int:
    """A running round robin between pairs, in which a bot may fail so often."""
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(fault_cap=cap))
    return cup


def test_who_fails_too_often_is_withdrawn_after_the_same_table_whoever_was_first(
    arena: Arena, admin: Account, author: Account
) -> None:
    """Whatever order tables are played in; its owner is told, and the organiser's other bots play on."""
    sources = (factories.FIRST, FAULTY, factories.CHANCE, SOMETIMES)
    versions = [factories.bot(arena, author, f"bot-{number}", source) for number, source in enumerate(sources)]
    came: list[object] = []
    for seed in range(3):
        cup = capped(arena, admin, versions, 3)
        page = play_on(arena, cup, seed)
        assert (page.row.state, page.seed) == ("finished", factories.SEED.hex())
        numbers = [
            (row.version_id, row.rank, row.points, row.tables, row.faults, row.out_after) for row in page.standings
        ]
        came.append((numbers, outs(page), states(arena, cup), records(arena, cup)))
        assert outs(page)[versions[1]] == ("faults", 3)
        assert fsck.check(arena) == []

    assert came[0] == came[1] == came[2]
    told = notices.of(arena, author)
    assert "bot-1 was withdrawn from a cup: it failed in more than 3 matches, the last time at table 4." in [
        notice.text for notice in told
    ]
    assert {notice.tournament for notice in told} == {"a cup"}
    assert notices.unseen(arena, author) == len(told)
    notices.seen(arena, author, told[1].id)
    assert notices.unseen(arena, author) == 1
    notices.seen(arena, author, told[0].id)
    assert notices.unseen(arena, author) == 0


def test_two_that_fail_too_often_at_the_same_table_both_leave_after_it(arena: Arena, admin: Account) -> None:
    """Each at a step of its own; the others play on."""
    sources = (FAULTY, FAULTY, factories.FIRST, factories.CHANCE)
    versions = [factories.bot(arena, admin, f"bot-{number}", source) for number, source in enumerate(sources)]
    cup = capped(arena, admin, versions, 0)

    page = play_on(arena, cup)

    assert outs(page) == {versions[0]: ("faults", 0), versions[1]: ("faults", 0)}
    assert states(arena, cup) == ["done", *["cancelled"] * 4, "done"]
    assert len(notices.of(arena, admin)) == 2
    assert fsck.check(arena) == []
