"""``arena login``: get a token of an arena, with a code that is confirmed in a browser."""

import platform
import sys
import time
from typing import Any, Final

import click

from arena.games.errors import Refused
from arena.remote import logins
from arena.remote.http import Rejected, Remote
from arena.remote.options import understood
from arena.remote.texts import json_option, line, tell

GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES: Final = ("read", "upload", "organise", "administer")
LONGEST_INTERVAL: Final = 60.0
LONGEST_TOKEN: Final = 10_000


@click.command()
@click.argument("url")
@click.option(
    "--scope", "scopes", type=click.Choice(SCOPES), multiple=True, default=SCOPES[:2], show_default=True,
    help="What the token allows; repeatable.",
)  # fmt: skip
@click.option("--token-stdin", is_flag=True, help="Read a token from the standard input instead.")
@json_option
@understood
def login(url: str, scopes: tuple[str, ...], token_stdin: bool, as_json: bool) -> None:
    """Log in to the arena at URL.

    Open the page that is shown, compare the code and confirm. The token is kept in a file that only you can read.
    """
    address = logins.address(url)
    if logins.is_open(address):
        click.echo(f"arena login: {address} is not encrypted: others on the way can read your token", err=True)
    known = logins.load()
    token = _read() if token_stdin else _asked(Remote(address, None), scopes)
    account = Remote(address, token).get("/me")["name"]
    known.default = address
    known.tokens[address] = token
    logins.save(known)
    tell({"arena": address, "account": account}, f"You are logged in to {address} as {account}.", as_json)


@click.command()
@click.option("--arena", "url", metavar="URL", help="The arena; by default that of the last log-in.")
@json_option
@understood
def logout(url: str | None, as_json: bool) -> None:
    """Log out of an arena: revoke the token and forget it."""
    known = logins.load()
    address = logins.address(url) if url else known.default
    token = known.tokens.pop(address or "", None)
    if address is None or token is None:
        raise Refused(f"You are not logged in to {address or 'an arena'}.")
    if known.default == address:
        known.default = next(iter(known.tokens), None)
    logins.save(known)
    Remote(address, None).form("/device/revoke", token=token)
    tell({"arena": address}, f"You are logged out of {address}.", as_json)


def _read() -> str:
    token = sys.stdin.read(LONGEST_TOKEN).strip()
    if not token:
        raise click.UsageError("--token-stdin: the standard input has no token")
    return logins.checked(token, "The standard input")


def _asked(remote: Remote, scopes: tuple[str, ...]) -> str:
    """Ask for a token, and return it once its code is confirmed. Raises `Refused`."""
    client = f"arena on {platform.node() or 'a computer'}"
    status, codes = remote.form("/device", client_id=client[:80], scope=" ".join(scopes))
    if status != 200:
        raise Rejected(status, _description(codes))
    page = line(codes["verification_uri_complete"])
    click.echo(f"Open {page}\nand confirm the code {line(codes['user_code'])}", err=True)
    return _waited(remote, codes)


def _waited(remote: Remote, codes: Any) -> str:
    """Ask until the code is confirmed, refused or ended."""
    interval = float(codes["interval"])
    while True:
        time.sleep(max(1.0, min(interval, LONGEST_INTERVAL)))
        status, said = remote.form("/device/token", again=True, grant_type=GRANT, device_code=codes["device_code"])
        if status == 200:
            return logins.checked(str(said["access_token"]), remote.url)
        if said.get("error") == "slow_down":
            interval += 5
        elif said.get("error") != "authorization_pending":
            raise Rejected(status, _description(said))


def _description(said: Any) -> str:
    return line(said.get("error_description") or said.get("detail") or "The arena refused without a reason.")
