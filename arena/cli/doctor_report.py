"""Output of `arena doctor`: the grade, the steps that raise it, and the findings."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.sandbox.cage import MINIMA
from arena.sandbox.doctor import Diagnosis, Trial
from arena.sandbox.doctor.advice import Advice
from arena.sandbox.doctor.capacity import ControlGroups
from arena.sandbox.doctor.grade import Layer
from arena.sandbox.doctor.host import CAPABILITIES, Host, Landlock
from arena.sandbox.doctor.smoke import Attack
from arena.sandbox.doctor.speed import Speed, Timing

_COLOURS: Final = {"A": "green", "B": "green", "C": "yellow", "D": "red", "F": "red"}
_LIMITS: Final = {
    "processes": "{} processes",
    "files": "{} open files",
    "address_space": "{1} MiB of address space",
    "cpu_seconds": "{} s of CPU time",
}
_MANY: Final = 8
"""With at least this many capabilities, list the missing ones instead."""


def report(found: Diagnosis, console: Console) -> None:
    """Print the report at the width of the console."""
    with console.capture() as printed:
        for part in _parts(found):
            console.print(part, soft_wrap=isinstance(part, Text) and bool(part.no_wrap))
    text = "".join(f"{line.rstrip()}\n" for line in printed.get().splitlines())
    console.file.write(text)
    console.file.flush()


def _parts(found: Diagnosis) -> Iterator[RenderableType]:
    yield from _headline(found)
    if found.advice:
        yield Text("\nHow to raise the grade", "bold")
        for number, step in enumerate(found.advice, 1):
            yield from _step(number, step, found)
    if found.notes:
        yield from _section("Notes", Text("\n".join(found.notes)))
    if found.layers:
        yield from _section("Layers around each bot", _layers(found.layers, "each bot"))
        yield from _section("Layers around all bots together", _layers(found.layers, "all bots"))
    if found.trial:
        yield from _section("Attacks by our own bots on planted targets", _attacks(found.trial.attacks))
        yield from _section("Speed, on one core", _speed(found.trial.speed))
    yield from _section("This machine", _machine(found))


def _section(title: str, body: RenderableType) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", "bold")
    yield Padding(body, (0, 0, 0, 2))


def _headline(found: Diagnosis) -> Iterator[RenderableType]:
    colour = _COLOURS[found.grade]
    line = _grid(1)
    line.add_row(Text(f" Grade {found.grade} ", f"bold reverse {colour}"), Text(found.verdict, f"bold {colour}"))
    yield line
    yield Text(_consequence(found))


def _consequence(found: Diagnosis) -> str:
    asked = f"ARENA_SANDBOX_MINIMUM={found.minimum}"
    if found.problem:
        off = [layer for layer in found.layers if not layer.on and layer.need != "extra"]
        missing = "; ".join(f"{layer.name}: {layer.why}" for layer in off)
        below = MINIMA.index(found.level) > MINIMA.index(found.minimum)
        return f"{asked} does not hold: {missing if below and missing else found.problem}."
    if found.breaches:
        return f"{asked} holds, but these attacks got through: {', '.join(attack.name for attack in found.breaches)}."
    return (
        f"{asked}: bots are run here with the available layers."
        if found.grade == "D"
        else f"{asked} holds: bots are run here."
    )


def _step(number: int, step: Advice, found: Diagnosis) -> Iterator[RenderableType]:
    """Render one step. Commands stay on one line at any width, so that they can be copied."""
    words = _grid(1)
    words.add_row(f"{number}.", Text.assemble(step.what, " ", _gain(step, found)))
    yield Padding(words, (0, 0, 0, 2))
    for line in step.how:
        yield Text(f"      {line}", "cyan", no_wrap=True)


def _gain(step: Advice, found: Diagnosis) -> Text:
    better = step.grade < found.grade
    leads = [f"leads to grade {step.grade}"] if better else []
    layers = [f"adds {', '.join(step.layers)}"] if step.layers else []
    return Text(f"({'; '.join(leads + layers)})", _COLOURS[step.grade] if better else "")


def _layers(layers: Iterable[Layer], around: str) -> Table:
    table = _grid(2)
    for layer in layers:
        if layer.around == around:
            table.add_row(_state(layer), layer.name, _purpose(layer))
    return table


def _state(layer: Layer) -> Text:
    return Text("on", "green") if layer.on else Text("off", "yellow" if layer.need == "extra" else "bold red")


def _purpose(layer: Layer) -> Text:
    return Text.assemble(layer.purpose, "" if layer.on else (f"\noff: {layer.why}", "yellow"))


def _attacks(attacks: Iterable[Attack]) -> Table:
    table = _grid(2)
    for attack in attacks:
        state = Text("held", "green") if attack.held else Text("BREACHED", "bold red")
        table.add_row(state, attack.name, Text(_short(attack.how) if attack.held else f"{attack.aim}: {attack.how}"))
    return table


def _short(how: str) -> str:
    """Remove the error number and the file from an error message."""
    return re.sub(r"\[Errno \d+\] ", "", how).partition(": '")[0]


def _speed(speed: Speed) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_row("", "median", "p99")
    table.add_row("a bot is ready", *_both(speed.ready_ms, "ms"))
    table.add_row("one move", *_both(speed.move_us, "µs"))
    return table


def _both(times: Timing, unit: str) -> tuple[str, str]:
    return f"{times.median:.1f} {unit}", f"{times.p99:.1f} {unit}"


def _machine(found: Diagnosis) -> Table:
    table = _grid(1)
    for name, words in _facts(found).items():
        table.add_row(name, Text(words))
    return table


def _facts(found: Diagnosis) -> dict[str, str]:
    host = found.host
    return {
        "kernel": f"Linux {host.kernel} on {host.machine}",
        "user": f"uid {host.uid}, {_capabilities(host.capabilities)}",
        "around this process": _around(host),
        "Landlock": _landlock(found.landlock),
        "cgroups": _groups(found.cgroups),
        "Python": _python(host),
        **_packages(found.trial),
        "playouts": _playouts(host.interpreter.playouts),
        "cores": f"{len(host.usable_cores)} of {host.cores}",
        "memory": f"{host.memory_mib} MiB; swap: {host.swap_mib} MiB; overcommit: {host.overcommit}",
        "limits": _limits(host.limits),
    }


def _limits(limits: Mapping[str, int | None]) -> str:
    """Describe the limits that are set."""
    return ", ".join(_LIMITS[name].format(limit, limit >> 20) for name, limit in limits.items() if limit is not None)


def _capabilities(held: list[str]) -> str:
    """List capabilities by name, or the missing ones if nearly all are held."""
    if not held:
        return "no capability"
    missing = [f"CAP_{name}" for name in CAPABILITIES if f"CAP_{name}" not in held]
    if len(missing) < _MANY:
        return f"all capabilities{' except ' * bool(missing)}{', '.join(missing)}"
    return ", ".join(held)


def _around(host: Host) -> str:
    filters = {"none": "no system-call filter", "unknown": "system-call filter unknown"}
    privileges = "no new privileges" if host.no_new_privs else "new privileges possible"
    seccomp = filters.get(host.seccomp, "a system-call filter")
    return f"{host.container or 'no container'}; {seccomp}; {privileges}"


def _landlock(landlock: Landlock) -> str:
    reasons = {
        "missing": "not built into this kernel",
        "disabled": "switched off at boot",
        "refused": "refused by something around this process",
    }
    if landlock.why:
        return reasons[landlock.why]
    if not landlock.missing:
        return f"version {landlock.version}: every feature that the cage uses"
    further = "; ".join(f"{version}: {adds}" for version, adds in landlock.missing.items())
    return f"version {landlock.version}. Newer ones add {further}"


def _groups(groups: ControlGroups) -> str:
    """Describe the version, this process's folders, and the limits that apply to it."""
    return "\n".join(
        [
            groups.version,
            *dict.fromkeys(groups.folders.values()),
            *(
                f"at most {limit} bytes of memory" if name == "memory" else f"at most {limit} processes"
                for name, limit in groups.limits.items()
                if limit is not None
            ),
        ]
    )


def _python(host: Host) -> str:
    python = host.interpreter
    readers = "every user can read it" if python.readable_by_all else "other users cannot read it"
    return f"{python.version}, {python.path}; {readers}"


def _packages(trial: Trial | None) -> dict[str, str]:
    """Describe the packages that bots can import, and those that are refused."""
    if not trial:
        return {}
    offered = ", ".join(f"{name} {version}" for name, version in trial.packages.items() if name != "python")
    refused = "; ".join(f"{name}: {why}" for name, why in trial.refused.items())
    return {"packages for bots": offered} | ({"refused packages": refused} if refused else {})


def _playouts(missing: str) -> str:
    return f"in Python, more slowly: no compiled kernel, because {missing}" if missing else "in the compiled kernel"


def _grid(names: int) -> Table:
    """Create a table without lines: this number of columns for names, and one for text that wraps."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(names):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
