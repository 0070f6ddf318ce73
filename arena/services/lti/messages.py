"""Messages of LTI 1.3: signed tokens with which a platform says who launches what."""

from collections.abc import Callable, Collection
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.games.errors import Refused
from arena.words import _

CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim/"
INSTRUCTOR: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
GRADES: Final = "https://purl.imsglobal.org/spec/lti-ags/"
DEEP: Final = "https://purl.imsglobal.org/spec/lti-dl/"
LEEWAY: Final = 60
"""Seconds by which the platform's clock may differ."""

LONGEST: Final = 2000
"""Largest length of a URL that a platform tells, in characters. Sakai and Canvas put tokens and URLs in theirs."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Url = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Words = Annotated[str, msgspec.Meta(max_length=1000)]


class Course(msgspec.Struct, frozen=True):
    """A course of the platform."""

    id: Text
    title: Words | None = None
    label: Words | None = None


class Resource(msgspec.Struct, frozen=True):
    """An activity of a course."""

    id: Text


class Custom(msgspec.Struct, frozen=True):
    """Custom parameters of an activity."""

    assignment: str | int | None = None
    """ID of an assignment here."""


class Grades(msgspec.Struct, frozen=True):
    """Service of the platform that takes grades."""

    scope: list[str]
    lineitem: Url | None = None
    """Column of grades of the activity; None if it has none."""


class Roster(msgspec.Struct, frozen=True):
    """Service of the platform that lists the people of a course."""

    context_memberships_url: Url


class DeepLink(msgspec.Struct, frozen=True):
    """A teacher's wish to choose an activity."""

    deep_link_return_url: Url
    data: Annotated[str, msgspec.Meta(max_length=10_000)] | None = None
    """Text that the answer must repeat."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """Parts of a launch that the arena reads. It keeps nothing else."""

    sub: Text
    """ID of the person at the platform."""
    version: Literal["1.3.0"] = msgspec.field(name=f"{CLAIM}version")
    kind: Literal["LtiResourceLinkRequest", "LtiDeepLinkingRequest"] = msgspec.field(name=f"{CLAIM}message_type")
    deployment: Text = msgspec.field(name=f"{CLAIM}deployment_id")
    course: Course = msgspec.field(name=f"{CLAIM}context")
    roles: list[str] = msgspec.field(name=f"{CLAIM}roles", default_factory=list)
    resource: Resource | None = msgspec.field(name=f"{CLAIM}resource_link", default=None)
    deep: DeepLink | None = msgspec.field(name=f"{DEEP}claim/deep_linking_settings", default=None)
    custom: Custom | None = msgspec.field(name=f"{CLAIM}custom", default=None)
    grades: Grades | None = msgspec.field(name=f"{GRADES}claim/endpoint", default=None)
    roster: Roster | None = msgspec.field(
        name="https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice", default=None
    )
    name: Words | None = None
    email: Words | None = None

    @property
    def teaches(self) -> bool:
        """Whether the person is a teacher of the course."""
        return teaches(self.roles)


def teaches(roles: Collection[str]) -> bool:
    """Return whether these roles in a course are those of a teacher. Lists of members have the short form, too."""
    return INSTRUCTOR in roles or "Instructor" in roles


def verified(token: str, keys: Callable[[str | None], Any], issuer: str, client_id: str, nonce: str) -> dict[str, Any]:
    """Return the claims of a platform's token. Raises `Refused` unless it was signed for this login, and is valid.

    `keys` returns the platform's key set for the ID of a key; None if the token names no key.
    """
    from joserfc import jwt  # late, because few processes of the arena need it
    from joserfc.errors import JoseError

    checks = jwt.JWTClaimsRegistry(
        leeway=LEEWAY, exp={"essential": True}, iat={"essential": True}, iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": client_id}, nonce={"essential": True, "value": nonce},
    )  # fmt: skip
    try:
        claims = jwt.decode(token, lambda signed: keys(signed.headers().get("kid")), algorithms=["RS256"]).claims
        checks.validate(claims)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Refused(_("The platform's message is not valid: %(reason)s.", reason=_reason(error))) from None
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", None if several else client_id) != client_id:
        raise Refused(_("The platform's message is not valid: it is for another tool."))
    return claims


def read(claims: dict[str, Any]) -> Message:
    """Return the message in a platform's claims. Raises `Refused` if something is missing or malformed."""
    try:
        message = msgspec.convert(claims, Message)
        if (message.deep if message.kind == "LtiDeepLinkingRequest" else message.resource) is None:
            raise msgspec.ValidationError(f"nothing says what to do for {message.kind}")
        return message
    except msgspec.ValidationError as error:
        raise Refused(_("The platform's message is not a launch from a course: %(error)s.", error=error)) from None


def _reason(error: Exception) -> str:
    """Return the kind of an error, without anything that the token says."""
    words = {
        "ExpiredTokenError": _("it has expired"), "BadSignatureError": _("its signature is wrong"),
        "InvalidClaimError": _("the claim %(claim)s is wrong", claim=getattr(error, "claim", "")),
        "MissingClaimError": _("a claim is missing"),
        "UnsupportedAlgorithmError": _("it must be signed with RS256"), "InvalidKeyIdError": _("its key is unknown"),
    }  # fmt: skip
    return words.get(type(error).__name__, _("it cannot be read"))
