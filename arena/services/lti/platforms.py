"""Platforms: registered by administrators, with a key of the arena for each."""

from dataclasses import astuple, dataclass, fields
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import LtiPlatform
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.base.names import check_title
from arena.services.people import audit, identities
from arena.services.webhooks.addresses import Network, check_url
from arena.words import _

KEY_BITS: Final = 2048
MOST_DEPLOYMENTS: Final = 100
LONGEST: Final = 255
"""Largest length of an ID or issuer, in characters."""


@dataclass(frozen=True)
class Terms:
    """Properties of a platform that an administrator enters."""

    name: str
    issuer: str
    client_id: str
    auth_url: str
    token_url: str
    jwks_url: str
    deployments: tuple[str, ...]


@dataclass(frozen=True)
class PlatformRow:
    """A registered platform."""

    id: int
    terms: Terms


def add(arena: Arena, account: Account, terms: Terms) -> int:
    """Register a platform, and return its ID. Raises `Refused`."""
    check_admin(account)
    valid = checked(terms, arena.settings.webhook_networks)
    try:
        with arena.transaction() as session:
            made = LtiPlatform(**_columns(valid), private_key=_new_key())
            session.add(made)
            session.flush()
            audit.note(session, account, "registered a platform", f"platform {valid.name}", valid.issuer)
            return made.id
    except IntegrityError:
        raise _taken() from None


def change(arena: Arena, account: Account, platform_id: int, terms: Terms) -> None:
    """Change a platform; its key stays. Raises `Refused` and `NotFound`."""
    check_admin(account)
    valid = checked(terms, arena.settings.webhook_networks)
    try:
        with arena.transaction() as session:
            platform = _found(session, platform_id)
            for name, value in _columns(valid).items():
                setattr(platform, name, value)
            audit.note(session, account, "changed a platform", f"platform {valid.name}", valid.issuer)
    except IntegrityError:
        raise _taken() from None


def remove(arena: Arena, account: Account, platform_id: int) -> None:
    """Remove a platform with its courses. Accounts and groups stay. Raises `Refused` and `NotFound`."""
    check_admin(account)
    with arena.transaction() as session:
        platform = _found(session, platform_id)
        audit.note(session, account, "removed a platform", f"platform {platform.name}", platform.issuer)
        session.delete(platform)


def listed(arena: Arena) -> list[PlatformRow]:
    """Return all platforms, oldest first."""
    with arena.reading() as session:
        return [_row(one) for one in session.scalars(select(LtiPlatform).order_by(LtiPlatform.id))]


def get(arena: Arena, platform_id: int) -> PlatformRow:
    """Return a platform. Raises `NotFound`."""
    with arena.reading() as session:
        return _row(_found(session, platform_id))


def of_account(arena: Arena, account: Account) -> list[PlatformRow]:
    """Return the platforms that log in to an account."""
    mine = identities.issuers(arena, account)
    return [one for one in listed(arena) if one.terms.issuer in mine]


def public_keys(arena: Arena) -> dict[str, Any]:
    """Return the arena's public keys (JWKS)."""
    from joserfc.jwk import KeySet, RSAKey

    with arena.reading() as session:
        found = session.scalars(select(LtiPlatform.private_key).order_by(LtiPlatform.id)).all()
    return dict(KeySet([RSAKey.import_key(key) for key in found]).as_dict(private=False))


def checked(terms: Terms, networks: tuple[Network, ...]) -> Terms:
    """Return the terms without surrounding spaces. Raises `Refused` if they are not valid."""
    ids = [terms.issuer, terms.client_id, *terms.deployments]
    if not all(0 < len(one.strip()) <= LONGEST and one.strip().isprintable() for one in ids):
        raise Refused(
            _("Issuer, client ID and deployment IDs must be one line of 1 to %(most)s characters.", most=LONGEST)
        )
    if not 0 < len(terms.deployments) <= MOST_DEPLOYMENTS:
        raise Refused(_("Enter 1 to %(most)s deployment IDs.", most=MOST_DEPLOYMENTS))
    return Terms(
        name=check_title(terms.name, _("name of the platform")),
        issuer=terms.issuer.strip(),
        client_id=terms.client_id.strip(),
        auth_url=check_url(terms.auth_url, networks),
        token_url=check_url(terms.token_url, networks),
        jwks_url=check_url(terms.jwks_url, networks),
        deployments=tuple(one.strip() for one in terms.deployments),
    )


def terms_of(platform: LtiPlatform) -> Terms:
    """Return the terms of a platform."""
    values = {field.name: getattr(platform, field.name) for field in fields(Terms)}
    return Terms(**{**values, "deployments": tuple(values["deployments"])})


def is_key(stored: Any) -> bool:
    """Return whether this is a private key, with its ID, as the arena makes one for each platform."""
    from joserfc.errors import JoseError
    from joserfc.jwk import RSAKey

    try:
        key = RSAKey.import_key(stored)
        return key.is_private and "kid" in stored
    except (JoseError, ValueError, TypeError, KeyError):
        return False


def _columns(terms: Terms) -> dict[str, Any]:
    values = zip(fields(terms), astuple(terms), strict=True)
    return {field.name: list(value) if isinstance(value, tuple) else value for field, value in values}


def _row(platform: LtiPlatform) -> PlatformRow:
    return PlatformRow(platform.id, terms_of(platform))


def _found(session: Session, platform_id: int) -> LtiPlatform:
    platform = session.get(LtiPlatform, platform_id)
    if platform is None:
        raise NotFound(_("There is no platform %(id)s.", id=platform_id))
    return platform


def _new_key() -> dict[str, Any]:
    from joserfc.jwk import RSAKey

    key = RSAKey.generate_key(KEY_BITS, {"use": "sig", "alg": "RS256"}, auto_kid=True)
    return dict(key.as_dict(private=True))


def _taken() -> Refused:
    return Refused(_("A platform with this issuer and client ID is registered already."))
