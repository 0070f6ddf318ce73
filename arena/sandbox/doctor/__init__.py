"""Diagnosis of this machine's sandbox: what it can do, whether it holds, how fast it is, and how to improve it.

    examine() -> Diagnosis

Nothing is assumed: the zygote probes every layer in a throwaway process, a bot attacks each layer on its own (`alone`),
bots attack planted targets in the whole cage (`smoke`), and bots are timed (`speed`). The results give a grade
(`grade`) and the steps that raise it (`advice`).
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.cage import Cage
from arena.sandbox.doctor import advice, alone, capacity, grade, host, smoke, speed
from arena.sandbox.doctor.advice import Advice, Findings
from arena.sandbox.doctor.capacity import ControlGroups
from arena.sandbox.doctor.grade import Layer
from arena.sandbox.doctor.host import Host, Landlock
from arena.sandbox.doctor.smoke import Attack
from arena.sandbox.doctor.speed import Speed
from arena.sandbox.limits import DEFAULT_LIMITS, Limits

_STDERR: Final = 2


@dataclass(frozen=True)
class Trial:
    """Results of running bots in the cage."""

    attacks: list[Attack]
    speed: Speed
    packages: Mapping[str, str]
    """Versions of Python and of the packages that bots can import, by name."""
    refused: Mapping[str, str]
    """Reasons why packages are not offered to bots, by name."""


@dataclass(frozen=True)
class Diagnosis:
    """All findings; `arena doctor --json` prints them under these names."""

    grade: str
    """A to D, or F if no bot is run or an attack got through."""
    verdict: str
    """The grade as a sentence."""
    minimum: str
    """Required minimum: ``both``, ``one`` or ``none``."""
    level: str
    """Strictest minimum that this machine meets."""
    problem: str
    """Reason why no bot is run; empty if bots are run."""
    advice: list[Advice]
    notes: list[str]
    layers: list[Layer]
    """All layers; empty if the probe failed."""
    trial: Trial | None
    """None if no bot could be run."""
    host: Host
    landlock: Landlock
    sysctls: dict[str, str]
    """Kernel settings that decide whether namespaces are available."""
    cgroups: ControlGroups

    @property
    def breaches(self) -> list[Attack]:
        """Attacks that got through."""
        return [attack for attack in self.trial.attacks if not attack.held] if self.trial else []

    @property
    def holds(self) -> bool:
        """Whether bots are run here and no attack got through."""
        return not self.problem and not self.breaches


def examine(
    minimum: str = "both", workers: int = 1, limits: Limits = DEFAULT_LIMITS, packages: Sequence[str] = ()
) -> Diagnosis:
    """Probe this machine, attack its cage and measure it. Never raises for something that the machine lacks.

    The notes compare the available memory and processes with the needs of `workers` worker processes whose bots have
    these limits. Bots can import `packages` besides numpy.
    """
    found: list[Layer] = []
    trial: Trial | None = None
    try:
        with _explained():
            found = probe()
            problem = grade.problem(found, minimum)
            trial = None if problem else _try(minimum, packages)
    except (ArenaFault, OSError) as fault:
        problem = str(fault)
    here, lock, sysctls, cgroups = host.look(), host.look_at_landlock(), host.sysctls(), capacity.control_groups()
    breached = trial is not None and not all(attack.held for attack in trial.attacks)
    letter = "F" if problem or breached else grade.grade(found)
    return Diagnosis(
        grade=letter,
        verdict=grade.BREACHED if breached else grade.GRADES[letter],
        minimum=minimum,
        level=grade.level(found) if found else "none",
        problem=problem,
        advice=advice.advise(Findings(here, lock, sysctls, cgroups.version, found, minimum)) if found else [],
        notes=[*capacity.notes(workers, limits, here, cgroups), *advice.notes(here)],
        layers=found,
        trial=trial,
        host=here,
        landlock=lock,
        sysctls=sysctls,
        cgroups=cgroups,
    )


def probe() -> list[Layer]:
    """Try every layer and namespace, in the order in which they are applied, and then alone. Raises `ArenaFault`."""
    with Cage("none") as cage:
        return grade.describe(cage.zygote.probe(), cage.zygote.spaces, alone.ineffective(cage))


@contextmanager
def _explained() -> Iterator[None]:
    """Append the last line that our processes wrote to standard error to any error of the arena."""
    with captured_stderr() as last_line:
        try:
            yield
        except (ArenaError, OSError) as error:
            failed = f"the cage could not be tried ({error.strerror})" if isinstance(error, OSError) else str(error)
            raise ArenaFault(": ".join(filter(None, [failed, last_line()]))) from None


@contextmanager
def captured_stderr() -> Iterator[Callable[[], str]]:
    """Redirect this process's standard error to a pipe. Yields a function that returns the last line written so far."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)  # a process that writes more than fits must not block
    before = os.dup(_STDERR)
    os.dup2(writer, _STDERR)
    os.close(writer)
    try:
        yield lambda: _last_line(reader)
    finally:
        os.dup2(before, _STDERR)
        os.close(before)
        os.close(reader)


def _last_line(reader: int) -> str:
    try:
        lines = os.read(reader, 1 << 16).decode(errors="replace").split("\n")
    except BlockingIOError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _try(minimum: str, packages: Sequence[str]) -> Trial:
    with speed.one_core() as core, Cage(minimum, core, packages=packages) as cage:
        alone.import_all(cage)
        return Trial(smoke.attack_all(cage), speed.measure(cage), cage.packages, dict(cage.refused))
