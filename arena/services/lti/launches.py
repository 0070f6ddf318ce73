"""Launches: a platform sends a person's browser to the arena (LTI 1.3, after OpenID Connect's third-party login).

`begin` sends the browser back to the platform with a nonce, which the browser keeps in a cookie. `receive` checks the
platform's signed message, which a browser sends without cookies, and stores it under its nonce. `current` returns it to
the browser with that cookie alone, so a message that somebody else obtained logs nobody in.
"""

import secrets
import time
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import urlencode

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import LtiLaunch, LtiPlatform, User
from arena.games.errors import Refused
from arena.services.base.context import Arena
from arena.services.base.texts import storable_json
from arena.services.lti import messages
from arena.services.lti.keys import Keys
from arena.services.lti.messages import Message
from arena.services.people.identities import Identity
from arena.services.people.seals import Unreadable, seal, unseal
from arena.words import _

PATIENCE: Final = 600.0
"""Seconds within which the platform answers."""
KEPT: Final = 3600.0
"""Seconds for which a launch is kept, and its nonce is used up: more than `PATIENCE`."""
_PURPOSE: Final = "lti"


@dataclass(frozen=True)
class Login:
    """A platform's request to log in."""

    issuer: str
    client_id: str
    login_hint: str
    message_hint: str
    frame: str = ""
    """Secret of the frame from which the window was opened; empty if there is none."""


@dataclass(frozen=True)
class Launch:
    """A launch of the person whose browser asks."""

    platform_id: int
    platform: str
    """Name of the platform."""
    issuer: str
    message: Message
    known_address: bool
    """Whether an account has the e-mail address that the platform tells."""
    nonce: str
    framed: bool
    """Whether its window was opened from a frame."""

    @property
    def identity(self) -> Identity:
        """The person's account at the platform."""
        return Identity(self.issuer, self.message.sub)


def begin(arena: Arena, login: Login, callback: str) -> tuple[str, str]:
    """Return the nonce of a new launch, and the platform's address that answers to `callback`. Raises `Refused`."""
    with arena.reading() as session:
        platform = _platform(session, login)
        nonce = secrets.token_urlsafe(24)
        begun = {"nonce": nonce, "platform": platform.id, "at": time.time(), "frame": login.frame}
        query = {
            "scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none",
            "client_id": platform.client_id, "redirect_uri": callback, "login_hint": login.login_hint,
            **({"lti_message_hint": login.message_hint} if login.message_hint else {}),
            "state": seal(arena.settings, _PURPOSE, begun)["sealed"], "nonce": nonce,
        }  # fmt: skip
        return nonce, f"{platform.auth_url}{'&' if '?' in platform.auth_url else '?'}{urlencode(query)}"


def receive(arena: Arena, keys: Keys, token: str, state: str) -> None:
    """Check a platform's message and store it. Raises `Refused`."""
    nonce, platform_id, frame = _begun(arena, state)
    with arena.reading() as session:
        platform = session.get(LtiPlatform, platform_id)
        used = session.get(LtiLaunch, nonce)
    if platform is None or used is not None:
        raise over()
    found = partial(keys.at, arena.settings, platform.jwks_url)
    claims = messages.verified(token, found, platform.issuer, platform.client_id, nonce)
    message = messages.read(claims)
    if message.deployment not in platform.deployments:
        raise Refused(
            _(
                "The deployment ID %(id)s is not registered for %(platform)s: an administrator adds it.",
                id=message.deployment,
                platform=platform.name,
            )
        )
    _store(arena, LtiLaunch(nonce=nonce, platform_id=platform_id, frame=frame or None), message)


def current(arena: Arena, nonce: str) -> Launch:
    """Return the launch with this nonce. Raises `Refused` if there is none."""
    with arena.reading() as session:
        found = session.get(LtiLaunch, nonce)
        if found is None:
            raise over()
        message = msgspec.convert(found.message, Message)
        known = select(User.id).where(User.email == message.email).limit(1)
        return Launch(
            found.platform_id, found.platform.name, found.platform.issuer, message,
            bool(message.email) and session.scalar(known) is not None, nonce, found.frame is not None,
        )  # fmt: skip


def enter(arena: Arena, launch: Launch) -> bool:
    """Use up a launch, and return whether it may log the person in: once, or it would outlive the session."""
    unused = update(LtiLaunch).where(LtiLaunch.nonce == launch.nonce, LtiLaunch.entered.is_(False))
    with arena.transaction() as session:
        return session.scalar(unused.values(entered=True).returning(LtiLaunch.nonce)) is not None


def forget(session: Session) -> None:
    """Delete launches that have ended."""
    session.execute(delete(LtiLaunch).where(LtiLaunch.at <= now() - KEPT))


def _platform(session: Session, login: Login) -> LtiPlatform:
    asked = select(LtiPlatform).where(LtiPlatform.issuer == login.issuer)
    if login.client_id:
        asked = asked.where(LtiPlatform.client_id == login.client_id)
    found = session.scalars(asked.limit(2)).all()
    if len(found) != 1:
        raise Refused(_("This platform is not registered here with this client ID. Ask an administrator of the arena."))
    return found[0]


def _begun(arena: Arena, state: str) -> tuple[str, int, str]:
    """Return nonce, platform and frame of a login that began lately. Raises `Refused`."""
    try:
        begun = unseal(arena.settings, _PURPOSE, {"sealed": state})
    except (Unreadable, ValueError):
        raise over() from None
    if time.time() - begun["at"] > PATIENCE:
        raise over()
    return begun["nonce"], begun["platform"], begun["frame"]


def _store(arena: Arena, row: LtiLaunch, message: Message) -> None:
    row.message = storable_json(msgspec.to_builtins(message))
    try:
        with arena.transaction() as session:
            session.add(row)
    except IntegrityError:  # the same message, sent twice at a time
        raise over() from None


def over() -> Refused:
    """Return the refusal of a launch that has ended."""
    return Refused(
        _(
            "This launch is over, or did not begin in this browser. Open the activity again on your learning platform, "
            "and allow cookies for this site."
        )
    )
