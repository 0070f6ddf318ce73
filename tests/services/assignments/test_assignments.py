"""Assignments: who may do what, what is compared and counts, finals, and points."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from arena.db.models import Assignment, AssignmentAttempt, AuditEntry, Bot, Entry, Notice, Tournament, Version
from arena.games.errors import ArenaError, NotFound, Refused
from arena.services.assignments import actions, runs
from arena.services.assignments import pages as assignment_pages
from arena.services.assignments.points import Points
from arena.services.assignments.terms import Terms, final_plan
from arena.services.base.context import Arena
from arena.services.comparisons import actions as comparisons
from arena.services.integrity import fsck
from arena.services.people import groups
from arena.services.work import sweep
from tests import factories
from tests.services.assignments.conftest import HOUR, VARIANT, Class


def attempts(arena: Arena) -> list[AssignmentAttempt]:
    """Return all attempts, by version."""
    with arena.reading() as session:
        return list(session.scalars(select(AssignmentAttempt).order_by(AssignmentAttempt.version_id)))


def test_class_is_graded(course: Class) -> None:
    """A bot that beats the reference, one that does not, and one without a bot get their states and points."""
    one = course.assign(final=course.final(), points=Points(1, 4, (5,)))
    course.enter(one, "strong")
    course.enter(one, "weak")
    for name in ("third-student", "fourth-student"):
        course.enter(one, name)
    course.student("idle", "Ida Le")
    course.play()

    assert course.row(one, "strong").progress == "beaten"
    assert course.row(one, "weak").progress == "not yet"
    assert course.row(one, "idle").progress == "no bot"
    assert course.row(one, "idle").real_name == "Ida Le"
    strong = course.row(one, "strong")
    assert strong.beaten
    assert strong.counts
    assert strong.counts.result
    assert strong.counts.result.share is not None
    assert strong.counts.result.interval is not None
    assert strong.counts.result.interval[0] < strong.counts.result.share < strong.counts.result.interval[1]
    assert strong.counts.result.tables >= 5
    assert (strong.award.total, course.row(one, "weak").award.total, course.row(one, "idle").award.total) == (5, 1, 0)

    course.pass_deadline(one)
    course.play()
    page = assignment_pages.assignment_page(course.arena, one, course.teacher)

    assert (page.final_state, page.row.phase) == ("finished", "over")
    strong, weak = course.row(one, "strong"), course.row(one, "weak")
    assert strong.place
    assert weak.place
    assert (strong.place.rank, weak.place.rank, weak.place.entries) == (1, 4, 4)
    assert (strong.award.total, weak.award.total) == (10, 1)
    assert runs.run_due(course.arena) == 0
    assert fsck.check(course.arena, quick=True) == []


def test_late_uploads_do_not_count(course: Class) -> None:
    """An upload after the deadline is shown as late; the last valid one before it counts and enters the final."""
    one = course.assign(final=course.final())
    for name in ("strong", "weak", "third-student", "fourth-student"):
        course.enter(one, name)
    course.play()
    course.pass_deadline(one)
    late = course.upload("weak", "valid")
    course.play()
    row = course.row(one, "weak")

    assert row.late
    assert row.late.version_id == late
    assert row.late.result is None
    assert row.counts
    assert row.counts.number == 1
    with course.arena.reading() as session:
        entered = session.scalars(
            select(Entry.version_id).join(Tournament).where(Tournament.name == "Homework: final")
        ).all()
    assert late not in entered
    assert len(entered) == 4


def test_deadline_can_be_moved(course: Class) -> None:
    """A later deadline makes late uploads count, an earlier one makes counted uploads late."""
    one = course.assign()
    course.enter(one, "weak")
    course.pass_deadline(one)
    late = course.upload("weak", "valid")
    runs.run_due(course.arena)
    assert [attempt.version_id for attempt in attempts(course.arena)] != [late]

    actions.change(course.arena, course.teacher, one, course.terms(deadline=course.now + HOUR))
    course.play()
    counts = course.row(one, "weak").counts
    assert counts
    assert counts.version_id == late
    assert late in [attempt.version_id for attempt in attempts(course.arena)]

    actions.change(course.arena, course.teacher, one, course.terms(deadline=course.now - HOUR / 2 + 30))
    counts = course.row(one, "weak").counts
    assert counts
    assert counts.number == 1


def test_only_late_uploads_count_nothing(course: Class) -> None:
    """A participant whose uploads were all late gets no points."""
    one = course.assign()
    course.enter(one, "weak")
    with course.arena.transaction() as session:
        session.execute(update(Assignment).values(deadline=course.now - HOUR / 2))

    row = course.row(one, "weak")
    assert (row.progress, row.counts, row.award.total) == ("late", None, 0)


def test_rejected_upload_shows_its_reason_and_the_earlier_one_counts(course: Class) -> None:
    """The state is that of the latest upload, and the points those of the last valid one."""
    one = course.assign()
    course.enter(one, "strong")
    course.play()
    course.upload("strong", "invalid", {"stage": "load", "message": "Line 3: invalid syntax."})
    row = course.row(one, "strong")

    assert (row.progress, row.reason) == ("rejected", "Line 3: invalid syntax.")
    assert row.beaten
    assert row.award.total == 5


@pytest.mark.parametrize(("state", "progress"), [("pending", "validating"), ("infra_failed", "not checked")])
def test_unvalidated_upload_is_shown(course: Class, state: str, progress: str) -> None:
    """Uploads without a verdict have a state of their own."""
    one = course.assign()
    course.enter(one, "strong")
    course.upload("strong", state)

    assert course.row(one, "strong").progress == progress


def test_each_upload_is_compared_once_and_the_latest_first(course: Class) -> None:
    """A participant has one comparison at a time; others that wait are not lost."""
    one = course.assign()
    course.enter(one, "weak")
    second, third = course.upload("weak", "valid"), course.upload("weak", "valid")
    assert (runs.run_due(course.arena), runs.run_due(course.arena)) == (1, 0)
    assert course.row(one, "weak").progress == "comparing"
    assert [attempt.version_id for attempt in attempts(course.arena)] == [third]

    course.play()
    assert [attempt.version_id for attempt in attempts(course.arena)][-2:] == [second, third]
    assert len(attempts(course.arena)) == 3


def test_comparison_is_not_started_twice(course: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that saw the same upload waiting finds it taken."""
    one = course.assign()
    course.enter(one, "weak")
    with course.arena.reading() as session:
        due = runs._due(session, session.get_one(Assignment, one))
    runs.run_due(course.arena)
    monkeypatch.setattr(runs, "_due", lambda *_: due)

    assert runs.run_due(course.arena) == 0
    assert len(attempts(course.arena)) == 1


def test_comparison_waits_for_room_in_the_queue(course: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that cannot start now is tried again by the next sweep."""
    one = course.assign()
    course.enter(one, "weak")
    start = comparisons.start

    def full(*_: Any) -> int:
        raise Refused("The queue is full.")

    monkeypatch.setattr(comparisons, "start", full)
    assert runs.run_due(course.arena) == 0
    assert course.row(one, "weak").progress == "valid"

    monkeypatch.setattr(comparisons, "start", start)
    assert runs.run_due(course.arena) == 1


def test_failure_in_one_assignment_does_not_stop_others(course: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is logged, and the next assignment gets its comparisons."""
    one, other = course.assign(), course.assign()
    course.enter(other, "weak")
    due = runs._due

    def fail_once(session: Any, assignment: Assignment) -> list[int]:
        if assignment.id == one:
            raise ValueError("an internal error")
        return due(session, assignment)

    monkeypatch.setattr(runs, "_due", fail_once)
    assert runs.run_due(course.arena) == 1


def test_comparisons_of_assignments_leave_the_quota_alone(course: Class) -> None:
    """A participant may start comparisons of their own while that of the assignment runs."""
    one = course.assign()
    weak = course.enter(one, "weak")
    runs.run_due(course.arena)
    with course.arena.transaction() as session:
        version = session.scalars(select(Version.id).where(Version.bot_id == course.bot("weak"))).one()

    for _ in range(comparisons.MOST_RUNNING):
        comparisons.create(course.arena, weak, VARIANT, course.reference, version)
    with pytest.raises(Refused, match="at most"):
        comparisons.create(course.arena, weak, VARIANT, course.reference, version)


def test_upload_that_does_not_play_the_game_is_not_compared(course: Class) -> None:
    """Its reason is shown, and it does not enter the final."""
    one = course.assign()
    course.enter(one, "weak")
    course.upload("weak", "valid", games=["suits_steere"])
    course.play()
    row = course.row(one, "weak")

    assert row.progress == "cannot be compared"
    assert row.reason is not None
    assert row.reason.startswith("It does not play this game")


def test_bots_of_the_tables_themselves_are_not_compared(course: Class) -> None:
    """A teacher who takes part with the reference bot gets a reason instead of a comparison."""
    own = factories.bot(course.arena, course.teacher, "own")
    one = course.assign(course.challenge(reference_id=own, group_id=None))
    actions.enter(course.arena, course.teacher, one, course.bot("own"))
    course.play()
    row = course.row(one, "teacher")

    assert (row.progress, row.reason) == ("cannot be compared", "It is one of the bots that every participant meets.")
    assert fsck.check(course.arena, quick=True) == []


def test_comparison_without_an_answer_is_not_decided(course: Class) -> None:
    """A bot as good as asked for stays undecided, and its share is shown."""
    one = course.assign(course.challenge(tables=10, share=0.5))
    course.enter(one, "even")
    course.play()
    row = course.row(one, "even")

    assert row.progress in ("not decided", "not yet")
    assert row.latest
    assert row.latest.result
    assert row.latest.result.tables == 10
    assert row.latest.result.decision == "undecided"


def test_final_waits_for_validation(course: Class) -> None:
    """An upload in time enters the final even if it is validated after the deadline."""
    one = course.assign(final=course.final())
    for name in ("strong", "weak", "third-student", "fourth-student"):
        course.enter(one, name)
    pending = course.upload("weak", "pending")
    course.pass_deadline(one)
    course.play()
    assert assignment_pages.assignment_page(course.arena, one, course.teacher).final_id is None

    with course.arena.transaction() as session:
        session.execute(update(Version).where(Version.id == pending).values(state="valid"))
    course.play()
    row = course.row(one, "weak")
    assert row.counts
    assert row.counts.version_id == pending
    assert row.place
    assert row.place.rank == 4


def test_final_that_cannot_start_is_reported_and_tried_again_after_a_change(course: Class) -> None:
    """The page and a notice say why; saving the assignment starts it once it is possible."""
    one = course.assign(final=course.final())
    course.enter(one, "weak")
    course.pass_deadline(one)
    course.play()
    page = assignment_pages.assignment_page(course.arena, one, course.teacher)

    assert page.problem is not None
    assert "at least 4 bots; 1 can be entered" in page.problem
    with course.arena.reading() as session:
        assert session.scalars(select(Notice.text).where(Notice.user_id == course.teacher.id)).all() == [
            f"The final of Homework could not be started. {page.problem}"
        ]
    actions.change(course.arena, course.teacher, one, replace(page.terms, deadline=course.now + HOUR))
    for name in ("strong", "third-student", "fourth-student"):
        course.enter(one, name)
    course.pass_deadline(one)
    course.play()
    assert assignment_pages.assignment_page(course.arena, one, course.teacher).final_state == "finished"


def test_bots_that_are_switched_off_are_not_in_the_final(course: Class) -> None:
    """Deactivating the bot withdraws it; its other points stay."""
    one = course.assign(final=course.final())
    for name in ("strong", "weak", "third-student", "fourth-student", "fifth-student"):
        course.enter(one, name)
    with course.arena.transaction() as session:
        session.execute(update(Bot).where(Bot.name == "strong").values(active=False))
    course.pass_deadline(one)
    course.play()
    strong = course.row(one, "strong")

    assert strong.place is None
    assert strong.award.valid == 1


def test_results_of_a_former_member_stay(course: Class) -> None:
    """Later uploads are not compared, a final that starts later has no place, and one that has started plays on."""
    one = course.assign(final=course.final())
    early, late, *_ = (course.enter(one, name) for name in ("weak", "strong", "better", "fourth-2", "fifth-2"))
    course.play()
    groups.leave(course.arena, early, course.group)
    course.upload("weak", "valid")
    assert runs.run_due(course.arena) == 0
    assert course.row(one, "weak").progress == "valid"

    course.pass_deadline(one)
    runs.run_due(course.arena)
    groups.leave(course.arena, late, course.group)
    course.play()

    gone, entered = course.row(one, "weak"), course.row(one, "strong")
    assert [upload.result is not None for upload in gone.uploads] == [True, False]
    assert gone.place is None
    assert entered.place is not None
    assert (entered.place.entries, entered.place.settled) == (4, True)


def test_terms_after_the_final(course: Class) -> None:
    """Names and points can still change; times cannot, and there is no second final."""
    one = course.assign(final=course.final())
    for name in ("strong", "weak", "third-student", "fourth-student"):
        course.enter(one, name)
    course.pass_deadline(one)
    course.play()
    page = assignment_pages.assignment_page(course.arena, one, course.teacher)

    with pytest.raises(Refused, match="the times are fixed"):
        actions.change(course.arena, course.teacher, one, replace(page.terms, deadline=course.now + HOUR))
    actions.change(
        course.arena, course.teacher, one, replace(page.terms, name="Project", final=None, points=Points(0, 0, (9, 7)))
    )
    course.play()
    after = assignment_pages.assignment_page(course.arena, one, course.teacher)
    assert (after.row.name, after.final_id) == ("Project", page.final_id)
    assert after.terms.final is not None
    assert [one.award.total for one in assignment_pages.sorted_by(after.students, "points")] == [9, 7, 0, 0]


def test_bot_can_be_exchanged_before_the_deadline(course: Class) -> None:
    """The bot that is entered last counts, from its active version on."""
    one = course.assign()
    weak = course.enter(one, "weak")
    factories.bot(course.arena, weak, "strong")
    second = course.upload("strong", "valid")
    actions.enter(course.arena, weak, one, course.bot("weak"))
    actions.enter(course.arena, weak, one, course.bot("strong"))
    row = course.row(one, "weak")

    assert row.bot == "strong"
    assert [upload.version_id for upload in row.uploads] == [second]


def test_bot_without_a_valid_version_can_be_entered(course: Class) -> None:
    """Its versions take part from the first on."""
    one = course.assign()
    student = course.student("new")
    factories.bot(course.arena, student, "fresh")
    with course.arena.transaction() as session:
        session.execute(update(Bot).where(Bot.name == "fresh").values(active_version_id=None))
        session.execute(update(Version).where(Version.bot_id == course.bot("fresh")).values(state="pending"))
    actions.enter(course.arena, student, one, course.bot("fresh"))

    assert course.row(one, "new").progress == "validating"


def test_entry_is_refused(course: Class) -> None:
    """Strangers, other people's bots, other games, and entries before the opening or after the deadline."""
    one, planned, over = (
        course.assign(),
        course.assign(opens=course.now + HOUR / 2),
        course.assign(opens=course.now - 2 * HOUR, deadline=course.now - HOUR),
    )
    student, stranger = course.student("ann"), factories.user(course.arena, "stranger")
    factories.bot(course.arena, student, "mine")
    factories.bot(course.arena, student, "other-game", games=["suits_steere"])
    factories.bot(course.arena, course.teacher, "of-teacher")
    cases = [
        (student, one, "target", Refused, "your own bots"),
        (student, one, "other-game", Refused, "does not play Suitability"),
        (student, planned, "mine", Refused, "not opened"),
        (student, over, "mine", Refused, "deadline"),
        (stranger, one, "mine", NotFound, "no assignment"),
        (course.teacher, one, "of-teacher", Refused, "members of its group"),
        (student, 99, "mine", NotFound, "no assignment 99"),
    ]
    for account, assignment, bot, error, says in cases:
        with pytest.raises(error, match=says):
            actions.enter(course.arena, account, assignment, course.bot(bot))


def test_only_organisers_manage_assignments(course: Class) -> None:
    """Members cannot create, change or delete them."""
    one = course.assign()
    student = course.student("ann")
    for attempt in (
        lambda: actions.create(course.arena, student, course.challenge(), course.terms()),
        lambda: actions.change(course.arena, student, one, course.terms()),
        lambda: actions.delete(course.arena, student, one),
    ):
        with pytest.raises(Refused, match="organiser"):
            attempt()


def test_actions_of_organisers_are_in_the_audit_log(course: Class) -> None:
    """Creating, changing and deleting, and the finals that the arena starts."""
    one = course.assign(final=course.final())
    for name in ("strong", "weak", "third-student", "fourth-student"):
        course.enter(one, name)
    course.pass_deadline(one)
    course.play()
    two = course.assign()
    actions.change(course.arena, course.teacher, two, course.terms(name="Other"))
    actions.delete(course.arena, course.teacher, two)

    with course.arena.reading() as session:
        entries = session.execute(
            select(AuditEntry.actor, AuditEntry.action, AuditEntry.subject).order_by(AuditEntry.id)
        )
        assert [tuple(entry) for entry in entries] == [
            ("teacher", "created an assignment", "assignment 1"),
            ("the arena", "started the final of an assignment", "assignment 1"),
            ("teacher", "created an assignment", "assignment 2"),
            ("teacher", "changed an assignment", "assignment 2"),
            ("teacher", "deleted an assignment", "assignment 2"),
        ]


def test_assignment_with_results_cannot_be_deleted(course: Class) -> None:
    """Entries alone do not keep it; comparisons do."""
    one, two = course.assign(), course.assign()
    course.enter(one, "weak")
    actions.delete(course.arena, course.teacher, one)
    actions.enter(course.arena, factory_account(course, "weak"), two, course.bot("weak"))
    course.play()

    with pytest.raises(Refused, match="Cannot delete"):
        actions.delete(course.arena, course.teacher, two)
    with pytest.raises(NotFound, match="no assignment 1"):
        actions.delete(course.arena, course.teacher, one)


def factory_account(course: Class, name: str) -> Any:
    """Return the account of the owner of a bot."""
    with course.arena.reading() as session:
        owner = session.scalars(select(Bot).where(Bot.name == name)).one().owner
        return replace(course.teacher, id=owner.id, name=owner.name, is_organiser=False)


@pytest.mark.parametrize(
    ("challenge", "terms", "says"),
    [
        ({"share": 0.95}, {}, "share must be 30% to 90%"),
        ({"confidence": 0.5}, {}, "confidence must be 80% to 99.9%"),
        ({"tables": 5}, {}, "number of tables must be 10 to 1,000"),
        ({"variant": "chess"}, {}, "chess"),
        ({"reference_id": 99}, {}, "no version 99"),
        ({"group_id": 99}, {}, "no group 99"),
        ({"variant": "separate-suits-8"}, {}, "needs 6 other bots"),
        ({}, {"name": ""}, "name of the assignment"),
        ({}, {"name": "x" * 71}, "at most 70 characters"),
        ({}, {"deadline": 1e12}, "deadline must be in seconds"),
        ({}, {"opens": 2e9, "deadline": 1e9}, "after the opening"),
        ({}, {"points": Points(-1)}, "0 to 1,000"),
        ({}, {"points": Points(float("nan"))}, "0 to 1,000"),
        ({}, {"points": Points(places=(1.0,) * 101)}, "At most 100 places"),
        ({}, {"final": replace(final_plan(VARIANT, "x", "swiss"), format="comparison")}, "no format 'comparison'"),
        ({}, {"final": final_plan(VARIANT, "x", "swiss", rounds=0)}, "Rounds must be"),
    ],
)
def test_wrong_settings_are_refused(course: Class, challenge: dict[str, Any], terms: dict[str, Any], says: str) -> None:
    """The error says what is wrong and what is allowed."""
    with pytest.raises(ArenaError, match=says):
        course.assign(course.challenge(**challenge), **terms)


def test_unknown_format_of_a_final_is_refused() -> None:
    """The error lists the formats."""
    with pytest.raises(Refused, match="the formats are round_robin"):
        final_plan(VARIANT, "x", "comparison")


def test_page_shows_others_only_to_organisers_or_if_public(course: Class) -> None:
    """A student sees the own row and the distribution; everyone's in a public assignment, without names and reasons."""
    one, public = course.assign(), course.assign(public=True)
    ann = course.student("ann", "Ann A.")
    course.student("bob", "Bob B.")
    factories.bot(course.arena, ann, "mine")
    page = assignment_pages.assignment_page(course.arena, one, ann)

    assert page.students == ()
    assert page.distribution == {"no bot": 2}
    assert page.me
    assert page.me.real_name == "Ann A."
    assert page.bots == ((course.bot("mine"), "mine"),)
    shown = assignment_pages.assignment_page(course.arena, public, ann).students
    assert [(student.name, student.real_name) for student in shown] == [("ann", "Ann A."), ("bob", "")]
    assert assignment_pages.assignment_page(course.arena, one, course.teacher).bots == ()


def test_list_shows_own_assignments(course: Class) -> None:
    """Organisers see all, students those of their groups and those for everybody."""
    course.assign()
    everybody = course.assign(course.challenge(group_id=None), opens=course.now + 60)
    over = course.assign(opens=course.now - 2 * HOUR, deadline=course.now - HOUR)
    ann, stranger = course.student("ann"), factories.user(course.arena, "stranger")

    phases = [(row.id, row.phase) for row in assignment_pages.assignments(course.arena, ann)]
    assert phases == [(everybody, "planned"), (1, "open"), (over, "over")]
    assert len(assignment_pages.assignments(course.arena, course.teacher)) == 3
    assert [row.id for row in assignment_pages.assignments(course.arena, stranger)] == [everybody]
    with pytest.raises(NotFound):
        assignment_pages.assignment_page(course.arena, over, stranger)


def test_students_are_sorted(course: Class) -> None:
    """By real name, or account name without one; by points; or by state."""
    one = course.assign()
    course.enter(one, "strong")
    course.student("zoe", "Adams, Zoe")
    course.student("ben")
    course.play()
    found = assignment_pages.assignment_page(course.arena, one, course.teacher).students

    def names(key: str) -> list[str]:
        return [student.name for student in assignment_pages.sorted_by(found, key)]

    assert names("name") == ["zoe", "ben", "strong"]
    assert names("points") == ["strong", "zoe", "ben"]
    assert names("state") == ["strong", "zoe", "ben"]


def test_choices_of_a_new_assignment(course: Class) -> None:
    """Groups, and the active versions."""
    assert assignment_pages.groups(course.arena) == [(course.group, "7b")]
    names = [name for _, name in assignment_pages.references(course.arena)]
    assert names == ["target v1", "third v1", "fourth v1", "fifth v1"]


def test_sweep_starts_comparisons(course: Class) -> None:
    """No command is needed."""
    course.enter(course.assign(), "weak")
    sweep.tick(course.arena)

    assert len(attempts(course.arena)) == 1


def test_planned_assignments_start_nothing(course: Class) -> None:
    """Comparisons begin when an assignment opens."""
    one = course.assign()
    course.enter(one, "weak")
    with course.arena.transaction() as session:
        session.execute(update(Assignment).values(opens=course.now + 60))

    assert runs.run_due(course.arena) == 0
    assert isinstance(assignment_pages.assignment_page(course.arena, one, course.teacher).terms, Terms)


def test_cancelled_comparison_is_not_decided(course: Class) -> None:
    """A participant who cancels the comparison gets no answer for this version."""
    one = course.assign()
    course.enter(one, "weak")
    runs.run_due(course.arena)
    with course.arena.transaction() as session:
        session.execute(update(Tournament).values(state="cancelled"))

    assert course.row(one, "weak").progress == "not decided"
    assert runs.run_due(course.arena) == 0


def test_final_is_started_once(course: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process that also found the deadline passed finds the assignment closed."""
    one = course.assign(final=course.final())
    for name in ("strong", "weak", "third-student", "fourth-student"):
        course.enter(one, name)
    course.pass_deadline(one)
    course.play()
    runs._finish(course.arena, one)

    with course.arena.reading() as session:
        assert len(session.scalars(select(Tournament.id).where(Tournament.name == "Homework: final")).all()) == 1
