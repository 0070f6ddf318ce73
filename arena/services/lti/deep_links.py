"""Deep linking: a teacher chooses an assignment as an activity of a course; a signed answer tells the platform."""

import re
import secrets
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import select, update

from arena.db.models import Assignment, LtiLaunch, LtiPlatform
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.lti import tokens
from arena.services.lti.courses import CourseRow
from arena.services.lti.launches import Launch
from arena.services.lti.messages import CLAIM, DEEP, LONGEST, DeepLink
from arena.services.lti.scores import most_points
from arena.services.webhooks.addresses import check_url
from arena.words import _

_SITE: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")


@dataclass(frozen=True)
class Answer:
    """Answer that the teacher's browser posts to the platform."""

    url: str
    token: str

    @property
    def site(self) -> str:
        """Scheme and host of the URL."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


def choices(arena: Arena, course: CourseRow) -> list[tuple[int, str]]:
    """Return ID and name of the assignments of a course's class, the newest first."""
    theirs = select(Assignment.id, Assignment.name).where(Assignment.group_id == course.group_id)
    with arena.reading() as session:
        return [(id, name) for id, name in session.execute(theirs.order_by(Assignment.id.desc()))]


def answer(arena: Arena, account: Account, launch: Launch, course: CourseRow, assignment_id: int, url: str) -> Answer:
    """Return the answer with an assignment, whose activity launches to `url`. A frame that waits can fetch it, too.

    Raises `Refused` and `NotFound`.
    """
    check_organiser(account)
    link = launch.message.deep
    if link is None or not launch.message.teaches:
        raise Refused(_("Only a teacher of the course chooses its activities, while adding one on the platform."))
    returned = check_url(link.deep_link_return_url, arena.settings.webhook_networks, LONGEST)
    made = Answer(returned, "")
    if not _SITE.fullmatch(made.site):
        raise Refused(_("The platform's return address is malformed."))
    with arena.transaction() as session:
        assignment = session.get(Assignment, assignment_id)
        if assignment is None or assignment.group_id != course.group_id:
            raise NotFound(_("The class has no assignment %(id)s.", id=assignment_id))
        platform = session.get_one(LtiPlatform, launch.platform_id)
        token = tokens.signed(platform, _claims(platform, launch, link, _item(assignment, url)))
        session.execute(update(LtiLaunch).where(LtiLaunch.nonce == launch.nonce).values(answer=token))
    return Answer(returned, token)


def of_frame(arena: Arena, frame: str) -> Answer:
    """Return the answer for which a frame waits. Raises `Refused` if there is none yet."""
    with arena.reading() as session:
        found = session.scalar(select(LtiLaunch.nonce).where(LtiLaunch.frame == frame, LtiLaunch.answer.is_not(None)))
        if found is None:
            raise Refused(_("Nothing is chosen yet. Choose an assignment in the other window, then continue here."))
        row = session.get_one(LtiLaunch, found)
        return Answer(row.message[f"{DEEP}claim/deep_linking_settings"]["deep_link_return_url"], row.answer or "")


def _claims(platform: LtiPlatform, launch: Launch, link: DeepLink, item: dict[str, Any]) -> dict[str, object]:
    return {
        "iss": platform.client_id, "aud": platform.issuer, "azp": platform.issuer, "nonce": secrets.token_urlsafe(24),
        f"{CLAIM}deployment_id": launch.message.deployment, f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": "1.3.0", f"{DEEP}claim/content_items": [item],
        **({} if link.data is None else {f"{DEEP}claim/data": link.data}),
    }  # fmt: skip


def _item(assignment: Assignment, url: str) -> dict[str, Any]:
    """Return an assignment as an activity, with a column of grades if it gives points."""
    custom = {"assignment": str(assignment.id)}
    item = {"type": "ltiResourceLink", "title": assignment.name, "url": url, "custom": custom}
    most = most_points(assignment)
    grades = {"scoreMaximum": most, "label": assignment.name, "resourceId": str(assignment.id)}
    return item | ({"lineItem": grades} if most else {})
