"""Canaries: words in everything that is not public, and who may read each."""

import base64
import re
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import (
    AccessToken,
    AccountLink,
    Assignment,
    AuditEntry,
    Bot,
    BotMember,
    Delivery,
    DeviceRequest,
    Dismissal,
    Event,
    Group,
    GroupMember,
    Invitation,
    MatchSeat,
    Notice,
    Process,
    Repeat,
    Tournament,
    User,
    UserIdentity,
    UserSession,
    Version,
    Webhook,
)
from arena.services.base.states import OVER
from tests.web.filled import Filled
from tests.web.rights.callers import Who

READERS: Final = {
    # What a bot says and is.
    "canarysource": Who.TEAM,
    "canaryrejected": Who.TEAM,
    "canaryfile": Who.TEAM,
    "canaryreport": Who.TEAM,
    "canarytraceback": Who.TEAM,
    "canaryoutput": Who.TEAM,
    "canarydetail": Who.TEAM,
    "canaryview": Who.TEAM,
    "canaryevent": Who.TEAM,
    "canarytrial": Who.TEAM,
    "canarytried": Who.TEAM,
    "canarybarred": Who.OWNER,
    "canarylurker": Who.TEAM,
    # What a member owns alone.
    "canarymail": Who.HOLDER,
    "canarybrowser": Who.HOLDER,
    "canarytoken": Who.HOLDER,
    "canarynotice": Who.HOLDER,
    "canaryhook": Who.HOLDER,
    "canarykey": Who.HOLDER,
    "canaryanswer": Who.HOLDER,
    "canarydue": Who.HOLDER,
    # A class.
    "canarygroup": Who.CLASS,
    "canarypupil": Who.CLASS,
    "canarymate": Who.ORGANISER,
    "canaryperson": Who.ORGANISER,
    "canarylink": Who.ORGANISER,
    "canaryassignment": Who.COURSE,
    "canarydismissal": Who.ORGANISER,
    # The arena's own.
    "canaryaudit": Who.ADMIN,
    "canarydisabled": Who.ADMIN,
    "canaryprocess": Who.ADMIN,
    "canarysubject": Who.NOBODY,
    "canarypassword": Who.NOBODY,
    "canarysession": Who.NOBODY,
    "canaryhash": Who.NOBODY,
    "canaryreset": Who.NOBODY,
    "canarydevice": Who.NOBODY,
    "canarycode": Who.NOBODY,
    "canaryrepeat": Who.NOBODY,
    "canaryseed": Who.NOBODY,
    "canarysecret": Who.NOBODY,
}
"""Who may read each word."""

WORD: Final = re.compile("canary[a-z]+")
_HEX: Final = re.compile("(?:63616e617279(?:[0-9a-f]{2})+)", re.IGNORECASE)
_BASE64: Final = re.compile("Y2FuYXJ5[A-Za-z0-9+/_-]*")


def words(text: str) -> set[str]:
    """Return the canaries in a text, also those in hexadecimal or Base64."""
    found = set(WORD.findall(text)) if "canary" in text else set()
    if "63616e617279" in text:
        found.update(*(WORD.findall(bytes.fromhex(one).decode("latin-1")) for one in _HEX.findall(text)))
    if "Y2FuYXJ5" in text:
        found.update(*(WORD.findall(_decoded(one)) for one in _BASE64.findall(text)))
    return found


def _decoded(text: str) -> str:
    return base64.b64decode(text + "=" * (-len(text) % 4), "-_" if set(text) & {"-", "_"} else None).decode("latin-1")


def plant(filled: Filled) -> None:
    """Write all canaries into the database."""
    with filled.arena.transaction() as session:
        for model, which, values in _changes(filled):
            session.execute(update(model).where(which).values(values))
        session.add_all(_rows(filled))
        for tournament in session.scalars(select(Tournament).where(Tournament.state.not_in(OVER))):
            tournament.seed = f"canaryseed {tournament.id:21}".encode()
        _plant_answers(session, filled)


def _changes(filled: Filled) -> Iterator[tuple[Any, ColumnElement[bool], dict[str, Any]]]:
    """Yield models, conditions, and new values of columns."""
    ids, people = filled.ids, filled.people
    owner, pupil, gone = (people[name].id for name in ("owner", "pupil", "disabled"))
    report = {"stage": "done", "message": "canaryreport", "traceback": "canarytraceback"}
    source = b"# canarysource\ndef act(view):\n    return view.legal[0]\n"
    version = {"source": source, "report": report, "files": [["canaryfile.py", 60]]}
    yield Version, Version.id == ids["version_id"], version
    yield Bot, Bot.id == 2, {"disabled": "canarybarred"}
    yield Tournament, Tournament.id == ids["trial"], {"name": "canarytrial"}
    yield User, User.id > 0, {"password": "canarypassword"}
    yield User, User.id == owner, {"email": "canarymail@example.org"}
    yield AccountLink, AccountLink.email.is_not(None), {"email": "canarymail@example.net"}
    yield User, User.id == gone, {"disabled": "canarydisabled"}
    yield (
        Webhook,
        Webhook.user_id == owner,
        {
            "url": "https://hooks.example/canaryhook",
            "secret": "whsec_" + base64.b64encode(b"canarykey of the webhook").decode(),
        },
    )
    yield Delivery, Delivery.id == ids["delivery_id"], {"state": "failed", "answer": "canaryanswer"}
    yield Notice, Notice.user_id == owner, {"text": "canarynotice"}
    yield Group, Group.id == ids["group_id"], {"name": "canarygroup"}
    yield GroupMember, GroupMember.user_id == pupil, {"real_name": "canarypupil"}
    yield Invitation, Invitation.id == ids["invitation_id"], {"token": "canarylink"}
    yield Assignment, Assignment.id == ids["assignment_id"], {"name": "canaryassignment"}


def _rows(filled: Filled) -> Iterator[Any]:
    """Yield new rows."""
    ids, owner, gone = filled.ids, filled.people["owner"].id, filled.people["disabled"].id
    lurker = User(name="canarylurker", name_key="canarylurker", password=None)
    yield lurker
    yield BotMember(bot_id=ids["bot_id"], user=lurker)
    yield GroupMember(group_id=ids["group_id"], user_id=gone, real_name="canarymate")
    yield Version(
        bot_id=ids["bot_id"], number=3, source=b"canaryrejected", size=14, sha256="0" * 64, state="invalid",
        report={"stage": "load", "message": "canaryrejected"},
    )  # fmt: skip
    yield UserSession(user_id=owner, token="canarysession", browser="canarybrowser", ends=now() + 9999)
    yield AccessToken(user_id=owner, token="canaryhash", name="canarytoken", scopes=["read"], ends=now() + 9999)
    yield AccountLink(user_id=owner, token="canaryreset", ends=now() + 9999)
    yield UserIdentity(issuer="https://id.example", subject="canarysubject", user_id=gone)
    yield DeviceRequest(token="canarydevice", code="canarycode", client="a program", scopes=[], ends=now() + 9999)
    yield Repeat(user_id=owner, key="canaryrepeat", digest="canaryrepeat", answer={"location": "canaryrepeat"})
    yield Invitation(
        token="canarylink of one", group_id=ids["group_id"], real_name="canaryperson", uses=1, expires=now() + 9999,
        created_by_id=filled.people["organiser"].id,
    )  # fmt: skip
    yield Dismissal(a_id=2, b_id=3, reason="canarydismissal", by="organiser")
    yield AuditEntry(actor="admin", action="did something", subject="nothing", detail="canaryaudit")
    yield Process(
        name="canaryprocess", kind="worker", release="1", state="idle", detail="canaryprocess", started=now(),
        since=now(), seen=now(), samples=[],
    )  # fmt: skip
    about = {"bot": "canaryevent", "version": 1, "tournament": "Cup"}
    yield Event(kind="version.faulted", public=False, number=901, bot_id=ids["bot_id"], data=about)
    due = {"assignment": "canarydue", "deadline": "Friday"}
    yield Event(kind="assignment.due", public=False, number=902, user_id=owner, data=due)


def _plant_answers(session: Session, filled: Filled) -> None:
    """Give the seats of a match, and of one of a trial, a failure and output with canaries."""
    private = {
        "detail": "canarydetail",
        "traceback": "canarytraceback",
        "output": "canaryoutput",
        "view": {"a": "canaryview"},
    }
    for match, values in ((filled.ids["match_id"], private), (filled.ids["trial_match"], {"output": "canarytried"})):
        for seat in session.scalars(select(MatchSeat).where(MatchSeat.match_id == match)):
            if seat.version_id == filled.ids["version_id"]:
                for name, value in {"fault": "error", "move": 0, **values}.items():
                    setattr(seat, name, value)
