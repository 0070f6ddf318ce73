"""Log-in of programs by a code that a member confirms in a browser: the device flow of OAuth 2.0 (RFC 8628)."""

from typing import Annotated, Any, Final, NoReturn

import msgspec
from flask import Response, abort, after_this_request, jsonify, make_response, url_for
from msgspec import Meta

from arena.games.errors import Refused
from arena.services.base.inputs import STORABLE
from arena.services.people import device_logins, keys
from arena.services.people.device_logins import NoToken
from web.api.operations import Resource
from web.serving.limits import limit
from web.serving.session import arena

resource = Resource(
    "Log-in",
    "How a program gets a token: it shows a code, and the member confirms it in a browser (RFC 8628). Bodies are "
    "forms, and refusals are those of OAuth 2.0.",
)

GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES: Final = "read upload"
"""Scopes of a program that names none."""

Text = Annotated[str, Meta(pattern=STORABLE)]

limit_requests = limit("device requests", "20 per minute; 200 per hour")
limit_claims = limit("device claims", "60 per minute")


class Wanted(msgspec.Struct):
    """Request of a program for codes. OAuth lets a server ignore further fields."""

    client_id: Annotated[str, Meta(pattern=STORABLE, description="Name of the program, as the member reads it.")] = ""
    scope: Annotated[str, Meta(pattern=STORABLE, description="Scopes, with spaces between them.")] = SCOPES


class Codes(msgspec.Struct):
    """Codes of a log-in."""

    device_code: Annotated[str, Meta(description="Code with which the program asks for its token.")]
    user_code: Annotated[str, Meta(description="Code that the program shows.")]
    verification_uri: Annotated[str, Meta(description="Page on which the member enters the code.")]
    verification_uri_complete: Annotated[str, Meta(description="The page with the code filled in.")]
    expires_in: Annotated[int, Meta(description="Seconds for which the codes are valid.")]
    interval: Annotated[int, Meta(description="Seconds to wait between two questions for the token.")]


class Claim(msgspec.Struct):
    """Question for the token of a log-in."""

    grant_type: Annotated[str, Meta(pattern=STORABLE, description=f"Always `{GRANT}`.")] = ""
    device_code: Text = ""


class Granted(msgspec.Struct):
    """Token of a confirmed log-in."""

    access_token: str
    token_type: str
    expires_in: Annotated[int, Meta(description="Seconds until it ends.")]
    scope: Annotated[str, Meta(description="Its scopes, with spaces between them.")]
    account: Annotated[str, Meta(description="Name of its account.")]


class Revocation(msgspec.Struct):
    """Token to revoke."""

    token: Text = ""


class Done(msgspec.Struct):
    """An empty answer."""


class OAuthError(msgspec.Struct):
    """A refusal of OAuth 2.0 (RFC 6749, section 5.2)."""

    error: Annotated[
        str,
        Meta(
            description="`authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_grant`, "
            "`invalid_request` or `unsupported_grant_type`."
        ),
    ]
    error_description: str


@resource.post("/device", None, limits=(limit_requests,), refusal=OAuthError)
def begin_login(fields: Wanted) -> Codes:
    """Begin a log-in: get a code for the member and one for the program."""
    try:
        codes = device_logins.ask(arena(), fields.client_id, fields.scope.split())
    except Refused as refusal:
        _refuse("invalid_request", str(refusal))
    after_this_request(_unkept)
    page = _page()
    return Codes(
        codes.device,
        codes.user,
        page,
        f"{page}?code={codes.user}",
        round(device_logins.LIFE),
        round(device_logins.INTERVAL),
    )


@resource.post("/device/token", None, limits=(limit_claims,), refusal=OAuthError)
def claim_token(fields: Claim) -> Granted:
    """Get the token of a log-in, or the reason why there is none yet."""
    if fields.grant_type != GRANT:
        _refuse("unsupported_grant_type", f"The grant type must be {GRANT}.")
    try:
        granted = device_logins.claim(arena(), fields.device_code)
    except NoToken as reason:
        _refuse(reason.outcome, str(reason))
    except Refused as refusal:
        _refuse("access_denied", str(refusal))
    after_this_request(_unkept)
    return Granted(granted.token, "Bearer", round(granted.seconds), " ".join(granted.scopes), granted.account.name)


@resource.post("/device/revoke", None, limits=(limit_claims,))
def revoke_token(fields: Revocation) -> Done:
    """Revoke a token, also one that was made on the account page (RFC 7009).

    The answer is the same if there is no such token.
    """
    keys.revoke_itself(arena(), fields.token)
    after_this_request(_unkept)
    return Done()


def _page() -> str:
    """Return the URL of the page on which a code is entered."""
    site = arena().settings.url
    return f"{site}{url_for('device.show')}" if site else url_for("device.show", _external=True)


def _refuse(error: str, description: str) -> NoReturn:
    abort(_unkept(make_response(jsonify(error=error, error_description=description), 400)))


def _unkept(response: Any) -> Response:
    """Let no cache keep an answer."""
    response.headers["Cache-Control"] = "no-store"
    return response  # type: ignore[no-any-return]
