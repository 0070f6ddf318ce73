"""Everything that organisers and administrators do on pages is in the audit log.

`NOTED` has a request for every address that takes forms of organisers and administrators, in an order in which each
succeeds. An address that is neither there nor in `OWN` fails the test: add it, and note what it does with
`arena.services.people.audit.note` in the same transaction.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from flask import Flask
from sqlalchemy import func, select, update
from werkzeug.routing import AnyConverter, Rule

from arena.db.models import AlikePair, AuditEntry, Bot, Tournament, User, Version
from arena.games.registry import GAMES
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.comparisons import actions as comparisons
from arena.services.people import teams
from tests import factories
from tests.web.conftest import Person
from web.people.groups import in_two_weeks

OWN: Final = {
    "accounts.register": "their own account",
    "accounts.try_out": "their own account",
    "accounts.log_in": "their own account",
    "accounts.log_out": "their own account",
    "languages.choose": "their own pages, mails and notices",
    **dict.fromkeys(
        ("own_account.data", "own_account.delete", "own_account.email", "own_account.end_other_sessions",
         "own_account.end_session", "own_account.password", "own_account.verify_email", "access_tokens.new",
         "access_tokens.revoke",
         "device.answer confirm", "device.answer refuse", "provider.disconnect", "provider.register", "resets.ask",
         "resets.choose", "notices.choose", "notices.unsubscribe", "webhooks.index", "webhooks.show", "webhooks.again",
         "webhooks.act test", "webhooks.act secret", "webhooks.act delete", "lti.log_in", "lti.launch", "lti.register",
         "lti.connect", "lti.disconnect"),
        "their own account",
    ),
    "groups.leave": "their own membership",
    "invitations.accept": "their own membership",
    **dict.fromkeys(("lti.publish", "courses.unlink"), "noted, as tests/web/lti/test_launches.py checks"),
    "assignments.enter": "their own bot",
    **dict.fromkeys(
        ("bots.actions.accept", "bots.actions.decline", "bots.actions.act leave"), "their own membership of a team"
    ),
    **dict.fromkeys(("bots.upload", "bots.plays_people"), "their own bot"),
    **dict.fromkeys(
        ("play.index", "play.move", "play.sit", "play.start", "play.again", "play.list_me", "daily.play",
         "learning.undo", "sets.play"),
        "their own seat at a table",
    ),
    "comparisons.new": "a comparison of their own bot",
    **dict.fromkeys(("analyses.create", "analyses.create_latest", "comparisons.analyse"), "what everybody may ask for"),
    **dict.fromkeys(("trials.new", "trials.again", "trials.cancel"), "unrated matches of their own bot"),
    "mcp.answer": "what the operations do that it asks for",
    "tournaments.preview": "changes nothing",
    **dict.fromkeys(("courses.members", "lti.choose"), "changes nothing"),
    "courses.again": "sends the same grade",
    "schedules.preview": "changes nothing",
}  # fmt: skip
"""Endpoints, some with an action, at which members act on what is theirs, and why they are not noted."""
PLATFORM: Final = {
    "name": "Our Moodle", "issuer": "https://moodle.example", "client_id": "arena", "deployments": "1",
    "auth_url": "https://moodle.example/auth", "token_url": "https://moodle.example/token",
    "jwks_url": "https://moodle.example/keys",
}  # fmt: skip
PLAN: Final[dict[str, Any]] = {
    "name": "Cup", "variant": "suitability-2", "entry_rule": "all", "seatings": "rotations", "rounds": 1,
    "begin": "draft",
}  # fmt: skip
HOMEWORK: Final[dict[str, Any]] = {
    "name": "Homework", "group": 1, "opens": "", "deadline": "2090-01-01T00:00", "zone": "UTC", "share": 55,
    "variant": "suitability-4", "reference": 1, "confidence": "0.95", "tables": 30, "valid": 1, "beaten": 4,
    "places": "5", "final": "round_robin",
}  # fmt: skip
DEALS: Final[dict[str, Any]] = {
    "variant": "suitability-4", "deals": 5, "strength": "easy", "closes": "2090-01-01T00:00", "zone": "UTC",
}  # fmt: skip
SCHEDULE: Final = {**PLAN, "every": "cron", "cron": "0 18 * * FRI", "zone": "UTC", "catch_up": "skip"}
REASON: Final = {"reason": "because"}
UNTIL: Final = in_two_weeks()
CUP, DRAFT, COMPARISON = (len(GAMES) + number for number in (1, 2, 3))
"""IDs of the tournaments; the demos of the house bots come first, and the ladder takes the ID of the deleted draft."""
BOT: Final = "Eager"

Step = tuple[str, dict[str, Any]]
"""Address and fields of a request, after preparations by `prepare`."""
NOTED: Final[dict[tuple[str, str], Step]] = {
    ("tournaments.new", ""): ("/tournaments/new?format=round_robin", PLAN),
    ("tournaments.edit", ""): (f"/tournaments/{CUP}/edit", PLAN),
    ("tournaments.actions.act", "start"): (f"/tournaments/{CUP}/start", {}),
    ("tournaments.actions.act", "pause"): (f"/tournaments/{CUP}/pause", {}),
    ("tournaments.actions.act", "resume"): (f"/tournaments/{CUP}/resume", {}),
    ("tournaments.actions.act", "retry"): (f"/tournaments/{CUP}/retry", {}),
    ("operations.retry", ""): ("/operations/retry", {}),
    ("tournaments.actions.act", "rejudge"): (f"/tournaments/{CUP}/rejudge", {**REASON, "table": 1, "version": 0}),
    ("tournaments.actions.act", "withdraw"): (f"/tournaments/{CUP}/withdraw", {**REASON, "version": 1}),
    ("tournaments.actions.act", "cancel"): (f"/tournaments/{CUP}/cancel", {}),
    ("tournaments.actions.act", "delete"): (f"/tournaments/{DRAFT}/delete", {}),
    ("ladders.start", ""): ("/ladders/suitability-4/start", {}),
    ("comparisons.cancel", ""): (f"/comparisons/{COMPARISON}/cancel", {}),
    ("schedules.new", ""): ("/schedules/new?format=round_robin", SCHEDULE),
    ("schedules.edit", ""): ("/schedules/1/edit", SCHEDULE),
    ("schedules.act", "run"): ("/schedules/1/run", {}),
    ("schedules.act", "pause"): ("/schedules/1/pause", {}),
    ("schedules.act", "resume"): ("/schedules/1/resume", {}),
    ("schedules.act", "delete"): ("/schedules/1/delete", {}),
    ("bots.upload_version", ""): ("/bots/{bot}/upload", {"source": "def act(view):\n    return view.legal[0]\n"}),
    ("bots.check_again", ""): ("/versions/{version}/check", {}),
    ("bots.activate", ""): ("/bots/{bot}/active", {"active": "no"}),
    ("bots.actions.rename", ""): ("/bots/{bot}/rename", {"name": "Keen"}),
    ("bots.actions.invite", ""): ("/bots/{bot}/invite", {"account": "helper"}),
    ("bots.actions.change_member", "transfer"): ("/bots/{bot}/transfer/{helper}", {}),
    ("bots.actions.change_member", "remove"): ("/bots/{bot}/remove/{author}", {}),
    ("bots.actions.act", "archive"): ("/bots/{bot}/archive", {}),
    ("bots.actions.act", "restore"): ("/bots/{bot}/restore", {}),
    ("bots.actions.act", "delete"): ("/bots/{idle}/delete", {}),
    ("copies.compare", ""): ("/copies/compare", {}),
    ("copies.show", ""): ("/copies/1/2", REASON),
    ("copies.restore", ""): ("/copies/1/2/restore", {}),
    ("administration.act_on_bot", "disable"): ("/admin/bots/{bot}/disable", REASON),
    ("administration.act_on_bot", "enable"): ("/admin/bots/{bot}/enable", {}),
    ("platforms.index", ""): ("/admin/platforms", PLATFORM),
    ("platforms.show", ""): ("/admin/platforms/1", PLATFORM),
    ("platforms.remove", ""): ("/admin/platforms/1/remove", {}),
    ("groups.new", ""): ("/groups/new", {"name": "Class"}),
    ("groups.rename", ""): ("/groups/1/rename", {"name": "The class"}),
    ("groups.add", ""): ("/groups/1/add", {"text": "account,real_name\nauthor,Ann\n", "until": UNTIL}),
    ("groups.edit", ""): ("/groups/1/members/{author}", {"real_name": "Ann B."}),
    ("groups.remove", ""): ("/groups/1/members/{author}/remove", {}),
    ("invitations.new", ""): ("/invitations/new", {"group": 1, "uses": 2, "until": UNTIL}),
    ("invitations.revoke", ""): ("/invitations/1/revoke", {}),
    ("assignments.new", ""): ("/assignments/new", HOMEWORK),
    ("assignments.edit", ""): ("/assignments/1/edit", {**HOMEWORK, "name": "Home"}),
    ("assignments.delete", ""): ("/assignments/1/delete", {}),
    ("deals.new", ""): ("/groups/1/deals", DEALS),
    ("deals.deadline", ""): ("/play/sets/1/deadline", {"closes": UNTIL}),
    ("deals.delete", ""): ("/play/sets/1/delete", {}),
    ("groups.delete", ""): ("/groups/1/delete", {}),
    ("administration.act_on_member", "disable"): ("/admin/members/{author}/disable", REASON),
    ("administration.act_on_member", "enable"): ("/admin/members/{author}/enable", {}),
    ("administration.act_on_member", "logout"): ("/admin/members/{author}/logout", {}),
    ("administration.reset", ""): ("/admin/members/{author}/reset", {}),
    ("administration.act_on_member", "role"): ("/admin/members/{author}/role", {"role": "organiser"}),
    ("administration.list_announcements", ""): (
        "/admin/announcements",
        {"text": "Hello", "severity": "info", "hours": 1},
    ),
    ("administration.end_announcement", ""): ("/admin/announcements/1/end", {}),
}


def addresses(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield endpoint and action of each address that takes forms; `tests.web.api` has those of programs."""
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.endpoint.startswith("api."):
            yield from ((rule.endpoint, action) for action in actions(rule))


def actions(rule: Rule) -> list[str]:
    """Return the actions of an address that has one of several in its path; an empty one if it has not."""
    converters = [converter for converter in rule._converters.values() if isinstance(converter, AnyConverter)]
    return sorted(converters[0].items) if converters else [""]


def test_every_address_that_takes_forms_is_known(app: Flask) -> None:
    """A new one is noted in the audit log, or is about what a member owns."""
    known = {*NOTED, *(one.partition(" ")[::2] for one in OWN)}

    assert set(addresses(app)) == known


def test_every_act_of_an_administrator_is_noted(
    arena: Arena, ada: Person, app: Flask, promote: Callable[[Person], Person]
) -> None:
    """Each request adds at least one entry with the actor's name."""
    ensure_house(arena)
    admin = promote(ada)
    author = factories.user(arena, "author")
    values = {"author": author.id, "version": factories.bot(arena, author, BOT)}
    values["bot"] = len(bots_of(arena))
    helper = factories.user(arena, "helper")
    values["helper"] = helper.id

    for key, (address, fields) in NOTED.items():
        prepare(arena, key, author, values)
        before = entries(arena)
        admin.send(address.format(**values), **fields)
        assert entries(arena)[len(before) :], f"{key} is not noted"
        assert set(entries(arena)[len(before) :]) == {"ada"}

    before = entries(arena)
    admin.visit(f"/versions/{values['version']}/source")
    assert entries(arena)[len(before) :] == ["ada"], "reading a source is not noted"


def entries(arena: Arena) -> list[str]:
    """Return the actors of all entries of the audit log, oldest first."""
    with arena.reading() as session:
        return list(session.scalars(select(AuditEntry.actor).order_by(AuditEntry.id)))


def bots_of(arena: Arena) -> list[int]:
    """Return the IDs of all bots."""
    with arena.reading() as session:
        return list(session.scalars(select(Bot.id)))


def prepare(arena: Arena, key: tuple[str, str], author: Account, values: dict[str, int]) -> None:
    """Bring the arena into the state that a request needs."""
    endpoint, action = key
    if endpoint == "operations.retry" or action == "retry":
        factories.give_up(arena, factories.table_ids(arena, CUP)[0])
    elif action == "rejudge":
        factories.play_all(arena, factories.table_ids(arena, CUP)[:1])
    elif action == "delete" and endpoint.startswith("tournaments"):
        with arena.transaction() as session:
            other = session.scalars(select(func.max(Tournament.id))).one()
            assert other == CUP
            session.add(copy_of(session.get_one(Tournament, CUP)))
    elif endpoint == "comparisons.cancel":
        rival = factories.bot(arena, author, "Rival")
        comparisons.create(arena, author, "suitability-2", values["version"], rival)
    elif endpoint == "bots.check_again":
        with arena.transaction() as session:
            session.execute(update(Version).where(Version.id == values["version"]).values(state="infra_failed"))
    elif endpoint == "bots.activate":
        with arena.transaction() as session:
            session.execute(update(User).where(User.id == author.id).values(disabled=None))
    else:
        prepare_bot(arena, key, author, values)


def prepare_bot(arena: Arena, key: tuple[str, str], author: Account, values: dict[str, int]) -> None:
    """Bring a bot, its team or its likeness to another one into the state that a request needs."""
    endpoint, action = key
    if action == "archive":
        with arena.transaction() as session:
            session.execute(update(Version).where(Version.state == "pending").values(state="valid"))
    elif action == "transfer":
        teams.accept(arena, Account(values["helper"], "helper", is_admin=False), values["bot"])
    elif key == ("bots.actions.act", "delete"):
        idle = factories.bot(arena, author, "Idle")
        with arena.reading() as session:
            values["idle"] = session.get_one(Version, idle).bot_id
    elif endpoint == "copies.show":
        with arena.transaction() as session:
            found = {"share": 0.9, "counted": 40, "lines": {"a": [], "b": []}}
            session.add(AlikePair(a_id=1, b_id=2, a_version_id=1, b_version_id=2, **found))


def copy_of(tournament: Tournament) -> Tournament:
    """Return a draft like a tournament."""
    names = ("name", "variant", "options", "format", "shape", "boards", "seatings", "entry_rule", "created_by_id")
    columns = {name: getattr(tournament, name) for name in names}
    return Tournament(**columns, state="draft", seed=b"1" * 32, commitment="0" * 64)
