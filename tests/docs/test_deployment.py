"""The Dockerfile and the compose file, as far as they can be checked without an engine."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compose_spec import PyOptions

from arena.cli import COMMANDS
from arena.settings import SETTINGS, Settings

ROOT = Path(__file__).parents[2]
OURS = ("migrate", "web", "worker", "beat")


def example() -> dict[str, str]:
    """The variables of .env.example, with its blanks filled in."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    pairs = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {name: value or "sixteenormoreletters" for name, value in pairs.items()}


def interpolated(text: str) -> str:
    """The compose file with its ${…} replaced as compose would."""

    def value(found: re.Match[str]) -> str:
        return example().get(found[1]) or found[2].removeprefix(":-")

    return re.sub(r"\$\{(\w+)(:[-?][^}]*)?\}", value, text)


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services of the compose file, which keeps the specification."""
    compose = PyOptions(apply_merge=True).from_yaml(interpolated((ROOT / "docker-compose.yml").read_text()))
    compose.validate()
    return dict(compose.to_dict()["services"])


def test_the_dockerfile_has_no_fault_that_a_linter_knows() -> None:
    """hadolint has nothing to warn of."""
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), "--failure-threshold", "warning", ROOT / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_the_image_takes_what_the_build_needs() -> None:
    """Every file that the build hook, the package or its metadata reads is let into the image."""
    let_in = set(re.findall(r"^!(\S+)", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    needed = {"arena", "bots", "workers", "web", "hatch_build.py", "package.json", "package-lock.json", "README.md"}

    assert needed | {"pyproject.toml", "requirements.lock", "requirements-build.lock", "LICENSE"} == let_in


def test_every_part_is_a_service(services: dict[str, Any]) -> None:
    """Web server, workers, clock, migration, PostgreSQL and Redis."""
    assert set(services) == {*OURS, "postgres", "redis"}


@pytest.mark.parametrize("name", OURS)
def test_our_services_run_commands_with_settings_that_exist(services: dict[str, Any], name: str) -> None:
    """Each runs a command of ours, with variables that are settings and have values that are allowed."""
    service = services[name]
    program, command = service["command"]
    environ = {key: str(value) for key, value in service["environment"].items()}

    assert program == "arena"
    assert command in COMMANDS
    assert set(environ) <= {setting.name for setting in SETTINGS}
    settings = Settings.from_env(environ)
    assert settings.database_url.startswith("postgresql+psycopg://arena:")
    assert settings.broker_url == "redis://redis:6379/0"
    assert settings.given_secret


@pytest.mark.parametrize("name", ["web", "worker", "beat", "postgres", "redis"])
def test_everything_that_stays_up_is_looked_after(services: dict[str, Any], name: str) -> None:
    """A service that runs on has a health check and is started again."""
    assert services[name]["healthcheck"]["test"]
    assert services[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", OURS)
def test_our_containers_have_no_more_rights_than_they_need(services: dict[str, Any], name: str) -> None:
    """Nothing to write to but memory, no capabilities, no way to get some."""
    service = services[name]

    assert service["read_only"] is True
    assert list(service["cap_drop"]) == ["ALL"]
    assert list(service["security_opt"]) == ["no-new-privileges:true"]


def test_the_example_of_secrets_has_no_secret() -> None:
    """Whoever forgets to fill it in is told so, instead of running with everybody's secret."""
    text = (ROOT / ".env.example").read_text()

    assert re.search(r"^ARENA_SECRET_KEY=$", text, re.MULTILINE)
    assert re.search(r"^POSTGRES_PASSWORD=$", text, re.MULTILINE)
    assert set(example()) <= {setting.name for setting in SETTINGS} | {"POSTGRES_PASSWORD"}
