"""`arena config` prints the settings in force."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.settings import SETTINGS


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unset all settings."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)


def config(*words: str, **environ: str) -> Result:
    """Run `arena config`."""
    return CliRunner().invoke(main, ["config", *words], prog_name="arena", env=environ)


def test_every_setting_has_value_source_and_meaning(tmp_path: Path) -> None:
    """The settings are in the order of the docs, and nothing is created."""
    home = tmp_path / "home"
    lines = config(ARENA_HOME=str(home), ARENA_PORT="8001", ARENA_STOP_BRACKET="yes").stdout.splitlines()

    assert [line.partition("=")[0] for line in lines[::2]] == [setting.name for setting in SETTINGS]
    assert [line.strip() for line in lines[1::2]] == [setting.help for setting in SETTINGS]
    for line in (
        f"ARENA_HOME={home} (environment)",
        f"ARENA_DATABASE_URL=sqlite:///{home}/arena.db (default)",
        "ARENA_BROKER_URL= (default: an embedded Valkey, started by `arena up`)",
        "ARENA_SECRET_KEY= (default: generated once, kept in `secret` in the home folder)",
        "ARENA_PORT=8001 (environment)",
        f"ARENA_WORKERS={len(os.sched_getaffinity(0))} (default)",
        "ARENA_STOP_BRACKET=yes (environment)",
        "ARENA_LEASE=15.0 (default)",
    ):
        assert line in lines
    assert not home.exists()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("redis://:swordfish@host:6379/0", "redis://:***@host:6379/0"),
        ("redis://host:6379/0?password=swordfish", "redis://host:6379/0"),
        ("redis://user:swordfish@host:port/0", "***"),
    ],
)
def test_secrets_are_hidden(given: str, shown: str) -> None:
    """Neither the text nor the JSON contains a password or key."""
    secrets = {
        "ARENA_DATABASE_URL": "postgresql://arena:swordfish@db.example/arena",
        "ARENA_BROKER_URL": given,
        "ARENA_SECRET_KEY": "swordfish swordfish",
    }
    assert "swordfish" not in config(**secrets).stdout

    values = {line["name"]: line["value"] for line in json.loads(config("--json", **secrets).stdout)}
    assert values["ARENA_DATABASE_URL"] == "postgresql+psycopg://arena:***@db.example/arena"
    assert (values["ARENA_BROKER_URL"], values["ARENA_SECRET_KEY"]) == (shown, "***")


def test_generated_key_comes_from_a_file(tmp_path: Path) -> None:
    """The source of the kept secret is the file."""
    (tmp_path / "secret").write_text("a generated secret")

    assert "ARENA_SECRET_KEY=*** (file)\n" in config(ARENA_HOME=str(tmp_path)).stdout


def test_misspelt_and_invalid_settings_are_named() -> None:
    """A misspelt variable is a line on stderr; an invalid value is the error of every command."""
    misspelt = config(ARENA_PROT="1")

    assert (misspelt.exit_code, misspelt.stderr) == (0, "ARENA_PROT is not a setting; did you mean ARENA_PORT?\n")
    assert config(ARENA_PORT="x").stderr == "arena: ARENA_PORT cannot be 'x'; allowed: a whole number from 1 to 65535\n"
