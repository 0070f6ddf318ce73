"""An arena with something of everything, and a person of every kind."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from flask import Flask
from sqlalchemy import select, update

from arena.db.models import AlikePair, BotMember, LtiCourse, LtiLink, LtiScore, Match, Notice, Table, User, Version
from arena.match import analysis
from arena.services.administration import announcements
from arena.services.analyses import actions as analyses
from arena.services.assignments import actions as assignments
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.bots.actions import new_version
from arena.services.bots.declared import OpenBot, declare
from arena.services.comparisons import actions as comparisons
from arena.services.copies import reports
from arena.services.formats.plans import Plan
from arena.services.ladders import actions as ladders
from arena.services.live import classes, friends, sets
from arena.services.live import tables as live
from arena.services.live.people import Person
from arena.services.live.tables import Wish
from arena.services.lti import platforms
from arena.services.lti.platforms import Terms as Platform
from arena.services.people import device_logins, groups, invitations, links, notices, resets, sessions, teams
from arena.services.people.notice_mails import token_of
from arena.services.schedules import actions as schedules
from arena.services.tournaments.actions import create
from arena.services.tournaments.rejudgements import rejudge
from arena.services.trials import actions as trials
from arena.services.trials.views import NewTrial
from arena.services.webhooks import actions as webhooks
from tests import factories
from tests.analyses import make_all, three
from tests.cages import LocalCage
from web.app import create_app
from web.serving.limits import limiter

VARIANT: Final = "suitability-4"
SOON: Final = datetime.now(UTC) + timedelta(days=30)
FAILING: Final = b"def act(view):\n    raise ValueError('no idea')\n"
PEOPLE: Final = ("stranger", "owner", "mate", "pupil", "organiser", "colleague", "admin", "disabled")


class Filled(NamedTuple):
    """An arena with something of everything."""

    arena: Arena
    app: Flask
    people: dict[str, Account]
    """An account of each kind: the owner has most bots, one of them with a mate; the pupil is in the organiser's class
    and is invited to that bot; the disabled one was a mate and an administrator."""
    ids: dict[str, Any]
    """IDs and names, by the names of parameters of paths."""


def fill(home: Path, **variables: str) -> Filled:
    """Fill an arena with bots, tournaments of several kinds, people, and what they have made."""
    arena = open_arena(factories.settings_in(home, **variables), factories.Bell())
    app = create_app(arena, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0})
    limiter.reset()
    people = {name: factories.user(arena, name, admin=name == "admin") for name in PEOPLE}
    with arena.transaction() as session:
        staff = User.name.in_(("organiser", "colleague"))
        session.execute(update(User).where(staff).values(is_organiser=True))
    for name in ("organiser", "colleague"):
        people[name] = Account(people[name].id, name, is_admin=False, is_organiser=True)
    ids = _play(arena, people["owner"]) | {"game": "suitability", "variant": VARIANT, "name": "owner"}
    ids |= _plan(arena, people, ids)
    ids |= _make_class(arena, people)
    ids |= _own(arena, people, ids)
    ids |= _sit_down(arena, people["owner"])
    ids |= _declare(arena, people)
    wish = Wish(VARIANT, bots=("bot-0", "bot-1", "bot-2"))
    ids["set_id"] = classes.create(arena, people["organiser"], ids["group_id"], wish, 5, SOON)
    _disable(arena, people["disabled"])
    return Filled(arena, app, people, ids)


def _play(arena: Arena, owner: Account) -> dict[str, Any]:
    """Play a tournament of four bots with two versions each, one of which fails."""
    sources = (factories.FIRST, factories.LAST, factories.MIDDLE, FAILING)
    versions = [factories.bot(arena, owner, f"bot-{number}", source) for number, source in enumerate(sources)]
    with arena.transaction() as session:
        again = new_version(session.get_one(Version, versions[0]).bot_id, 2, factories.MIDDLE)
        again.state, again.report, again.files = "valid", {"stage": "done", "message": "Passed."}, [["bot.py", 60]]
        session.add(again)
        session.flush()
        later = again.id
    cup = factories.tournament(arena, owner, versions, rounds=2)
    table_ids = factories.table_ids(arena, cup)
    factories.play_all(arena, table_ids, LocalCage())
    other = factories.tournament(arena, owner, [later, *versions[1:]])
    factories.play_all(arena, factories.table_ids(arena, other), LocalCage())
    with arena.reading() as session:
        match = session.scalars(select(Match.id).order_by(Match.id)).first()
    analyses.request(arena, match or 0)
    with patch.object(analysis, "analyse", three):
        make_all(arena)
    return {
        "bot_id": 1, "version_id": versions[0], "tournament_id": cup, "table_id": table_ids[0], "match_id": match,
        "a": versions[0], "b": versions[1], "later_version": later,
    }  # fmt: skip


def _plan(arena: Arena, people: dict[str, Account], ids: dict[str, Any]) -> dict[str, Any]:
    """Make a comparison, a schedule, a trial, a ladder, a cup in rounds, and order tables to be played again."""
    owner, organiser = people["owner"], people["organiser"]
    comparison = comparisons.create(arena, owner, VARIANT, ids["a"], ids["b"])
    factories.play_all(arena, factories.table_ids(arena, comparison)[:3], LocalCage())
    schedule = schedules.create(arena, organiser, Plan("Friday", VARIANT), "0 18 * * FRI", "Europe/London")
    trial = trials.create(arena, owner, NewTrial(VARIANT, ids["a"], matches=1, deal_of=ids["match_id"]))
    tables = factories.table_ids(arena, trial)
    factories.play_all(arena, tables, LocalCage())
    ladders.start(arena, organiser, VARIANT)
    shape = {"rounds": 2}
    swiss = create(arena, organiser, Plan("Swiss", VARIANT, format="swiss", shape=shape), start=True)
    later = create(arena, organiser, Plan("Later", VARIANT, starts_at=SOON.timestamp()), start=False)
    rejudge(arena, organiser, ids["tournament_id"], "a card was missing", table_number=0)
    factories.play_all(arena, [ids["table_id"]], LocalCage())
    with arena.reading() as session:
        match = session.scalars(select(Match.id).join(Table).where(Table.tournament_id == trial)).first()
    return {
        "comparison": comparison, "schedule_id": schedule, "swiss": swiss, "later": later,
        "trial": trial, "trial_table": tables[0], "trial_match": match,
    }  # fmt: skip


def _make_class(arena: Arena, people: dict[str, Account]) -> dict[str, Any]:
    """Make a group, invitations to it, and an assignment that its pupil takes part in."""
    organiser, pupil = people["organiser"], people["pupil"]
    group = groups.create(arena, organiser, "7b")
    invitation = invitations.create(arena, organiser, 3, SOON, group)
    invitations.join(arena, pupil, invitations.invitation_page(arena, organiser, invitation).row.token)
    other = invitations.create(arena, organiser, 3, SOON)
    for number in range(3):
        factories.bot(arena, organiser, f"filler-{number}")
    version = factories.bot(arena, pupil, "homework")
    terms = Terms("Beat it", 0.0, SOON.timestamp(), final=final_plan(VARIANT, "Final", "round_robin"))
    assignment = assignments.create(arena, organiser, Challenge(VARIANT, 2, group), terms)
    with arena.reading() as session:
        bot = session.get_one(Version, version).bot_id
    assignments.enter(arena, pupil, assignment, bot)
    token = invitations.invitation_page(arena, organiser, other).row.token
    return {
        "group_id": group, "invitation_id": invitation, "invitation": token, "assignment_id": assignment,
        "homework": version, "other_bot": bot,
    }  # fmt: skip


def _sit_down(arena: Arena, owner: Account) -> dict[str, Any]:
    """Let a person sit at a table at play, at one that waits, and at one that is over; make the set of a day."""
    person, wish = Person.member(owner), Wish(VARIANT, bots=("bot-0", "bot-1", "bot-2"))
    played = live.open_table(arena, person, wish)
    factories.play_live(arena, played)
    noted, numbers = factories.noted_table(arena, owner, wish)
    with arena.transaction() as session:
        sets.add(session, wish, 5, day="2026-01-02", closes=SOON.timestamp())
    return {
        "live_table": live.open_table(arena, person, wish), "live_played": played, "day": "2026-01-02",
        "live_waiting": friends.open_table(arena, person, wish),
        "live_program": live.open_table(arena, Person.program_of(owner), wish),
        "live_noted": noted, "number": numbers[0],
    }  # fmt: skip


def _declare(arena: Arena, people: dict[str, Account]) -> dict[str, Any]:
    """Make a bot outside the arena, with a team."""
    bot = declare(arena, people["owner"], OpenBot(name="comet", commit="1a2b3c", model="m-1", cost="0.02 USD")).bot_id
    with arena.transaction() as session:
        session.add(BotMember(bot_id=bot, user_id=people["mate"].id, accepted=1.0))
    return {"open_bot": bot}


def _own(arena: Arena, people: dict[str, Account], ids: dict[str, Any]) -> dict[str, Any]:
    """Make what belongs to the owner alone, a team, an announcement, and a report of copies."""
    owner, admin = people["owner"], people["admin"]
    announcements.post(arena, admin, "Back soon.", "info", SOON)
    sessions.begin(arena, owner, "Firefox on Linux")
    teams.invite(arena, owner, 1, "pupil")
    reports.compare(arena)
    webhook = webhooks.add(arena, owner, "https://hooks.example/arena", ["version.validated"], everything=False)
    webhooks.test(arena, owner, webhook)
    urls = ("https://moodle.example/auth", "https://moodle.example/token", "https://moodle.example/keys")
    platform = platforms.add(arena, admin, Platform("Moodle", "https://moodle.example", "arena", *urls, ("1",)))
    other = webhooks.add(arena, people["stranger"], "https://hooks.example/other", ["bot.withdrawn"], everything=False)
    with arena.transaction() as session:
        for mate in ("mate", "disabled"):
            session.add(BotMember(bot_id=1, user_id=people[mate].id, accepted=1.0))
        session.execute(update(User).where(User.id == owner.id).values(email="owner@example.org"))
        notices.notify(session, owner.id, lambda: "Your bot failed.", 1)
        course = LtiCourse(platform_id=platform, deployment="1", context="c", title="Course", group_id=1)
        activity = LtiLink(course=course, resource="r", assignment_id=1, lineitem="https://moodle.example/1")
        session.add(LtiScore(link=activity, user_id=owner.id, given=1.0, maximum=5.0, state="failed"))
        pair = {"a_id": 2, "b_id": 3, "a_version_id": 2, "b_version_id": 3}
        session.add(AlikePair(**pair, share=0.9, counted=48, lines={"a": [], "b": []}))
        notice = session.scalars(select(Notice.id).order_by(Notice.id.desc())).first()
        link = links.add(session, owner.id, "owner@example.net")
    return {
        **{name: people[name].id for name in ("mate", "pupil")}, "user_id": owner.id, "webhook_id": webhook,
        "platform_id": platform, "course_id": 1,
        "other_webhook": other, "delivery_id": 1, "announcement_id": 1, "notice": notice,
        "code": device_logins.ask(arena, "a program", ["read"]).user,
        "reset": resets.make_link(arena, admin, "owner").rpartition("/")[2],
        "unsubscribe": token_of(arena.settings, owner.id), "link": link,
    }  # fmt: skip


def _disable(arena: Arena, account: Account) -> None:
    """Disable an account, but leave it the rights that it had."""
    with arena.transaction() as session:
        gone = {"disabled": "It was shared.", "is_admin": True}
        session.execute(update(User).where(User.id == account.id).values(gone))
