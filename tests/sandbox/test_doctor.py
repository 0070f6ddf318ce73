"""What `arena doctor` says, as root and as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli.doctor import doctor
from arena.sandbox import doctor as sandbox_doctor
from arena.sandbox.doctor import Layer, probe

root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def run(*arguments: str) -> tuple[int, str]:
    """The exit code and the output of `arena doctor`, with this process's environment."""
    result = CliRunner().invoke(doctor, arguments, standalone_mode=False)
    return result.return_value, result.output


@root
def test_every_layer_holds_here() -> None:
    """As root on an ordinary kernel every layer and namespace is on."""
    layers = probe()

    assert [layer.name for layer in layers if not layer.on] == []
    assert len(layers) == 14


@root
def test_the_table_and_the_grade() -> None:
    """The page for people names every layer, the speed and the grade, and the exit code is 0."""
    code, output = run()

    assert code == 0
    for word in ("seccomp", "landlock", "network", "A bot is ready in", "Grade A: every layer holds."):
        assert word in output


def test_below_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a needed layer the exit code is 1, the reason and a remedy are told, and nothing is measured."""
    layers = _without(probe(), "landlock", "uid")
    monkeypatch.setattr(sandbox_doctor, "_layers", lambda zygote: layers)
    code, output = run("--json")
    found = json.loads(output)

    assert code == 1
    assert found["grade"] == "F"
    assert found["speed"] is None
    assert "landlock: not here" in found["problem"]
    assert "Landlock in its list" in " ".join(layer["remedy"] for layer in found["layers"])


def _without(layers: list[Layer], *names: str) -> list[Layer]:
    return [sandbox_doctor._layer(layer.name, "not here" if layer.name in names else layer.why) for layer in layers]


def test_as_an_ordinary_user() -> None:
    """An ordinary user has all layers but the uid: the strict minimum is refused, the other one plays."""
    assert _as_user("both")["grade"] == "F"
    found = _as_user("one")

    assert found["grade"] == "C"
    assert found["speed"]["move_us"] > 0
    assert [layer["name"] for layer in found["layers"] if layer["need"] != "extra" and not layer["on"]] == ["uid"]


def _as_user(minimum: str) -> Any:
    """What the doctor finds as uid 65534; that it may read files is only for where Python is installed in a home."""
    command = [str(Path(sys.executable).parent / "arena"), "doctor", "--json"]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("needs setpriv")
        reading = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *reading, *command]
    done = subprocess.run(
        command, env=os.environ | {"ARENA_SANDBOX_MINIMUM": minimum}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == (minimum == "both"), done.stderr
    return json.loads(done.stdout)
