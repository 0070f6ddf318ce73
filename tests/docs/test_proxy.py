"""The proxy of the compose file: nginx with its configuration, TLS and limits, in front of the arena."""

import http.client
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask, request
from werkzeug.serving import make_server

from arena.db import migrate
from arena.services.base.context import open_arena
from arena.settings import Settings
from tests.cli.processes import until
from tests.cli.test_up import free_port
from tests.docs.test_deployment import ROOT
from web.app import create_app
from web.serving.security import HARD_CAP

NAME = "arena.example"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") or shutil.which("nginx") or ""


class Proxy:
    """A running proxy."""

    def __init__(self, plain: int, encrypted: int, certificate: Path) -> None:
        self.plain, self.encrypted = plain, encrypted
        self._context = ssl.create_default_context(cafile=certificate)

    def connect(self) -> socket.socket:
        """Return a new connection without TLS."""
        return socket.create_connection(("127.0.0.1", self.plain), 5)

    def ask(
        self, path: str, name: str = NAME, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> http.client.HTTPResponse:
        """Return the response to a request with TLS."""
        connection = http.client.HTTPSConnection(name, context=self._context)
        raw = socket.create_connection(("127.0.0.1", self.encrypted), 5)
        connection.sock = self._context.wrap_socket(raw, server_hostname=name)
        connection.request("POST" if body else "GET", path, body or None, headers or {})
        return connection.getresponse()

    def redirect(self, name: str) -> http.client.HTTPResponse:
        """Return the response to a request without TLS."""
        connection = http.client.HTTPConnection("127.0.0.1", self.plain, timeout=5)
        connection.request("GET", "/help?a=b", headers={"Host": name})
        return connection.getresponse()


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The arena behind one proxy, with a page that shows the client's address and the scheme."""
    given = Settings.from_env({"ARENA_HOME": str(tmp_path_factory.mktemp("home"))})
    migrate.upgrade(given.database_url)
    arena = open_arena(replace(given, proxies=1, hosts=NAME))
    app = create_app(arena)
    app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.scheme} {request.host}")
    yield app
    arena.close()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory, upstream: Flask) -> Iterator[Proxy]:
    """Run the proxy with a certificate of its own, and folders and ports of this test."""
    if not NGINX:
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("proxy")
    certificate = made_certificate(folder)
    plain, encrypted = free_port(), free_port()
    server = make_server("127.0.0.1", 0, upstream, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    config = (ROOT / "deploy/nginx.conf").read_text()
    for shipped, here in {
        " /tmp/": f" {folder}/",
        "web:8000": f"127.0.0.1:{server.port}",
        " 8080": f" 127.0.0.1:{plain}",
        " 8443": f" 127.0.0.1:{encrypted}",
        "/etc/nginx/certificates": str(folder),
    }.items():
        assert shipped in config
        config = config.replace(shipped, here)
    (folder / "nginx.conf").write_text(config)
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen([*command, "-g", "daemon off;"], stderr=subprocess.DEVNULL) as process:
        running = Proxy(plain, encrypted, certificate)
        until(lambda: listens(running), "the proxy listens")
        yield running
        process.terminate()
    server.shutdown()


def made_certificate(folder: Path) -> Path:
    """Make a key and a certificate for the name that the configuration has."""
    certificate = folder / "fullchain.pem"
    request = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(certificate)]
    subprocess.run([*request, *names, *files], check=True, capture_output=True)
    return certificate


def listens(proxy: Proxy) -> bool:
    """Return whether the proxy accepts connections."""
    try:
        proxy.connect().close()
    except OSError:
        return False
    return True


def test_pages_are_served_with_tls(proxy: Proxy) -> None:
    """Browsers are told to stay with TLS, and cookies are for encrypted connections only."""
    about, form = proxy.ask("/about"), proxy.ask("/login")

    assert about.status == form.status == 200
    assert about.headers["Strict-Transport-Security"]
    assert all("Secure" in cookie for cookie in form.headers.get_all("Set-Cookie", []))


def test_address_cannot_be_forged(proxy: Proxy) -> None:
    """The arena sees the client's address, scheme and name as the proxy does."""
    forged = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}

    assert proxy.ask("/who", headers=forged).read() == b"127.0.0.1 https arena.example"


def test_plain_requests_are_redirected(proxy: Proxy) -> None:
    """The address has the site's name; requests under other names get no answer."""
    assert proxy.redirect(NAME).headers["Location"] == f"https://{NAME}/help?a=b"
    with pytest.raises(ConnectionError):
        proxy.redirect("evil.example")
    with pytest.raises(ssl.SSLError):
        proxy.ask("/about", "evil.example")


def test_health_check_passes(proxy: Proxy) -> None:
    """The container's health check needs no name."""
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=5)
    connection.request("GET", "/proxy-health")

    assert connection.getresponse().status == 200


def test_large_bodies_are_refused(proxy: Proxy) -> None:
    """A body above the limit of uploads does not reach the arena."""
    headers = {"Content-Length": str(HARD_CAP + 1), "Expect": "100-continue"}

    assert proxy.ask("/bots/upload", body=b"<", headers=headers).status == 413


def test_slow_connections_stop_nobody(proxy: Proxy) -> None:
    """Pages are served while others hold many connections without a complete request."""
    with ExitStack() as stack:
        for sent in [b""] * 200 + [b"GET / HTTP/1.1\r\nHost: ar"] * 100:
            stack.enter_context(proxy.connect()).sendall(sent)

        assert proxy.ask("/about").status == 200
