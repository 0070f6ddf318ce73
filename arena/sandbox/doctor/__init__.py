"""What the sandbox of this machine can do, how well it holds and how quick it is, and how to make it better.

    examine() -> Diagnosis

Nothing is guessed: every layer, namespace, control group and action of a filter is tried in a process that is thrown
away (`throwaway`, and the zygote's own probe), bots attack what is planted for them (`smoke`), and bots are timed
(`speed`). From that follow a grade (`grade`) and the steps that raise it (`advice`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.cage import Cage
from arena.sandbox.doctor import advice, grade, groups, host, inventory, kernel, layers, smoke, speed
from arena.sandbox.doctor.advice import Advice, Findings
from arena.sandbox.doctor.groups import Groups
from arena.sandbox.doctor.host import Host
from arena.sandbox.doctor.inventory import Inventory
from arena.sandbox.doctor.kernel import Action, Landlock, Namespace
from arena.sandbox.doctor.layers import Layer
from arena.sandbox.doctor.overheard import overheard
from arena.sandbox.doctor.smoke import Attack
from arena.sandbox.doctor.speed import Speed
from arena.sandbox.zygote import Zygote


@dataclass(frozen=True)
class Trial:
    """What bots did in the cage."""

    attacks: list[Attack]
    speed: Speed
    inventory: Inventory


@dataclass(frozen=True)
class Diagnosis:
    """Everything that the doctor found; `arena doctor --json` prints it under these names."""

    grade: str
    """From A to D, or F: no bot is run, or an attack got through."""
    verdict: str
    """The grade in a sentence."""
    minimum: str
    """What was asked for: ``both``, ``one`` or ``none``."""
    level: str
    """The strictest minimum that holds here."""
    problem: str
    """Why no bot is run; empty where bots are."""
    advice: list[Advice]
    notes: list[str]
    layers: list[Layer]
    """Empty where not even a probe could be made."""
    trial: Trial | None
    """None where no bot could be run."""
    host: Host
    landlock: Landlock
    seccomp: dict[str, Action]
    namespaces: dict[str, Namespace]
    sysctls: dict[str, str]
    cgroups: Groups

    @property
    def breaches(self) -> list[Attack]:
        """The attacks that got through."""
        return [attack for attack in self.trial.attacks if not attack.held] if self.trial else []

    @property
    def holds(self) -> bool:
        """Whether bots are run here, and no attack got through."""
        return not self.problem and not self.breaches


def examine(minimum: str = "both") -> Diagnosis:
    """Probe this machine, attack its cage and measure it. Never raises for what this machine lacks."""
    found: list[Layer] = []
    trial: Trial | None = None
    problem = ""
    try:
        with _told():
            found = probe()
            problem = grade.problem(found, minimum)
            trial = None if problem else _try(minimum)
    except ArenaFault as fault:
        problem = str(fault)
    return _diagnosis(minimum, found, problem, trial)


def probe() -> list[Layer]:
    """Try every layer and namespace, in the order in which they are taken on. Raises ArenaFault."""
    zygote = Zygote()
    try:
        return layers.described(zygote.probe(), zygote.spaces)
    finally:
        zygote.close()


@contextmanager
def _told() -> Iterator[None]:
    """A fault of ours says what our processes said last, which is not printed."""
    with overheard() as last_line:
        try:
            yield
        except (ArenaError, OSError) as error:
            said = [f"the cage could not be tried ({error.strerror})" if isinstance(error, OSError) else str(error)]
            raise ArenaFault(": ".join(filter(None, [*said, last_line()]))) from None


def _try(minimum: str) -> Trial:
    with speed.one_core() as core, Cage(minimum, core) as cage:
        return Trial(smoke.attack_all(cage), speed.measure(cage), inventory.take(cage))


def _diagnosis(minimum: str, found: list[Layer], problem: str, trial: Trial | None) -> Diagnosis:
    here, lock, cgroups = host.look(), kernel.look_at_landlock(), groups.look()
    spaces, sysctls = kernel.look_at_namespaces(), kernel.sysctls()
    breached = trial is not None and not all(attack.held for attack in trial.attacks)
    letter = "F" if problem or breached else grade.grade(found)
    return Diagnosis(
        grade=letter,
        verdict=grade.BREACHED if breached else grade.GRADES[letter],
        minimum=minimum,
        level=grade.level(found) if found else "none",
        problem=problem,
        advice=advice.advise(Findings(here, lock, spaces, sysctls, cgroups.version, found, minimum)) if found else [],
        notes=advice.notes(here),
        layers=found,
        trial=trial,
        host=here,
        landlock=lock,
        seccomp=kernel.look_at_seccomp(),
        namespaces=spaces,
        sysctls=sysctls,
        cgroups=cgroups,
    )
