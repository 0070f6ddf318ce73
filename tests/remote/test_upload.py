"""Uploads from the command line: stages, results as exit codes, and thresholds."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.remote.upload import bot_name
from tests.remote.conftest import Client, FakeArena, Said, problem

MADE = {"bot_id": 3, "version_id": 9, "number": 2, "link": "/api/v1/versions/9", "page": "/bots/3"}
SOURCE = "def act(view):\n    return view.legal[0]\n"


def rated(mu: float, sigma: float = 1.0) -> dict[str, Any]:
    """Return a rating."""
    return {"variant": "suitability-4", "mu": {"value": mu}, "sigma": sigma, "tables": 12}


def version(state: str, settled: bool, rating: Any = None, report: Any = None) -> Said:
    """Return a version."""
    fields = {"id": 9, "number": 2, "state": state, "settled": settled, "rating": rating, "report": report}
    return Said(fields)


def body_of(fake: FakeArena) -> bytes:
    """Return the body of the last request."""
    body = fake.asked[-1].body
    assert isinstance(body, bytes)
    return body


FAILED = {
    "message": "It failed at its first move.", "file": "", "line": 2, "traceback": "Traceback\n\x1b[2Jboom\n",
    "output": "hello\n",
}  # fmt: skip


@pytest.fixture
def bot(tmp_path: Path, fake: FakeArena) -> Path:
    """The file of a bot that the arena knows and accepts."""
    fake.on("GET /bots", Said({"items": [{"id": 8, "name": "sharper"}, {"id": 3, "name": "Sharp"}], "next": None}))
    fake.on("POST /bots/3/versions", Said(MADE, 201))
    fake.on("GET /bots/3", Said({"variants": [], "versions": []}))
    file = tmp_path / "sharp.py"
    file.write_text(SOURCE)
    return file


def test_upload_prints_stages(client: Client, fake: FakeArena, bot: Path) -> None:
    """Each stage is printed once, as on the page, and the rating at the end."""
    pending, placing = version("pending", settled=False), version("valid", settled=False)
    fake.on("GET /versions/9", pending, pending, placing, version("valid", settled=True, rating=rated(27.4)))

    assert client.out("upload", bot).splitlines() == [
        "Version 2 is uploaded: https://arena.example/bots/3",
        "Version 2 waits for its check, or is being checked",
        "Version 2 passed the check",
        "It plays its first tables",
        "First rating 27.4 ± 1.0 in suitability-4",
    ]
    [sent] = [one for one in fake.asked if one.method == "POST"]
    assert isinstance(sent.body, bytes)
    assert SOURCE.encode() in sent.body


def test_new_name_makes_a_new_bot(client: Client, fake: FakeArena, bot: Path) -> None:
    """A folder is packed, and the name may be given."""
    folder = bot.parent / "Blunt one"
    folder.mkdir()
    (folder / "bot.py").write_text(SOURCE)
    fake.on("POST /bots", Said(MADE, 201))

    assert client.json("upload", folder, "--no-wait") == MADE

    sent = body_of(fake)
    assert b"Blunt-one" in sent
    assert b'filename="bot.zip"' in sent
    assert bot_name(Path("/home/My.Bot.PY")) == "My.Bot"
    client.out("upload", bot, "--name", "other", "--no-wait")
    assert b'name="name"\r\n\r\nother' in body_of(fake)


def test_rejected_bot_ends_with_1(client: Client, fake: FakeArena, bot: Path) -> None:
    """The line, the traceback and the output are printed, without control characters."""
    fake.on("GET /versions/9", version("invalid", settled=True, report=FAILED))

    out = client.out("upload", bot, code=1)

    assert "Version 2 did not pass the check\nIt failed at its first move. (bot.py, line 2)\n" in out
    assert "Traceback:\nTraceback\n\ufffd[2Jboom\nOutput:\nhello\n" in out
    fake.on("GET /versions/9", version("invalid", settled=True))
    assert client.json("upload", bot, code=1)["state"] == "invalid"


def test_failure_of_the_arena_ends_with_3(client: Client, fake: FakeArena, bot: Path) -> None:
    """The bot is not to blame if the arena fails, or does not answer in time."""
    fake.on("GET /versions/9", version("infra_failed", settled=True))
    assert "The arena failed to check it." in client.out("upload", bot, code=3)

    fake.on("GET /versions/9", problem(500, "The error has been logged."))
    assert client.run("upload", bot, code=3).stderr == "arena: The error has been logged.\n"


def test_waiting_ends(client: Client, fake: FakeArena, bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue that is too long for a build ends the command, not the check."""
    times = iter([0.0, 5.0, 11.0])
    monkeypatch.setattr("arena.remote.upload.time.monotonic", lambda: next(times))
    fake.on("GET /versions/9", version("pending", settled=False))

    assert "has no result in time" in client.run("upload", bot, "--timeout", 10, code=3).stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["27"], 0, ""), (["27.4"], 0, ""), (["28"], 1, "The rating 27.4 ± 1.0 is below 28."),
        (["previous"], 1, "worse than the version"),
    ],
)  # fmt: skip
def test_build_fails_if_the_bot_got_worse(
    client: Client, fake: FakeArena, bot: Path, words: list[str], code: int, said: str
) -> None:
    """A threshold is a rating, or that of the version before with an allowance for chance."""
    fake.on("GET /versions/9", version("valid", settled=True, rating=rated(27.4)))
    worse = {"variant": "suitability-4", "rating": rated(27.4), "before": rated(31)}
    fine = {"variant": "suitability-5", "rating": rated(27.4), "before": rated(29)}
    new = {"variant": "suitability-6", "rating": rated(27.4), "before": None}
    fake.on("GET /bots/3", Said({"variants": [worse, fine, new]}))

    out = client.out("upload", bot, "--fail-below", *words, code=code)

    assert said in out
    assert "suitability-5" not in out


@pytest.mark.parametrize(
    ("decision", "code", "said"),
    [
        ("better", 1, "It is worse than version 1 in suitability-4, after 24 tables."),
        ("not better", 0, "It is not clearly worse than version 1, after 24 tables"),
        ("undecided", 0, "It is not clearly worse than version 1, after 24 tables"),
    ],
)  # fmt: skip
def test_first_ratings_that_are_too_vague_are_followed_by_a_comparison(
    client: Client, fake: FakeArena, bot: Path, decision: str, code: int, said: str
) -> None:
    """The arena plays the new version against the valid one before until it is clear which is better."""
    rows = [{"id": number, "number": number, "state": state} for number, state in ((1, "valid"), (2, "valid"))]
    fake.on("GET /bots/3", Said({"variants": [], "versions": [*rows, {"id": 0, "number": 0, "state": "invalid"}]}))
    fake.on("GET /versions/9", version("valid", settled=True, rating=rated(20, 7)))
    fake.on("POST /comparisons", Said({"id": 5, "page": "/comparisons/5"}, 201))
    fake.on(
        "GET /comparisons/5", *(Said({"decision": one, "tables": 24, "most": 150}) for one in ("running", decision))
    )

    out = client.out("upload", bot, "--fail-below", "previous", code=code)

    assert out.splitlines()[-3:] == [
        "It is compared with version 1 in suitability-4: https://arena.example/comparisons/5",
        "24 of at most 150 tables are played", said,
    ]  # fmt: skip
    [asked] = [one for one in fake.asked if one.path_url.endswith("/comparisons")]
    assert isinstance(asked.body, bytes)
    assert json.loads(asked.body) == {"variant": "suitability-4", "a": 9, "b": 1}
    assert client.json("upload", bot, "--fail-below", "previous", code=code)["number"] == 2


@pytest.mark.parametrize(
    ("tables", "code", "said"),
    [(0, 3, "Comparison 5 has no result in time"), (18, 0, "after 18 tables; the time is up")],
)
def test_comparison_that_takes_too_long_ends_the_command(
    client: Client, fake: FakeArena, bot: Path, monkeypatch: pytest.MonkeyPatch, tables: int, code: int, said: str
) -> None:
    """The bot is not to blame if the arena is slow: a build passes unless nothing was played."""
    times = iter([0.0, 99.0])
    monkeypatch.setattr("arena.remote.upload.time.monotonic", lambda: next(times))
    fake.on("GET /bots/3", Said({"variants": [], "versions": [{"id": 1, "number": 1, "state": "valid"}]}))
    fake.on("GET /versions/9", version("valid", settled=True, rating=rated(20, 7)))
    fake.on("POST /comparisons", Said({"id": 5, "page": "/comparisons/5"}, 201))
    fake.on("GET /comparisons/5", Said({"decision": "running", "tables": tables}))

    words = ("--fail-below", "previous", "--timeout", 10)
    ended = client.run("upload", bot, *words, code=code)
    assert said in ended.stdout + ended.stderr


def test_unrated_bot_is_below_every_threshold(client: Client, fake: FakeArena, bot: Path) -> None:
    """A build that asks for a rating does not pass without one."""
    fake.on("GET /versions/9", version("valid", settled=True))

    assert "The rating (none) is below 1." in client.out("upload", bot, "--fail-below", "1", code=1)
    assert client.out("upload", bot).endswith("Version 2 passed the check\n")


def test_wrong_usage_ends_with_2(client: Client, bot: Path) -> None:
    """Nothing is sent."""
    (bot.parent / "link").symlink_to(bot)
    folder = bot.parent / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(bot)

    assert "neither a number" in client.run("upload", bot, "--fail-below", "better", code=2).stderr
    assert "needs --wait" in client.run("upload", bot, "--fail-below", "1", "--no-wait", code=2).stderr
    assert "is not a valid bot" in client.run("upload", folder, code=2).stderr
    assert client.fake.asked == []


def test_upload_looks_often_at_first(
    client: Client, fake: FakeArena, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses between two looks grow from a fifth of a second to a second."""
    pauses: list[float] = []
    monkeypatch.setattr("arena.remote.upload.time.sleep", pauses.append)
    fake.on("GET /versions/9", *[version("pending", settled=False)] * 100, version("valid", settled=True))

    client.out("upload", bot)

    assert pauses[0] == 0.2
    assert pauses == sorted(pauses)
    assert pauses[-1] == 1.0
