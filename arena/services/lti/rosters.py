"""Rosters: the people of a course, as its platform lists them by Names and Role Provisioning Services.

Nothing of a list is kept.
"""

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import GroupMember, LtiCourse, LtiPlatform, User, UserIdentity
from arena.games.errors import Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.lti import courses, tokens
from arena.services.lti.asking import ask, json_of
from arena.services.lti.messages import teaches
from arena.services.webhooks.transport import Answer
from arena.settings import Settings
from arena.words import _

SCOPE: Final = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ACCEPT: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
PER_PAGE: Final = 50
MOST_PAGES: Final = 40
"""Largest number of pages that are read of a course."""


@dataclass(frozen=True)
class PersonRow:
    """A person of a course."""

    real_name: str = field(repr=False)
    """Name that the platform tells; empty if it tells none."""
    teaches: bool
    account: str | None
    """Name of the account here; None if there is none."""
    joined: bool
    """Whether the account is in the class."""


class _Member(msgspec.Struct, frozen=True):
    user_id: str
    roles: list[str] = []
    name: str | None = None
    status: str | None = None


class _Page(msgspec.Struct, frozen=True):
    members: list[_Member]


def fetch(arena: Arena, account: Account, course_id: int) -> list[PersonRow]:
    """Return the active people of a course by name. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.reading() as session:
        course = courses.found(session, course_id)
        platform, url = course.platform, course.roster_url
    if url is None:
        raise Refused(
            _(
                "%(platform)s has offered no list of members. Open the activity there again as a teacher.",
                platform=platform.name,
            )
        )
    found = [one for one in _read(arena.settings, platform, url) if one.status in (None, "Active")]
    with arena.reading() as session:
        accounts = _accounts(session, platform.issuer, course)
    rows = [_row(one, *accounts.get(one.user_id, (None, False))) for one in found]
    return sorted(rows, key=lambda row: (not row.teaches, row.real_name.casefold(), row.account or ""))


def _read(settings: Settings, platform: LtiPlatform, url: str) -> list[_Member]:
    """Return the members on all pages. Raises `Refused`."""
    headers = {"Authorization": f"Bearer {tokens.fetch(settings, platform, SCOPE)}", "Accept": ACCEPT}
    found: list[_Member] = []
    page = f"{url}{'&' if '?' in url else '?'}limit={PER_PAGE}"
    for _page in range(MOST_PAGES):
        answer = ask(settings, "GET", page, None, headers)
        found += _members(json_of(answer))
        following = _next(answer, url)
        if following is None:
            return found
        page = following
    raise Refused(_("The list has more than %(most)s pages.", most=MOST_PAGES))


def _members(page: Any) -> list[_Member]:
    try:
        return msgspec.convert(page, _Page).members
    except msgspec.ValidationError as error:
        raise Refused(_("The platform's list of members is malformed: %(error)s.", error=error)) from None


def _next(answer: Answer, url: str) -> str | None:
    """Return the address of the next page; None if there is none. Raises `Refused` if it is on another site.

    Another site would get the token.
    """
    from requests.utils import parse_header_links

    for link in parse_header_links(answer.headers.get("Link", "")):
        if link.get("rel") == "next":
            if urlsplit(link["url"])[:2] != urlsplit(url)[:2]:
                raise Refused(
                    _("The platform's list of members goes on at another site, which the arena does not ask.")
                )
            return str(link["url"])
    return None


def _accounts(session: Session, issuer: str, course: LtiCourse) -> dict[str, tuple[str, bool]]:
    """Return the account of each person of an issuer, and whether it is in the course's class."""
    here = (GroupMember.user_id == User.id) & (GroupMember.group_id == course.group_id)
    found = session.execute(
        select(UserIdentity.subject, User.name, GroupMember.user_id)
        .join(User, User.id == UserIdentity.user_id)
        .outerjoin(GroupMember, here)
        .where(UserIdentity.issuer == issuer)
    )
    return {subject: (name, member is not None) for subject, name, member in found}


def _row(member: _Member, account: str | None, joined: bool) -> PersonRow:
    return PersonRow(member.name or "", teaches(member.roles), account, joined)
