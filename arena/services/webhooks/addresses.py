"""Addresses that webhooks may reach: public ones, and those of networks that the operator allows."""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from arena.games.errors import Refused

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LONGEST: Final = 500
"""Largest length of a URL, in characters."""
PORTS: Final = {"https": 443, "http": 80}
"""Ports by scheme."""
_UNICAST: Final = IPv6Network("2000::/3")
"""Global IPv6 addresses. NAT64 and IPv4-mapped addresses lie outside."""
_TUNNELS: Final = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
"""Networks whose addresses contain an IPv4 address, which may be private: 6to4 and Teredo."""


class Forbidden(Exception):
    """An address that webhooks may not reach."""


def check_url(text: str, networks: Sequence[Network]) -> str:
    """Return the URL of a webhook without surrounding spaces. Raises `Refused` if it is not allowed.

    Names are resolved when something is sent. Plain http is for the operator's own networks only.
    """
    url = text.strip()
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:  # an invalid port or host
        raise _not_a_url(networks) from None
    if not (host and url.isascii() and url.isprintable() and " " not in url and port != 0 and len(url) <= LONGEST):
        raise _not_a_url(networks)
    if parts.scheme not in (PORTS if networks else ("https",)):
        raise _not_a_url(networks)
    if parts.username is not None or parts.fragment:
        raise Refused("The URL must not contain a user name, a password or a fragment (#).")
    _check_literal(parts, networks)
    return url


def resolve(host: str, port: int, networks: Sequence[Network]) -> list[Address]:
    """Return the addresses of a host. Raises `Forbidden` if one of them may not be reached, `OSError` if it has none.

    Connect to these addresses and not to the name, which may have others a moment later.
    """
    found = [ip_address(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in found:
        check(address, networks)
    return found


def check(address: Address, networks: Sequence[Network]) -> None:
    """Raise `Forbidden` unless the address is public or in one of the networks."""
    if not (is_public(address) or is_inside(address, networks)):
        raise Forbidden(f"{address} is not a public address")


def is_public(address: Address) -> bool:
    """Return whether this is a public unicast address."""
    if address.is_multicast or not address.is_global:
        return False
    if isinstance(address, IPv4Address):
        return True
    return address in _UNICAST and not is_inside(address, _TUNNELS)


def is_inside(address: Address, networks: Sequence[Network]) -> bool:
    """Return whether the address is in one of the networks."""
    return any(address in network for network in networks)


def _check_literal(parts: SplitResult, networks: Sequence[Network]) -> None:
    """Refuse an IP address at once that would be refused when something is sent."""
    try:
        address = ip_address(parts.hostname or "")
    except ValueError:  # a name
        return
    try:
        check(address, networks)
    except Forbidden as forbidden:
        raise Refused(f"{forbidden}.".capitalize()) from None


def _not_a_url(networks: Sequence[Network]) -> Refused:
    schemes = "https:// or http://" if networks else "https://"
    return Refused(f"Enter a URL that begins with {schemes}, in up to {LONGEST} ASCII characters.")
