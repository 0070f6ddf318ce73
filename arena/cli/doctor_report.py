"""What `arena doctor` prints: the grade, what to do, and then the reasons for both."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.sandbox.cage import MINIMA
from arena.sandbox.doctor import Diagnosis
from arena.sandbox.doctor.advice import Advice
from arena.sandbox.doctor.groups import Groups
from arena.sandbox.doctor.host import CAPABILITIES, Host
from arena.sandbox.doctor.inventory import OPTIONAL
from arena.sandbox.doctor.kernel import Action, Landlock, Namespace
from arena.sandbox.doctor.layers import Layer
from arena.sandbox.doctor.smoke import Attack
from arena.sandbox.doctor.speed import Speed, Times

_COLOURS: Final = {"A": "green", "B": "green", "C": "yellow", "D": "red", "F": "red"}
_LIMITS: Final = {
    "processes": "{} processes",
    "files": "{} open files",
    "address_space": "{1} MiB of address space",
    "cpu_seconds": "{} s of CPU time",
    "file_size": "{1} MiB a file",
    "stack": "{1} MiB of stack",
}
_PLAIN: Final = str.maketrans({"µ": "u", "×": "x", "…": "...", "·": "-", "’": "'"})
"""For terminals that know ASCII only."""
_MANY: Final = 8
"""Capabilities from here on are told by those that are missing."""


def report(found: Diagnosis, console: Console) -> None:
    """Print everything, at the width of the console, in words that it can show."""
    plain = not (console.encoding or "").lower().startswith("utf")
    with console.capture() as printed:
        for part in _parts(found):
            console.print(part, soft_wrap=isinstance(part, Text) and bool(part.no_wrap))
    text = "".join(f"{line.rstrip()}\n" for line in printed.get().splitlines())
    console.file.write(text.translate(_PLAIN).encode("ascii", "replace").decode() if plain else text)
    console.file.flush()


def _parts(found: Diagnosis) -> Iterator[RenderableType]:
    yield from _headline(found)
    if found.advice:
        yield Text("\nWhat raises the grade", "bold")
        for number, step in enumerate(found.advice, 1):
            yield from _step(number, step, found)
    if found.notes:
        yield from _section("What else to know", Text("\n".join(found.notes)))
    if found.layers:
        yield from _section("Layers around each bot", _layers(found.layers, "each bot"))
        yield from _section("Layers around all bots together", _layers(found.layers, "all bots"))
    if found.trial:
        yield from _section("Attacks, by bots of ours on what was planted for them", _attacks(found.trial.attacks))
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
        missing = "; ".join(f"{layer.name}: {layer.why}" for layer in found.layers if _needed_and_off(layer))
        below = MINIMA.index(found.level) > MINIMA.index(found.minimum)
        return f"{asked} does not hold: {missing if below and missing else found.problem}."
    if found.breaches:
        return f"{asked} holds, but this got through: {', '.join(attack.name for attack in found.breaches)}."
    return (
        f"{asked}: bots are run here with whatever there is."
        if found.grade == "D"
        else f"{asked} holds: bots are run here."
    )


def _needed_and_off(layer: Layer) -> bool:
    return not layer.on and layer.need != "extra"


def _step(number: int, step: Advice, found: Diagnosis) -> Iterator[RenderableType]:
    """Whatever the width, what is to be typed stays in one line, as it is to be copied."""
    words = _grid(1)
    words.add_row(f"{number}.", Text.assemble(step.what, " ", _gain(step, found)))
    yield Padding(words, (0, 0, 0, 2))
    for line in step.how:
        yield Text(f"      {line}", "cyan", no_wrap=True)


def _gain(step: Advice, found: Diagnosis) -> Text:
    better = step.grade < found.grade
    leads = [f"leads to grade {step.grade}"] if better else []
    layers = [f"puts on {', '.join(step.layers)}"] if step.layers else []
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
    return Text.assemble(layer.purpose, "" if layer.on else (f"\nnot here: {layer.why}", "yellow"))


def _attacks(attacks: Iterable[Attack]) -> Table:
    table = _grid(2)
    for attack in attacks:
        state = Text("held", "green") if attack.held else Text("BREACHED", "bold red")
        table.add_row(state, attack.name, Text(_short(attack.how) if attack.held else f"{attack.aim}: {attack.how}"))
    return table


def _short(how: str) -> str:
    """An error without its number and without the file that it is about."""
    return re.sub(r"\[Errno \d+\] ", "", how).partition(": '")[0]


def _speed(speed: Speed) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    table.add_row("", "median", "p99", "")
    python, echo = speed.python_ms.median, speed.echo_us.median
    table.add_row("a bot is ready", *_both(speed.ready_ms, "ms"), _times(speed.ready_ms.median, python, "python3"))
    table.add_row("a bot is gone", *_both(speed.stop_ms, "ms"))
    table.add_row("a move and its answer", *_both(speed.move_us, "µs"), _times(speed.move_us.median, echo, "the echo"))
    table.add_row("python3 -c pass", *_both(speed.python_ms, "ms"), "for scale")
    table.add_row("a bare echo", *_both(speed.echo_us, "µs"), "for scale")
    return table


def _both(times: Times, unit: str) -> tuple[str, str]:
    return f"{times.median:.1f} {unit}", f"{times.p99:.1f} {unit}"


def _times(ours: float, theirs: float, what: str) -> str:
    return f"{ours / theirs:.2f} × {what}" if theirs else ""


def _machine(found: Diagnosis) -> Table:
    table = _grid(1)
    for name, words in _facts(found).items():
        table.add_row(name, Text(words))
    return table


def _facts(found: Diagnosis) -> dict[str, str]:
    host = found.host
    facts = {
        "kernel": f"Linux {host.kernel} on {host.machine}",
        "user": _user(host),
        "around us": _around(host),
        "Landlock": _landlock(found.landlock),
        "seccomp": _seccomp(found.seccomp),
        "namespaces": _namespaces(found.namespaces, found.sysctls),
        "cgroups": _groups(found.cgroups),
        "Python": _python(host),
    }
    if found.trial:
        inventory = found.trial.inventory
        optional = ", ".join(f"{name} {inventory.optional.get(name, 'is not there')}" for name in OPTIONAL)
        facts["in the cage"] = f"{inventory.modules} modules are loaded already; {optional}"
    return facts | {
        "cores": f"{_numbers(host.usable_cores)} of {host.cores}",
        "memory": f"{host.memory_mib} MiB; swap: {host.swap_mib} MiB; overcommit: {host.overcommit}",
        "limits": _limits(host.limits),
    }


def _limits(limits: Mapping[str, int | None]) -> str:
    """Those that there are."""
    return ", ".join(_LIMITS[name].format(limit, limit >> 20) for name, limit in limits.items() if limit is not None)


def _user(host: Host) -> str:
    return f"uid {host.uid}, {_capabilities(host.capabilities)}"


def _capabilities(held: list[str]) -> str:
    """By name; where there are many, the others."""
    if not held:
        return "no capability"
    missing = [f"CAP_{name}" for name in CAPABILITIES if f"CAP_{name}" not in held]
    if len(missing) < _MANY:
        return f"all capabilities{' but ' * bool(missing)}{', '.join(missing)}"
    return ", ".join(held)


def _around(host: Host) -> str:
    filters = {"none": "no system-call filter", "unknown": "/proc does not tell of filters"}
    privileges = "no new privileges" if host.no_new_privs else "new privileges possible"
    seccomp = filters.get(host.seccomp, "a system-call filter")
    return f"{host.container or 'no container'}; {seccomp}; {privileges}"


def _landlock(landlock: Landlock) -> str:
    reasons = {
        "missing": "this kernel has none",
        "disabled": "switched off when the kernel was booted",
        "refused": "refused by what is around this process",
    }
    if landlock.why:
        return reasons[landlock.why]
    if not landlock.missing:
        return f"version {landlock.version}: all that the cage makes use of"
    further = "; ".join(f"{version}: {adds}" for version, adds in landlock.missing.items())
    return f"version {landlock.version}. Newer ones add {further}"


def _seccomp(actions: Mapping[str, Action]) -> str:
    failing = [f"{name} does not work ({action.why})" for name, action in actions.items() if action.works is False]
    working = [f"{name} works" for name, action in actions.items() if action.works]
    listed = [name for name, action in actions.items() if action.works is None]
    return f"{', '.join(failing + working)}; also listed: {', '.join(listed) or 'none'}"


def _namespaces(spaces: Mapping[str, Namespace], sysctls: Mapping[str, str]) -> str:
    """In one line where all are alike."""
    ways: dict[str, list[str]] = {}
    for name, space in spaces.items():
        ways.setdefault(_way(space), []).append(name)
    deciding = ", ".join(f"{name}={value}" for name, value in sysctls.items())
    lines = [f"{', '.join(names)}: {way}" for way, names in ways.items()]
    return "\n".join([*lines, *([deciding] if deciding else [])])


def _way(space: Namespace) -> str:
    if not space.own:
        return "to be had"
    if not space.by_user:
        return "by way of a user namespace"
    return f"{space.own}; by way of a user namespace: {space.by_user}" if space.by_user != space.own else space.own


def _groups(groups: Groups) -> str:
    """The version, where this process is, and what may be limited there."""
    ways: dict[str, list[str]] = {}
    for name, why in groups.controllers.items():
        ways.setdefault(why or "may be limited", []).append(name)
    return "\n".join(
        [
            groups.version,
            *dict.fromkeys(groups.folders.values()),
            *(f"{', '.join(names)}: {way}" for way, names in ways.items()),
        ]
    )


def _python(host: Host) -> str:
    python = host.interpreter
    readers = "everybody may read it" if python.readable_by_all else "only this user may read it"
    return f"{python.version}, {python.path}; {readers if python.readable else 'this process cannot read it'}"


def _numbers(cores: list[int]) -> str:
    """Cores by number, runs of them as a range."""
    runs: list[list[int]] = []
    for core in cores:
        if runs and core == runs[-1][-1] + 1:
            runs[-1].append(core)
        else:
            runs.append([core])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _grid(names: int) -> Table:
    """A table without lines: so many columns of names, and one of text, which may be broken."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(names):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
