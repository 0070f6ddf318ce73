"""The builds in the guide upload a bot on push, and fail if it got worse."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.remote.conftest import Client, FakeArena, Said
from tests.remote.test_upload import MADE, SOURCE, rated, version
from web.manual.pages import CI


def commands(build: Any) -> list[str]:
    """Return the commands of a build, in any place."""
    if isinstance(build, dict):
        return [line for key, value in build.items() for line in _lines(key, value)]
    return [line for one in build for line in commands(one)] if isinstance(build, list) else []


def _lines(key: str, value: Any) -> list[str]:
    if key == "run":
        return [value]
    return list(value) if key == "script" else commands(value)


@pytest.mark.parametrize("name", CI)
@pytest.mark.parametrize(("now", "code"), [(31.0, 0), (24.0, 1)])
def test_build_uploads_and_compares(
    client: Client, fake: FakeArena, monkeypatch: pytest.MonkeyPatch, name: str, now: float, code: int
) -> None:
    """Its command uploads the folder with the token of its variables, and its exit code is the result."""
    monkeypatch.chdir(client.home)
    Path("bot").mkdir()
    Path("bot/bot.py").write_text(SOURCE)
    row = {"variant": "suitability-4", "rating": rated(now), "before": rated(30)}
    fake.on("GET /bots", Said({"items": [{"id": 3, "name": "ducker"}], "next": None}))
    fake.on("POST /bots/3/versions", Said(MADE, 201))
    fake.on("GET /versions/9", version("valid", settled=True, rating=rated(now)))
    fake.on("GET /bots/3", Said({"variants": [row], "versions": []}))
    install, upload = commands(yaml.safe_load(CI[name]))

    assert re.fullmatch(r'pip install "\$\w+"', install)
    assert upload.startswith("arena upload ")
    client.run(*upload.split()[1:], code=code)


def test_builds_name_their_variables() -> None:
    """The token is a secret in both, and never in the file."""
    assert 'ARENA_TOKEN: "${{ secrets.ARENA_TOKEN }}"' in CI["GitHub Actions"]
    assert "masked, ARENA_TOKEN" in CI["GitLab"]
    assert "suit_" not in "".join(CI.values())
