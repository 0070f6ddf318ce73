"""Tokens of log-ins, in a file that only its owner may read, or from the variable ``ARENA_TOKEN``."""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from arena.games.errors import Refused
from arena.remote.texts import writing

TOKEN: Final = "ARENA_TOKEN"  # noqa: S105 -- the name of a variable
ARENA: Final = "ARENA_URL"
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts to which a token may be sent without encryption."""


@dataclass
class Logins:
    """The arenas that this user is logged in to."""

    default: str | None = None
    """Address of the arena that commands use if none is named: that of the last log-in."""
    tokens: dict[str, str] = field(default_factory=dict)
    """Tokens by the addresses of their arenas."""


def address(text: str) -> str:
    """Return the address of an arena in its usual form. Raises `UsageError`."""
    url = text.strip() if "://" in text else f"https://{text.strip()}"
    try:
        parts = urlsplit(url)
        hosted = bool(parts.hostname) and parts.username is None and parts.port != 0
        valid = hosted and parts.scheme in ("http", "https") and not (parts.query or parts.fragment)
    except ValueError:
        valid = False
    if not (valid and url.isprintable()):
        raise click.UsageError(f"{text!r} is not the address of an arena, such as https://arena.example")
    return url.rstrip("/")


def is_open(url: str) -> bool:
    """Return whether the connection to this address is unencrypted and leaves the machine."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOCAL


def path() -> Path:
    """Return the path of the file."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()
    return Path(folder) / "suit-arena" / "logins.json"


def load() -> Logins:
    """Return what the file has. Raises `Refused` if it is damaged, or if others may read it."""
    file = path()
    try:
        with writing(file):
            found = json.loads(_private(file))
        if found is None:
            return Logins()
        return Logins(found["default"], {str(url): str(token) for url, token in found["tokens"].items()})
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Refused(f"{file} is damaged. Delete it, and log in again.") from None


def _private(file: Path) -> str:
    """Return the text of a file, ``null`` if there is none. Raises `Refused` if others may read it, and `OSError`."""
    try:
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise Refused(f"Others may read {file}, which has your tokens. Run: chmod 600 {file}")
        return file.read_text()
    except FileNotFoundError:
        return "null"


def save(logins: Logins) -> None:
    """Write the file, so that only its owner may read it, whole or not at all."""
    file = path()
    new = file.with_suffix(f".{os.getpid()}")
    with writing(file):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new.touch(0o600)
        new.write_text(json.dumps({"default": logins.default, "tokens": logins.tokens}, indent=2))
        new.replace(file)


def chosen(url: str | None, environ: Mapping[str, str] = os.environ) -> tuple[str, str | None]:
    """Return the address of an arena, by default the one of the last log-in, and the token for it if there is one.

    Raises `UsageError` if no arena is named, and `Refused`.
    """
    token = environ.get(TOKEN, "").strip()
    if url and token:
        return address(url), checked(token, TOKEN)
    logins = load()
    named = address(url) if url else logins.default
    if named is None:
        raise click.UsageError(f"no arena is named: run arena login URL, or give --arena URL or {ARENA}")
    found = token or logins.tokens.get(named)
    return named, checked(found, TOKEN if token else str(path())) if found else None


def checked(token: str, place: str) -> str:
    """Return a token that a header may have. Raises `Refused`, which does not repeat it."""
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise Refused(f"{place} has no token of an arena: such a token is one word of ASCII characters.")
    return token
