"""The operator's OpenID Connect provider, reached with Authlib."""

from typing import Any, Final, cast

import structlog
from flask import Flask, abort, current_app
from werkzeug.wrappers import Response

from arena.games.errors import Refused
from arena.services.people.identities import Identity
from arena.settings import Settings, is_address
from arena.words import _

TIMEOUT: Final = 10.0
"""Seconds to wait for the provider."""

log: Final = structlog.get_logger()


class Provider:
    """Client of the provider. Its methods need a request, and keep what they need in Flask's session."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        # Imported only if there is a provider: it takes the memory of a small web process.
        from authlib.integrations.flask_client import OAuth

        self.name = settings.oidc_name
        self._client = OAuth(app).register(
            "provider",
            client_id=settings.oidc_client,
            client_secret=settings.oidc_secret,
            server_metadata_url=f"{settings.oidc_issuer}/.well-known/openid-configuration",
            client_kwargs={
                "scope": "openid profile email" if settings.smtp_url else "openid profile",
                "code_challenge_method": "S256", "default_timeout": TIMEOUT,
            },
        )  # fmt: skip

    def ask(self, callback: str) -> Response:
        """Return a redirect to the provider, which sends the browser back to `callback`. Raises `Refused`."""
        try:
            return cast("Response", self._client.authorize_redirect(callback))
        except _failures() as error:
            raise self._refusal(error) from None

    def identity(self) -> Identity:
        """Return who the provider says the browser belongs to. Raises `Refused` if it does not say so."""
        try:
            claims = self._client.authorize_access_token()["userinfo"]
            email = str(claims.get("email") or "")
            verified = claims.get("email_verified") is True and is_address(email)
            name = str(claims.get("preferred_username") or "")
            return Identity(claims["iss"], claims["sub"], name, email if verified else "")
        except _failures() as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> Refused:
        # Its text is not shown: anybody can put one into a link to the callback.
        log.warning("the OpenID Connect provider confirmed nobody", error=f"{type(error).__name__}: {error}"[:500])
        return Refused(
            _(
                "The log-in with %(provider)s failed or was cancelled. Try again, or log in with a password.",
                provider=self.name,
            )
        )


def _failures() -> tuple[type[Exception], ...]:
    """Return the errors by which Authlib reports a provider that does not answer, refuses, or lies."""
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    return AuthlibBaseError, JoseError, RequestException, ValueError, KeyError, RuntimeError, TypeError


def init_app(app: Flask) -> None:
    """Connect the app to the provider of its settings, if there is one."""
    settings = app.extensions["arena"].settings
    if settings.oidc_issuer:
        app.extensions["provider"] = Provider(app, settings)


def name() -> str | None:
    """Return the name of the provider; None if there is none."""
    found: Any = current_app.extensions.get("provider")
    return found.name if found else None


def provider() -> Provider:
    """Return the provider. Aborts with 404 if there is none."""
    found: Provider | None = current_app.extensions.get("provider")
    return found or abort(404)
