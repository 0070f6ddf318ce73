"""The receiver of webhooks in the docs."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import requests

from arena.services.webhooks.signatures import headers
from tests.cli.processes import until
from tests.cli.test_up import free_port

PAGE: Final = Path(__file__).parents[2] / "docs/webhooks.md"
SECRET: Final = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY: Final = b'{"type":"tournament.finished","timestamp":"2026-01-31T18:00:00Z","data":{"text":"Cup finished."}}'


@contextmanager
def receiver(out: Path) -> Iterator[str]:
    """Run the example of the docs, and yield its address."""
    [source] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    port = str(free_port())
    environ = {**os.environ, "WEBHOOK_SECRET": SECRET, "PORT": port}
    with out.open("w") as file, subprocess.Popen([sys.executable, "-c", source], env=environ, stdout=file) as process:
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.kill()


def test_receiver_prints_each_genuine_event_once(tmp_path: Path) -> None:
    """A repeated delivery is answered and not printed again; a forged or an old one is refused."""
    fresh = headers(SECRET, "7", int(time.time()), BODY)
    old = headers(SECRET, "8", int(time.time()) - 3600, BODY)
    with receiver(tmp_path / "out") as url:
        until(lambda: _answers(url), "the receiver answers")
        statuses = [requests.post(url, BODY, headers=one, timeout=10).status_code for one in (fresh, fresh, old, {})]
        forged = requests.post(url, BODY + b" ", headers=fresh, timeout=10).status_code

    assert (statuses, forged) == ([204, 204, 401, 401], 401)
    assert (tmp_path / "out").read_text() == "2026-01-31T18:00:00Z tournament.finished Cup finished.\n"


def _answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=10).status_code == 501
    except requests.ConnectionError:
        return False
