"""Consent to run bots without a cage on a machine that has none. People are asked once; scripts are not."""

import sys

import click

from arena.games.errors import ArenaFault
from arena.remote import logins
from arena.remote.texts import writing


def require(why: str) -> None:
    """Ask on a terminal, unless this user has agreed before. Raises `ArenaFault`, and `Refused`."""
    agreed = logins.path().with_name("uncaged")
    if agreed.exists() or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    if not click.confirm("Bots could then do what you can. Run them, now and from now on?", err=True):
        raise ArenaFault(f"{why}; --no-cage runs bots without one")
    with writing(agreed):
        agreed.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        agreed.touch()
