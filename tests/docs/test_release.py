"""Workflows, forms and the citation that a release needs, checked without GitHub."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
WORKFLOWS: Final = sorted((ROOT / ".github/workflows").glob("*.yml"))
SCHEMAS: Final = {
    "github-workflows": [".github/workflows/*.yml"],
    "github-issue-forms": [".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/feature.yml"],
    "github-issue-config": [".github/ISSUE_TEMPLATE/config.yml"],
    "dependabot": [".github/dependabot.yml"],
    "citation-file-format": ["CITATION.cff"],
}
"""Files by the schema that `check-jsonschema` brings for them."""


def version() -> str:
    """Return the version of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def steps() -> list[dict[str, Any]]:
    """Return the steps of all workflows."""
    jobs = chain.from_iterable(yaml.safe_load(path.read_text())["jobs"].values() for path in WORKFLOWS)
    return [step for job in jobs for step in job.get("steps", ())]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_fit_their_schemas(schema: str) -> None:
    """GitHub and citation tools accept the files."""
    files = [str(path) for pattern in SCHEMAS[schema] for path in ROOT.glob(pattern)]
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert files
    assert done.returncode == 0, done.stdout + done.stderr


def test_schemas_cover_every_file_of_github() -> None:
    """No file in .github is unchecked, except the template of pull requests, which is plain text."""
    files = {path for path in (ROOT / ".github").rglob("*") if path.is_file()}
    checked = {path for patterns in SCHEMAS.values() for pattern in patterns for path in ROOT.glob(pattern)}

    assert files - checked == {ROOT / ".github/pull_request_template.md"}


def test_workflows_run_what_developers_run() -> None:
    """Workflows start targets of make and scripts that exist, and install no package themselves."""
    commands = [step["run"] for step in steps() if "run" in step]
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made = set(re.findall(r"\bmake (\w+)", "\n".join(commands)))

    assert {"image", "test", "wheel"} <= made <= targets
    assert "sudo .ci/run" in commands
    assert not re.search(r"\b(pip|npm|pytest|apt-get)\b", "\n".join(commands))


def test_fast_tests_run_on_every_python() -> None:
    """The matrix has the Pythons of the gate, the oldest being the one that pyproject.toml requires."""
    matrix = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]["test"]["strategy"]["matrix"]
    (gate,) = re.findall(r"for version in (.+); do", (ROOT / "scripts/gate").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert matrix["python"] == gate.split()
    assert project["requires-python"] == f">={matrix['python'][0]}"


def test_version_is_the_same_everywhere() -> None:
    """The citation, the image of the compose file and the newest entry of the changelog have the project's version."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    (image,) = re.findall(r"\$\{IMAGE:-suit-arena:(.+)\}", (ROOT / "docker-compose.yml").read_text())
    (newest, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert {cited, image, newest} == {version()}
