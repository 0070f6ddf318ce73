"""Addresses that webhooks may reach: public ones, and those of networks that the operator allows."""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from arena.games.errors import Refused
from arena.words import _

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LONGEST: Final = 500
"""Largest length of a URL, in characters."""
PORTS: Final = {"https": 443, "http": 80}
"""Ports by scheme."""
_UNPRIVILEGED: Final = 1024
"""Lowest port of public addresses that is allowed besides that of https; lower ones belong to other services."""
_UNICAST: Final = IPv6Network("2000::/3")
"""Global IPv6 addresses. NAT64 and IPv4-mapped addresses lie outside."""
_SPECIAL: Final = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments
    IPv4Network("192.31.196.0/24"),  # AS112
    IPv4Network("192.52.193.0/24"),  # multicast tunnels
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("192.175.48.0/24"),  # AS112
    IPv6Network("2001::/23"),  # protocol assignments, among them Teredo
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # documentation
)
"""Networks in IANA's registries of special-purpose addresses that `is_global` includes in some version of Python."""


class Forbidden(Exception):
    """An address that webhooks may not reach."""


def check_url(text: str, networks: Sequence[Network], longest: int = LONGEST) -> str:
    """Return the URL of a webhook without surrounding spaces. Raises `Refused` if it is not allowed.

    It has up to `longest` characters. Names are resolved when something is sent. Plain http is for the operator's own
    networks only.
    """
    url = text.strip()
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:  # an invalid port or host
        raise _not_a_url(networks, longest) from None
    if not (host and url.isascii() and url.isprintable() and " " not in url and port != 0 and len(url) <= longest):
        raise _not_a_url(networks, longest)
    if parts.scheme not in (PORTS if networks else ("https",)):
        raise _not_a_url(networks, longest)
    if parts.username is not None or parts.fragment:
        raise Refused(_("The URL must not contain a user name, a password or a fragment (#)."))
    _check_target(host, port or PORTS[parts.scheme], networks)
    return url


def resolve(host: str, port: int, networks: Sequence[Network]) -> list[Address]:
    """Return the addresses of a host. Raises `Forbidden` if one of them may not be reached, `OSError` if it has none.

    Connect to these addresses and not to the name, which may have others a moment later.
    """
    found = [ip_address(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in found:
        check(address, port, networks)
    return found


def check(address: Address, port: int, networks: Sequence[Network]) -> None:
    """Raise `Forbidden` unless the address is in one of the networks, or both the address and the port are public."""
    if is_inside(address, networks):
        return
    if not is_public(address):
        raise Forbidden(_("%(address)s is not a public address", address=address))
    _check_port(port)


def _check_port(port: int) -> None:
    if port != PORTS["https"] and port < _UNPRIVILEGED:
        raise Forbidden(
            _(
                "port %(port)s is not allowed, only %(https)s and ports from %(least)s on",
                port=port,
                https=PORTS["https"],
                least=_UNPRIVILEGED,
            )
        )


def is_public(address: Address) -> bool:
    """Return whether this is a public unicast address."""
    if address.is_multicast or not address.is_global or is_inside(address, _SPECIAL):
        return False
    if isinstance(address, IPv4Address):
        return True
    return address in _UNICAST


def is_inside(address: Address, networks: Sequence[Network]) -> bool:
    """Return whether the address is in one of the networks."""
    return any(address in network for network in networks)


def _check_target(host: str, port: int, networks: Sequence[Network]) -> None:
    """Refuse an IP address or a port at once that would be refused when something is sent."""
    try:
        try:
            check(ip_address(host), port, networks)
        except ValueError:  # a name, which may be in one of the networks
            if not networks:
                _check_port(port)
    except Forbidden as forbidden:
        raise Refused(_("%(problem)s.", problem=str(forbidden).capitalize())) from None


def _not_a_url(networks: Sequence[Network], longest: int) -> Refused:
    schemes = "https:// or http://" if networks else "https://"
    return Refused(
        _(
            "Enter a URL that begins with %(schemes)s, in up to %(most)s ASCII characters.",
            schemes=schemes,
            most=longest,
        )
    )
