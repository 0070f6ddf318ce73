"""Names of the site: a request with another Host header is refused, so that none ends up in a page or a link."""

import socket
from collections.abc import Collection
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, abort, request
from werkzeug.wrappers import Response

from arena.settings import Settings

HSTS: Final = f"max-age={365 * 24 * 3600}"
"""Value of Strict-Transport-Security: browsers use TLS for a year after an encrypted visit."""


def names_of(settings: Settings) -> frozenset[str]:
    """Return the names of the site: those of the settings, and those under which this machine reaches itself."""
    given = [name for name in (*settings.hosts.split(","), urlsplit(settings.url or "").hostname) if name]
    here = socket.gethostname().lower()
    found = given or [here, f"{here}.local"]
    return frozenset([*found, settings.host.lower(), "localhost", "127.0.0.1", "::1"])


def is_trusted(host: str, names: Collection[str], addresses: bool) -> bool:
    """Return whether a Host header has one of these names or, with `addresses`, any IP address."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name in names or (addresses and bool(ip_address(name)))
    except ValueError:
        return False


def register_hosts(app: Flask, settings: Settings) -> None:
    """Refuse requests under names that are not the site's, and require TLS once it was used."""
    names, addresses = names_of(settings), not (settings.hosts or settings.url)

    def check() -> None:
        if not is_trusted(request.host, names, addresses):
            abort(421)

    def require_tls(response: Response) -> Response:
        if request.is_secure:
            response.headers["Strict-Transport-Security"] = HSTS
        return response

    app.before_request(check)
    app.after_request(require_tls)
