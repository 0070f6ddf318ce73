"""Sending to good, bad and forbidden receivers; addresses; signatures."""

import socket
import ssl
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from arena.games.errors import Refused
from arena.services.webhooks import transport
from arena.services.webhooks.addresses import check_url, is_public
from arena.services.webhooks.signatures import headers, is_secret, new_secret
from tests.services.webhooks import receivers
from tests.services.webhooks.receivers import receiving

HERE = [ip_network("127.0.0.0/8")]

PUBLIC = ["1.1.1.1", "93.184.216.34", "192.0.1.1", "2606:4700::1111", "2001:4860:4860::8888", "2620:4f:8001::1"]
FORBIDDEN = [
    "127.0.0.1", "0.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
    "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:1.1.1.1",
    "64:ff9b::7f00:1", "64:ff9b::101:101", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "fec0::1",
    "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1",
    "198.18.0.1", "240.0.0.1", "100::1", "2001:1::1", "2001:3::1", "2001:4:112::1", "2001:20::1", "2001:30::1",
    "2002:101:101::1", "2620:4f:8000::1", "3fff::1", "5f00::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_reached(address: str) -> None:
    """Public unicast addresses of both families are allowed."""
    assert is_public(ip_address(address))
    assert check_url(f"https://{f'[{address}]' if ':' in address else address}/", ()).startswith("https://")


@pytest.mark.parametrize("address", FORBIDDEN)
def test_other_addresses_are_refused(address: str) -> None:
    """Private, local, shared, multicast, mapped, translated and tunnelled addresses are refused on entry."""
    with pytest.raises(Refused, match="is not a public address"):
        check_url(f"https://{f'[{address}]' if ':' in address else address}/", ())


@pytest.mark.parametrize("host", ["example.org", "1.1.1.1", "[2606:4700::1111]"])
def test_ports_are_that_of_https_and_unprivileged_ones(host: str) -> None:
    """Ports of other services are refused on entry, and the sentence names those that are allowed."""
    for port in (443, 1024, 6379, 65535):
        assert check_url(f"https://{host}:{port}/", ())
    for port in (22, 25, 80, 444, 1023):
        with pytest.raises(Refused, match=f"^Port {port} is not allowed, only 443 and ports from 1024 on.$"):
            check_url(f"https://{host}:{port}/", ())


def test_networks_of_the_operator_have_all_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any port may be reached in a network that the operator allows, and elsewhere only the usual ones."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", ("1.1.1.1", 22))])

    assert check_url("http://127.0.0.1:22/", HERE)
    assert check_url("https://a.example:22/", HERE)  # a name may lead into the network
    assert "port 22 is not allowed" in transport.send("https://a.example:22/", b"{}", {}, HERE).answer
    with pytest.raises(Refused, match="Port 22"):
        check_url("https://1.1.1.1:22/", HERE)


@pytest.mark.parametrize(
    "url",
    ["", "ftp://example.org", "http://example.org", "https://", "https://exa mple.org", "https://example.org:0",
     "https://example.org:99999", "https://[::1", "https://ex\u00e4mple.org", "https://example.org/" + "a" * 500],
)  # fmt: skip
def test_what_is_no_https_url_is_refused(url: str) -> None:
    """Anything but a URL of https in ASCII is refused, with what is allowed."""
    with pytest.raises(Refused, match="begins with https://"):
        check_url(url, ())


def test_credentials_are_refused_and_own_networks_allow_http() -> None:
    """A URL has no password; with networks of the operator plain http is possible."""
    with pytest.raises(Refused, match="password"):
        check_url("https://user:word@example.org/", ())
    assert check_url(" http://127.0.0.1:8080/hook ", HERE) == "http://127.0.0.1:8080/hook"


def test_signature_is_that_of_the_standard() -> None:
    """The signature of the specification's example is reproduced."""
    signed = headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )

    assert signed["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert is_secret(new_secret())
    assert not is_secret("whsec_%%%")
    assert not is_secret("secret")


def test_delivery_is_posted_with_its_headers() -> None:
    """The receiver gets one POST with the body, the host's name and our headers; its answer is kept."""
    with receiving() as receiver:
        outcome = transport.send(receiver.url, b'{"a":1}', {"webhook-id": "event-1"}, HERE)

    assert (outcome.status, outcome.answer, outcome.delivered) == (200, "thanks", True)
    (request,) = receiver.requests
    assert request.startswith(b"POST /hook?key=1 HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{receiver.port}".encode() in request
    assert b"webhook-id: event-1" in request
    assert request.endswith(b'\r\n\r\n{"a":1}')


def test_further_addresses_are_for_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the first address of a name answers, no other is called; a connection may end before it begins."""
    with receiving() as receiver:
        found = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, receiver.port))
            for address in ("127.0.0.1", "127.0.0.2")
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        assert transport.send(receiver.url, b"{}", {}, HERE).delivered
    transport._Pinned("a.example", 80, ["127.0.0.1"], None).break_off()


def test_redirects_are_not_followed() -> None:
    """A redirect, also to this machine, is a failure, and its target sees nothing."""
    with receiving() as target, receiving(receivers.redirect(target.url)) as receiver:
        outcome = transport.send(receiver.url, b"{}", {}, HERE)

    assert (outcome.status, outcome.delivered, target.requests) == (307, False, [])


@pytest.mark.parametrize("answer", [None, b""])
def test_slow_and_endless_receivers_are_cut_off(answer: bytes | None) -> None:
    """A receiver that hangs is given up; of one that answers without end a limited part is read."""
    with receiving(answer) as receiver:
        outcome = transport.send(receiver.url, b"{}", {}, HERE, 0.3)

    assert len(outcome.answer) <= transport.SHOWN
    assert (outcome.status, outcome.answer[:9]) == ((None, "No answer") if answer is None else (200, "xxxxxxxxx"))


def test_nonsense_and_closed_ports_are_failures() -> None:
    """Answers that are not HTTP, and closed ports, are failures with a reason; NUL in an answer is replaced."""
    with receiving(receivers.NONSENSE) as receiver:
        assert transport.send(receiver.url, b"{}", {}, HERE).answer.startswith("No answer: 220 smtp")
    assert transport.send(receiver.url, b"{}", {}, HERE).status is None
    with receiving(receivers.ERROR) as failing:
        assert transport.send(failing.url, b"{}", {}, HERE)[:2] == (500, "no\ufffd!")


def test_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is refused if any of its addresses is private, and the address that was checked is the one called."""
    found = ["1.1.1.1", "127.0.0.1"]
    called: list[Any] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        return [(0, 0, 0, "", (address, port)) for address in found]

    def connect(address: Any, timeout: Any) -> Any:
        called.append(address)
        raise ConnectionRefusedError("nobody there")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(socket, "create_connection", connect)
    assert transport.send("https://a.example/", b"{}", {}).answer == "Not sent: 127.0.0.1 is not a public address."
    assert called == []
    found[1] = "2606:4700::1111"
    assert transport.send("https://a.example/", b"{}", {}).answer == "No answer: nobody there"
    assert called == [("1.1.1.1", 443), ("2606:4700::1111", 443)]
    assert "plain http to 1.1.1.1" in transport.send("http://a.example:8080/", b"{}", {}, HERE).answer


def test_certificate_must_be_that_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """TLS is spoken with the name of the URL, over the checked address."""
    names: list[str] = []

    class Context:
        def wrap_socket(self, sock: socket.socket, server_hostname: str, **_: object) -> "Context":
            names.append(server_hostname)
            sock.close()
            return self

        def do_handshake(self) -> None:
            raise ssl.SSLCertVerificationError(1, "certificate has expired")

        def close(self) -> None:
            pass

    monkeypatch.setattr(ssl, "create_default_context", Context)
    with receiving() as receiver:
        outcome = transport.send(receiver.url.replace("http:", "https:"), b"{}", {}, HERE)

    assert names == ["127.0.0.1"]
    assert outcome.answer == "No answer: certificate has expired"
