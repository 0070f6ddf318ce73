"""Time from an upload to the first rating, by `arena upload` and by the page."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

import requests

from arena.services.base.context import Arena
from arena.services.people import accounts, keys
from benchmarks.load import Server
from benchmarks.results import NOTHING, Table, at_most, durations, in_rounds, quartiles
from bots import HOUSE

SOURCE: Final = HOUSE["random"]
PASSWORD: Final = "correct horse battery"  # noqa: S105 -- of an account in a temporary database
PATIENCE: Final = 600.0
"""Timeout in seconds for an upload."""
MOST: Final = 5
"""Largest number of rounds, because an upload takes several seconds."""
HIDDEN: Final = re.compile(r'name="(csrf_token|key)"[^>]*value="([^"]+)"')
POLL: Final = re.compile(r'id="live" hx-get="([^"]+)" hx-trigger="every (\d+)s"')
SETTLED: Final = 'data-settled="yes"'


class Person:
    """A member with a browser."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._send("/login", {"name": name, "password": PASSWORD})

    def upload(self, name: str) -> float:
        """Upload a bot by the form, watch its page until the bot is rated, and return the seconds."""
        began = time.monotonic()
        page = self._send("/bots/upload", {"name": name}, SOURCE.read_bytes())
        while SETTLED not in page:
            if time.monotonic() - began > PATIENCE:
                raise TimeoutError("the upload was not rated in time")
            found = POLL.search(page)
            assert found, page  # noqa: S101 -- the page polls itself until then
            time.sleep(float(found[2]))
            page = self._session.get(f"{self._url}{found[1].replace('&amp;', '&')}", timeout=60).text
        assert "First rating" in page, page  # noqa: S101 -- the bot is valid
        return time.monotonic() - began

    def _send(self, path: str, fields: dict[str, str], source: bytes = b"") -> str:
        """Open a form, send it, and return the page that follows."""
        form = self._session.get(f"{self._url}{path}", timeout=60).text
        files = {"file": ("bot.py", source)} if source else None
        answer = self._session.post(
            f"{self._url}{path}", data={**dict(HIDDEN.findall(form)), **fields}, files=files, timeout=60
        )
        answer.raise_for_status()
        return answer.text


def command(url: str, token: str, name: str) -> float:
    """Upload a bot by `arena upload`, which waits until it is rated, and return the seconds."""
    began = time.monotonic()
    upload = [sys.executable, "-m", "arena", "upload", str(SOURCE), "--name", name, "--arena", url]
    environ = {**os.environ, "ARENA_TOKEN": token}
    subprocess.run(upload, env=environ, stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE)
    return time.monotonic() - began


def times(web: Server, arena: Arena, rounds: int) -> Table:
    """Measure both ways in turns, each with a member of its own, because a new member may own few bots."""
    browser, shell = (accounts.register(arena, name, PASSWORD) for name in ("browser", "shell"))
    person, token = Person(web.url, browser.name), keys.make(arena, shell, "benchmark", keys.offered(shell))

    def both(number: int) -> tuple[float, float]:
        return person.upload(f"page-{number}"), command(web.url, token, f"shell-{number}")

    return table(in_rounds(min(rounds, MOST), both))


def table(taken: Sequence[tuple[float, float]]) -> Table:
    """Return a table with a row per way; `taken` has the seconds by the page and by the command of each round."""
    page, shell = zip(*taken, strict=True)
    share = quartiles([own / other for other, own in taken])[1]
    rows = [
        ("the page", durations(*quartiles(page)), NOTHING, NOTHING, NOTHING),
        ("arena upload", durations(*quartiles(shell)), *at_most(share, 1)),
    ]
    notes = (
        f"Seconds from opening the form, or starting the command, until the first rating is seen; {len(taken)} rounds "
        "in turns, two workers playing a tournament as well. The ratio is the median of the ratios within each round."
    )
    return Table("Upload to first rating", notes, ("", "time", "ratio", "target", "reached"), rows)
