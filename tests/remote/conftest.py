"""An arena whose answers a test decides, behind the client's own HTTP library."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner, Result

from arena.cli import main
from arena.remote import login, previous, upload, watch

URL = "https://arena.example"
TOKEN = "suit_secret"


@dataclass
class Said:
    """An answer."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


Answer = Said | Exception | Callable[[requests.PreparedRequest], Said]


class FakeArena(requests.adapters.BaseAdapter):
    """Answers each address in turn with the answers that were given for it; the last one is repeated."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[requests.PreparedRequest] = []

    def on(self, request: str, *answers: Answer) -> None:
        """Set the answers for a request, such as ``GET /me``."""
        self.answers[request] = list(answers)

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Answer a request."""
        self.asked.append(request)
        name = f"{request.method} {request.path_url.partition('?')[0].removeprefix('/api/v1')}"
        left = self.answers.get(name, [problem(404, f"There is no {name}.")])
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Exception):
            raise answer
        return response(request, answer if isinstance(answer, Said) else answer(request))

    def close(self) -> None:
        """Close nothing."""


def response(request: requests.PreparedRequest, said: Said) -> requests.Response:
    """Return an answer as the library has it."""
    made = requests.Response()
    made.status_code, made.url, made.request = said.status, str(request.url), request
    made.headers.update({"Content-Type": "application/json", **said.headers})
    made.raw = BytesIO(said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode())
    return made


def problem(status: int, detail: str, **more: Any) -> Said:
    """Return a problem."""
    return Said({"status": status, "detail": detail, **more}, status)


class Client:
    """Runs commands of the client, with a home folder of its own."""

    def __init__(self, home: Path, fake: FakeArena) -> None:
        self.home = home
        self.fake = fake
        self.environ = {
            "XDG_CONFIG_HOME": str(home), "ARENA_TOKEN": TOKEN, "ARENA_URL": URL, "NO_COLOR": "1",
        }  # fmt: skip

    def run(self, *words: object, code: int | None = 0, stdin: str = "") -> Result:
        """Run `arena` with these arguments, which must end with this exit code, if any. The token is never printed."""
        result = CliRunner().invoke(main, list(map(str, words)), prog_name="arena", env=self.environ, input=stdin)
        assert code in (result.exit_code, None), (result.output, result.exception)
        assert TOKEN not in result.output
        return result

    def out(self, *words: object, code: int = 0) -> str:
        """Return the output of a command."""
        return self.run(*words, code=code).stdout

    def json(self, *words: object, code: int = 0) -> Any:
        """Return the JSON output of a command."""
        return json.loads(self.out(*words, "--json", code=code))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeArena:
    """An arena that answers as the test says; the client does not wait for it."""
    made = FakeArena()
    monkeypatch.setattr(requests.Session, "get_adapter", lambda *_, **__: made)
    for module in (login, previous, upload, watch):
        monkeypatch.setattr(module.time, "sleep", lambda _: None)
    return made


@pytest.fixture
def client(tmp_path: Path, fake: FakeArena) -> Client:
    """A user of the command line."""
    return Client(tmp_path, fake)
