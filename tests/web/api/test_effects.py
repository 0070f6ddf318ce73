"""Writes have the effects of the forms: the same rows, audit notes, events and notices.

Two arenas are alike. In one an administrator asks the API, in the other the same administrator sends forms; after each
step both databases have changed alike, but for the moments at which it happened and for secrets. `TWINS` has a step for
every operation that writes, in an order in which each succeeds. `tests.web.test_audit` says that the forms of
organisers and administrators are noted in the audit log, so these operations are noted as well.
"""

import re
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

import pytest
from sqlalchemy import func, select, update

from arena.db.models import Delivery, Invitation, Notice, UserSession, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.bots.house import ensure_house
from arena.services.people import accounts, keys, teams
from arena.services.people.keys import Scope
from arena.services.tournaments import starts
from arena.settings import Settings
from tests import factories
from tests.web.api.conftest import Program
from tests.web.conftest import FIRST_LEGAL, PASSWORD, Person, make_admin
from tests.web.test_audit import (
    BOT,
    COMPARISON,
    CUP,
    DRAFT,
    HOMEWORK,
    NOTED,
    PLAN,
    REASON,
    UNTIL,
    Step,
    prepare,
)
from web.api.operations import Operation, operations
from web.app import create_app
from web.app.resources import RESOURCES
from web.serving.limits import limiter

VARIANT: Final = "suitability-2"
CUP_BODY: Final = {
    "name": "Cup", "variant": VARIANT, "format": "round_robin", "shape": {"rounds": 1}, "entry_rule": "all",
    "seatings": "rotations",
}  # fmt: skip
WEEKLY: Final = {**CUP_BODY, "cron": "0 18 * * FRI"}
TASK: Final = {
    "name": "Homework", "group_id": 1, "variant": "suitability-4", "reference_id": 1, "tables": 30,
    "deadline": "2090-01-01T00:00:00Z", "final": "round_robin",
}  # fmt: skip
HOOK: Final = {"url": "https://hooks.example/arena", "kinds": ["version.validated"]}
CHOICES: Final = {
    "fault": "none", "withdrawal": "site", "tournament": "site", "validation": "none", "assignment": "site",
    "other": "site",
}  # fmt: skip
SECRET: Final = frozenset({"token", "password", "secret"})
MEASURED: Final = frozenset({"cpu", "wall", "memory", "think", "answers", "output", "cage", "rung_at"})
"""Columns with measurements of tables that the arenas played, and with the moments of doorbells."""
LEFT_OUT: Final = frozenset({"access_tokens", "alembic_version", "repeats"})
"""Tables that say how a request came."""
WHOLE: Final = re.compile(r"(?<=\d)\.0\b")
SHOWN_APART: Final = re.compile(r"(?<=/)[A-Za-z0-9_-]{20,}|\b\d\d:\d\d UTC")
"""Tokens in addresses, and minutes in texts: the arenas may be made on both sides of the turn of a minute."""
DAY: Final = 24 * 3600
Row: TypeAlias = tuple[str, tuple[str, ...], tuple[Any, ...]]
"""A table, its columns, and the values of a row."""


class Twin(NamedTuple):
    """A request to the API, and the form that does the same."""

    name: str
    """ID of the operation."""
    path: str
    body: dict[str, Any]
    form: tuple[str, str] | Step
    """A key of `NOTED`, or an address and its fields."""


TRIAL: Final = {"variant": VARIANT, "version": "{mine}", "opponents": [1]}
TWINS: Final = (
    Twin("create_tournament", "/tournaments", CUP_BODY, ("tournaments.new", "")),
    Twin("preview_tournament", "/tournaments/preview", CUP_BODY, ("/tournaments/preview?format=round_robin", PLAN)),
    Twin("change_tournament", f"/tournaments/{CUP}", CUP_BODY, ("tournaments.edit", "")),
    *(
        Twin(f"{action}_tournament", f"/tournaments/{CUP}/{action}", {}, ("tournaments.actions.act", action))
        for action in ("start", "pause", "resume")
    ),
    Twin("retry_tables", f"/tournaments/{CUP}/retry", {}, ("tournaments.actions.act", "retry")),
    Twin("retry_all_tables", "/operations/retry", {}, ("operations.retry", "")),
    Twin(
        "rejudge_tables", f"/tournaments/{CUP}/rejudge", {**REASON, "table": 0}, ("tournaments.actions.act", "rejudge")
    ),
    Twin(
        "withdraw_bot",
        f"/tournaments/{CUP}/withdraw",
        {**REASON, "version_id": 1},
        ("tournaments.actions.act", "withdraw"),
    ),
    Twin("cancel_tournament", f"/tournaments/{CUP}/cancel", {}, ("tournaments.actions.act", "cancel")),
    Twin("delete_tournament", f"/tournaments/{DRAFT}", {}, ("tournaments.actions.act", "delete")),
    Twin("start_ladder", "/ladders/suitability-4/start", {}, ("ladders.start", "")),
    Twin("cancel_comparison", f"/comparisons/{COMPARISON}/cancel", {}, ("comparisons.cancel", "")),
    Twin("create_schedule", "/schedules", WEEKLY, ("schedules.new", "")),
    Twin("change_schedule", "/schedules/1", WEEKLY, ("schedules.edit", "")),
    *(
        Twin(f"{action}_schedule", f"/schedules/1/{action}", {}, ("schedules.act", action))
        for action in ("run", "pause", "resume")
    ),
    Twin("delete_schedule", "/schedules/1", {}, ("schedules.act", "delete")),
    Twin("create_version", "/bots/{bot}/versions", {"file": FIRST_LEGAL}, ("bots.upload_version", "")),
    Twin("check_version", "/versions/{version}/check", {}, ("bots.check_again", "")),
    Twin("change_bot", "/bots/{bot}", {"active": False}, ("bots.activate", "")),
    Twin("change_bot", "/bots/{bot}", {"name": "Keen"}, ("bots.actions.rename", "")),
    Twin("invite_to_team", "/bots/{bot}/team", {"account": "helper"}, ("bots.actions.invite", "")),
    Twin("transfer_bot", "/bots/{bot}/team/{helper}/transfer", {}, ("bots.actions.change_member", "transfer")),
    Twin("remove_from_team", "/bots/{bot}/team/{author}", {}, ("bots.actions.change_member", "remove")),
    Twin("accept_team", "/bots/{bot}/team/accept", {}, ("/bots/{bot}/accept", {})),
    Twin("mark_notices", "/notices/seen", {"last_id": "{notice}"}, ("/notices", {})),
    Twin("leave_team", "/bots/{bot}/team/leave", {}, ("/bots/{bot}/leave", {})),
    Twin("archive_bot", "/bots/{bot}/archive", {}, ("bots.actions.act", "archive")),
    Twin("restore_bot", "/bots/{bot}/restore", {}, ("bots.actions.act", "restore")),
    Twin("delete_bot", "/bots/{idle}", {}, ("bots.actions.act", "delete")),
    Twin("compare_copies", "/copies/compare", {}, ("copies.compare", "")),
    Twin("dismiss_copies", "/copies/1/2/dismiss", REASON, ("copies.show", "")),
    Twin("restore_copies", "/copies/1/2/restore", {}, ("copies.restore", "")),
    Twin("disable_bot", "/bots/{bot}/disable", REASON, ("administration.act_on_bot", "disable")),
    Twin("enable_bot", "/bots/{bot}/enable", {}, ("administration.act_on_bot", "enable")),
    Twin("create_group", "/groups", {"name": "Class"}, ("groups.new", "")),
    Twin("rename_group", "/groups/1", {"name": "The class"}, ("groups.rename", "")),
    Twin(
        "add_to_group",
        "/groups/1/members",
        {"csv": "account,real_name\nauthor,Ann\n", "expires": f"{UNTIL}T23:59:59Z"},
        ("groups.add", ""),
    ),
    Twin("change_group_member", "/groups/1/members/{author}", {"real_name": "Ann B."}, ("groups.edit", "")),
    Twin("remove_from_group", "/groups/1/members/{author}", {}, ("groups.remove", "")),
    Twin(
        "create_invitation",
        "/invitations",
        {"group_id": 1, "uses": 2, "expires": f"{UNTIL}T23:59:59Z"},
        ("invitations.new", ""),
    ),
    Twin("join_group", "/join/{invitation}", {}, ("/join/{invitation}", {})),
    Twin("leave_group", "/groups/1/leave", {}, ("/groups/1/leave", {})),
    Twin("revoke_invitation", "/invitations/1/revoke", {}, ("invitations.revoke", "")),
    Twin("create_assignment", "/assignments", TASK, ("assignments.new", "")),
    Twin("change_assignment", "/assignments/1", {"name": "Home"}, ("assignments.edit", "")),
    Twin("delete_assignment", "/assignments/1", {}, ("assignments.delete", "")),
    Twin("delete_group", "/groups/1", {}, ("groups.delete", "")),
    Twin("disable_member", "/members/{author}/disable", REASON, ("administration.act_on_member", "disable")),
    Twin("enable_member", "/members/{author}/enable", {}, ("administration.act_on_member", "enable")),
    Twin("log_member_out", "/members/{author}/logout", {}, ("administration.act_on_member", "logout")),
    Twin("reset_password", "/members/{author}/reset", {}, ("administration.reset", "")),
    Twin("set_role", "/members/{author}/role", {"role": "organiser"}, ("administration.act_on_member", "role")),
    Twin(
        "create_announcement",
        "/announcements",
        {"text": "Hello", "hours": 1},
        ("administration.list_announcements", ""),
    ),
    Twin("end_announcement", "/announcements/1/end", {}, ("administration.end_announcement", "")),
    Twin(
        "create_bot",
        "/bots",
        {"name": "Mine", "file": FIRST_LEGAL},
        ("/bots/upload", {"name": "Mine", "source": FIRST_LEGAL}),
    ),
    Twin(
        "create_assignment",
        "/assignments",
        {**TASK, "group_id": None},
        ("/assignments/new", {**HOMEWORK, "group": 0}),
    ),
    Twin(
        "enter_assignment", "/assignments/{task}/enter", {"bot_id": "{own}"}, ("/assignments/{task}", {"bot": "{own}"})
    ),
    Twin(
        "create_comparison",
        "/comparisons",
        {"variant": VARIANT, "a": 1, "b": "{mine}", "delta": 0.1, "most": 100},
        ("/comparisons/new", {"variant": VARIANT, "a": 1, "b": "{mine}", "delta": "0.1", "most": 100}),
    ),
    Twin(
        "create_trial",
        "/trials",
        {**TRIAL, "matches": 4},
        ("/bots/{own}/try", {**TRIAL, "number": 4, "seatings": "rotations", "boards": "new"}),
    ),
    Twin("repeat_trial", "/trials/{trial}/again", {}, ("/playground/{trial}/again", {"boards": "same"})),
    Twin("cancel_trial", "/trials/{trial}/cancel", {}, ("/playground/{trial}/cancel", {})),
    Twin("create_webhook", "/webhooks", HOOK, ("/account/webhooks", HOOK)),
    Twin("change_webhook", "/webhooks/1", {"everything": True}, ("/account/webhooks/1", {**HOOK, "everything": "y"})),
    Twin("renew_secret", "/webhooks/1/secret", {}, ("/account/webhooks/1/secret", {})),
    Twin("test_webhook", "/webhooks/1/test", {}, ("/account/webhooks/1/test", {})),
    Twin(
        "send_delivery_again",
        "/webhooks/1/deliveries/{delivery}/again",
        {},
        ("/account/webhooks/1/again", {"delivery": "{delivery}"}),
    ),
    Twin("delete_webhook", "/webhooks/1", {}, ("/account/webhooks/1/delete", {})),
    Twin("choose_notices", "/notices/choices", CHOICES, ("/account/notices", CHOICES)),
    Twin("end_session", "/sessions/{session}", {}, ("/account/sessions/{session}/end", {})),
)
WITHOUT_EFFECT: Final = frozenset({"preview_tournament", "compare_copies", "renew_secret"})
"""Operations that change no row that is compared: they count, ring for a worker, or change a secret."""
ALONE: Final = {
    "end_sessions": "a browser keeps its own session, a program has none",
    "begin_login": "no account acts yet; `tests.web.people.test_access_tokens` has it",
    "claim_token": "as `begin_login`",
    "revoke_token": "as `begin_login`",
    "create_analysis": "the same service as the form; `tests.web.tables.test_analyses` has both",
    "create_analyses": "as `create_analysis`",
    "open_table": "a program's table is not its member's; `tests.services.live.test_outside` has it",
    "make_move": "as `open_table`",
    "declare_bot": "only programs play outside the arena; `tests.services.live.test_league` has it",
    "be_ready": "as `declare_bot`",
}
"""Operations without a form that does the same, and why."""


class World:
    """An arena of which an administrator has a browser and a program."""

    def __init__(self, home: Path, database: Path) -> None:
        home.mkdir()
        shutil.copy(database, home / "arena.db")
        self.file = home / "arena.db"
        self.arena = open_arena(Settings.from_env({"ARENA_HOME": str(home)}), lambda bells: True)
        self.app = create_app(self.arena, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0})
        self.ada = make_admin(self.arena, Person(self.app, "ada").register())
        self.account = Account(accounts.id_of(self.arena, "ada"), "ada", is_admin=True)
        self.program = Program(self.app, keys.make(self.arena, self.account, "test", list(Scope)))
        ensure_house(self.arena)
        self.author = factories.user(self.arena, "author")
        version = factories.bot(self.arena, self.author, BOT)
        helper = factories.user(self.arena, "helper")
        self.values: dict[str, Any] = {
            "author": self.author.id, "helper": helper.id, "version": version, "bot": self.bot_of(version),
        }  # fmt: skip

    def bot_of(self, version_id: int) -> int:
        """Return the bot of a version."""
        with self.arena.reading() as session:
            return session.get_one(Version, version_id).bot_id

    def newest(self, column: Any) -> Any:
        """Return the largest value of a column."""
        with self.arena.reading() as session:
            return session.scalar(select(func.max(column)))

    def rows(self) -> Counter[Row]:
        """Return all rows of the tables that are compared."""
        found: Counter[Row] = Counter()
        with closing(sqlite3.connect(self.file)) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (name,) in names:
                if name not in LEFT_OUT:
                    read = connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608 -- a name from the schema
                    columns = tuple(column for column, *_ in read.description)
                    found.update((name, columns, row) for row in read)
        return found


def difference(before: Counter[Row], after: Counter[Row]) -> tuple[Counter[Any], Counter[Any]]:
    """Return the rows removed and added, without secrets, measurements and the moments at which something happened."""
    removed = Counter(map(_plain, (before - after).elements()))
    added = Counter(map(_plain, (after - before).elements()))
    return removed - added, added - removed


def _plain(row: Row) -> tuple[str, tuple[tuple[str, Any], ...]]:
    name, columns, values = row
    cells = zip(columns, values, strict=True)
    return name, tuple((column, _shown(column, value)) for column, value in cells if column not in MEASURED)


def _shown(column: str, value: Any) -> Any:
    """Return a value that is the same in both arenas; whole days and later times are compared as they are."""
    if column in SECRET:
        return value is not None
    if isinstance(value, float) and abs(value - time.time()) < 100 * DAY:
        return f"{(value - time.time()) / DAY:+.1f} days"
    return WHOLE.sub("", SHOWN_APART.sub("…", value)) if isinstance(value, str) else value


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[tuple[World, World]]:
    """Two arenas that are alike, for the API and for the forms."""
    home = tmp_path_factory.mktemp("twins")
    limiter.enabled = False
    with pytest.MonkeyPatch.context() as patch:
        seeds = SimpleNamespace(token_bytes=lambda size: factories.SEED[:size])
        patch.setattr(starts, "secrets", seeds)
        made = World(home / "api", sqlite_template), World(home / "pages", sqlite_template)
        yield made
    limiter.enabled = True
    for one in made:
        one.arena.close()


def test_every_write_is_known() -> None:
    """A new operation that writes is compared with its form, or has none."""
    writes = {one.name for one in operations(RESOURCES) if not one.is_safe}

    assert writes == {twin.name for twin in TWINS} | ALONE.keys()


def test_requests_do_what_forms_do(worlds: tuple[World, World]) -> None:
    """Each step changes both arenas alike, and changes something; one that creates does so once, though sent twice."""
    api, pages = worlds

    wrong = {}
    for twin in TWINS:
        asked, sent = changes(api, twin, ask), changes(pages, twin, send)
        if asked != sent or (not any(asked) and twin.name not in WITHOUT_EFFECT):
            wrong[twin.name] = [(one - other) for one, other in zip((*asked, *sent), (*sent, *asked), strict=True)]

    assert wrong == {}


def test_all_sessions_end(worlds: tuple[World, World]) -> None:
    """A program ends all sessions in browsers; its token stays valid."""
    api, _ = worlds

    api.program.ask("DELETE", "/sessions", 204)

    assert api.program.get("/me/sessions") == []


def changes(world: World, twin: Twin, act: Callable[[World, Twin], None]) -> tuple[Counter[Any], Counter[Any]]:
    """Carry out a step, and return the rows that it removed and added."""
    if isinstance(twin.form[1], str):
        prepare(world.arena, (twin.form[0], twin.form[1]), world.author, world.values)
    PREPARED.get(twin.name, _nothing)(world)
    before = world.rows()
    act(world, twin)
    after = world.rows()
    if operation(twin).creates or operation(twin).sealed:
        act(world, twin)
        assert not any(difference(after, world.rows())), f"{twin.name} had its effect twice"
    return difference(before, after)


def ask(world: World, twin: Twin) -> None:
    """Send a step to the API."""
    one = operation(twin)
    key = {"Idempotency-Key": str(TWINS.index(twin))}
    path, body = twin.path.format(**world.values), filled(twin.body, world.values)
    if "form" in one.inputs:
        world.program.upload(path, one.status, body.pop("file"), headers=key, **body)
    else:
        world.program.send(one.method, path, one.status, body, headers=key)


def operation(twin: Twin) -> Operation:
    """Return the operation of a step."""
    return next(one for one in operations(RESOURCES) if one.name == twin.name)


def send(world: World, twin: Twin) -> None:
    """Send a step as a form."""
    address, fields = NOTED[twin.form] if isinstance(twin.form[1], str) else twin.form
    if twin.name == "mark_notices":
        world.ada.visit(address)
        return
    fields = {**filled(fields, world.values), "csrf_token": str(TWINS.index(twin))}
    response = world.ada.client.post(address.format(**world.values), data=fields)
    assert response.status_code < 400, (twin.name, response.text)


def filled(fields: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields with the IDs of an arena for names in braces."""
    return {
        name: values[value[1:-1]] if isinstance(value, str) and value.startswith("{") else value
        for name, value in fields.items()
    }


def _nothing(world: World) -> None:
    pass


def _invited(world: World) -> None:
    helper = Account(world.values["helper"], "helper", is_admin=False)
    teams.invite(world.arena, helper, world.values["bot"], "ada")


def _notice(world: World) -> None:
    world.values["notice"] = world.newest(Notice.id)


def _invitation(world: World) -> None:
    with world.arena.reading() as session:
        world.values["invitation"] = session.scalars(select(Invitation.token)).one()


def _own(world: World) -> None:
    """Let the upload pass its validation."""
    version = world.newest(Version.id)
    with world.arena.transaction() as session:
        session.execute(update(Version).where(Version.id == version).values(state="valid"))
        session.get_one(Version, version).bot.active_version_id = version
    world.values |= {"mine": version, "own": world.bot_of(version)}


def _task(world: World) -> None:
    _own(world)
    world.values["task"] = _last(world.arena, "assignments")


def _trial(world: World) -> None:
    world.values["trial"] = _last(world.arena, "tournaments")


def _delivery(world: World) -> None:
    world.values["delivery"] = world.newest(Delivery.id)
    with world.arena.transaction() as session:
        session.execute(update(Delivery).values(attempts=3))


def _session(world: World) -> None:
    Person(world.app, "ada").send("/login", name="ada", password=PASSWORD)
    world.values["session"] = world.newest(UserSession.id)


def _last(arena: Arena, table: str) -> int:
    with arena.reading() as session:
        return int(session.connection().exec_driver_sql(f"SELECT max(id) FROM {table}").scalar_one())  # noqa: S608


PREPARED: Final[Mapping[str, Callable[[World], None]]] = {
    "accept_team": _invited,
    "mark_notices": _notice,
    "join_group": _invitation,
    "enter_assignment": _task,
    "repeat_trial": _trial,
    "cancel_trial": _trial,
    "send_delivery_again": _delivery,
    "end_session": _session,
}
"""Preparations of steps whose forms are not in `NOTED`."""
