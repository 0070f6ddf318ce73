"""The Dockerfile and the compose file, checked without Docker."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compose_spec import PyOptions

from arena.cli import COMMANDS
from arena.sandbox.doctor.capacity import needed
from arena.sandbox.limits import limits_of
from arena.settings import SETTINGS, Settings

ROOT = Path(__file__).parents[2]
OURS = ("migrate", "web", "worker", "live", "beat")


FILLED = {
    "IMAGE": "registry.example/suit-arena:1",
    "ARENA_URL": "https://arena.example",
    "ARENA_SMTP_URL": "smtps://mail.example",
    "ARENA_MAIL_FROM": "arena@arena.example",
}
"""Values of variables that not every text is allowed for."""


def example() -> dict[str, str]:
    """Return the variables of .env.example, with values for those it leaves empty."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    pairs = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {name: value or FILLED.get(name, "sixteenormoreletters") for name, value in pairs.items()}


def interpolated(text: str) -> str:
    """Return the compose file with its `${…}` replaced as compose would."""

    def value(found: re.Match[str]) -> str:
        return example().get(found[1]) or found[2].removeprefix(":-")

    return re.sub(r"\$\{(\w+)(:[-?][^}]*)?\}", value, text)


def compose_services() -> dict[str, Any]:
    """Return the services of the compose file after validating it."""
    compose = PyOptions(apply_merge=True).from_yaml(interpolated((ROOT / "docker-compose.yml").read_text()))
    compose.validate()
    return dict(compose.to_dict()["services"])


def bytes_of(size: str) -> int:
    """Return the bytes of a size in compose's notation, such as 8gb."""
    number, unit = re.match(r"(\d+)([mg])", size).groups()  # type: ignore[union-attr]
    return int(number) * {"m": 2**20, "g": 2**30}[unit]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """Return the services of the compose file."""
    return compose_services()


def test_dockerfile_passes_hadolint() -> None:
    """The linter reports no warning."""
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), "--failure-threshold", "warning", ROOT / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_image_has_the_files_of_the_build() -> None:
    """.dockerignore lets in every file that the Dockerfile, the build hook, the package or its metadata reads."""
    let_in = set(re.findall(r"^!(\S+)", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    needed = {"arena", "bots", "workers", "web", "hatch_build.py", "package.json", "package-lock.json", "README.md"}
    locks = set(re.findall(r"requirements\S*\.lock", (ROOT / "Dockerfile").read_text()))

    needed |= {"docs", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
    assert needed | locks | {"pyproject.toml", "LICENSE"} == let_in


def test_each_part_is_a_service(services: dict[str, Any]) -> None:
    """The compose file has the web server, workers, clock, migration, PostgreSQL, Redis and a proxy for TLS."""
    assert set(services) == {*OURS, "postgres", "redis", "proxy"}


@pytest.mark.parametrize("name", OURS)
def test_services_use_existing_commands_and_settings(services: dict[str, Any], name: str) -> None:
    """Each service runs an `arena` command, and its variables are valid settings."""
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


@pytest.mark.parametrize("name", ["web", "worker", "live", "beat", "postgres", "redis", "proxy"])
def test_long_running_services_are_supervised(services: dict[str, Any], name: str) -> None:
    """A long-running service has a health check and is restarted."""
    assert services[name]["healthcheck"]["test"]
    assert services[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", [*OURS, "proxy"])
def test_containers_have_minimal_rights(services: dict[str, Any], name: str) -> None:
    """The root is read-only, and capabilities are dropped and cannot be gained."""
    service = services[name]

    assert service["read_only"] is True
    assert list(service["cap_drop"]) == ["ALL"]
    assert list(service["security_opt"]) == ["no-new-privileges:true"]


def test_worker_limits_fit_its_processes(services: dict[str, Any]) -> None:
    """The limits allow each seat of a full table in each process all that a bot may use."""
    service = services["worker"]
    settings = Settings.from_env({key: str(value) for key, value in service["environment"].items()})
    need = needed(settings.workers, limits_of(settings))

    assert need.memory <= bytes_of(service["mem_limit"])
    assert need.processes <= service["pids_limit"]


def test_env_example_has_no_secret() -> None:
    """An operator who does not fill it in gets an error instead of a well-known secret."""
    text = (ROOT / ".env.example").read_text()

    assert re.search(r"^ARENA_SECRET_KEY=$", text, re.MULTILINE)
    assert re.search(r"^POSTGRES_PASSWORD=$", text, re.MULTILINE)
    assert set(example()) <= {setting.name for setting in SETTINGS} | {
        "POSTGRES_PASSWORD",
        "WORKER_MEMORY",
        "WORKER_PIDS",
        "TLS_CERTIFICATES",
        "IMAGE",
    }
