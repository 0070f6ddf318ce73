"""Difference families: a few base blocks whose images under a group are a design.

The group acts on pairs in classes. A base block that no map of the group but one leaves in place has as many images as
the group has maps, and they hold each pair of a class (pairs of the class in the block) · (maps) / (pairs in the class)
times. So the base blocks must hold, together, λ · (pairs in the class) / (maps) pairs of every class. Blocks with fewer
images, made of cosets, are counted as they are. Blocks are found by simulated annealing on the squared error, with a
fixed seed and a fixed number of steps.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import chain, islice, repeat
from math import exp, lgamma, log
from random import Random
from typing import Final, NamedTuple

from arena.tournament.designs.actions import Action, Block, Ground, action, ground
from arena.tournament.designs.order import evenly
from arena.tournament.designs.rings import Ring, fields, prime_powers, residues, unit_groups

MOST_COPIES: Final = 8
SMALL: Final = 40
"""Up to so many points the ring may be as small as a few elements: there the search is short in any case."""
MOST_SHIFTS: Final = 12
"""So far apart two cosets of one block may be there."""
MOST_CLASSES: Final = 40
MOST_TASKS: Final = 16
TASKS: Final = 2
"""So many ways are tried in all, and with one group."""
ROUNDS: Final = (1500, 6000)
"""So many steps are spent on each of them: first a few, then more."""
LAST_ROUND: Final = 60_000
MOST_LAST: Final = 3
"""So many, on the first few of them, from λ = k(k - 1) on: it fits any number of points, so not much else is left."""
LEAST_PROMISE: Final = -4.0
SEED: Final = 7
"""Of those that were tried, the one with which most small designs are found."""
HOT: Final = 3.0
COLD: Final = 0.35
COOLING: Final = 256
"""Steps between two changes of temperature."""


class Kit(NamedTuple):
    """A block made of cosets, which has fewer images than the group has maps."""

    block: Block
    images: int
    times: int
    """How often they are taken."""


NONE: Final = Kit((), 0, 0)


class Family(NamedTuple):
    """A design by its base blocks."""

    action: Action
    kit: Kit
    base: list[list[int]]

    def blocks(self) -> Iterator[Block]:
        """All blocks, in an order in which the points take turns."""
        ground, order = self.action.ground, self.action.order
        images = map(self.action.images, self.base)
        free = ground.copies == 1 and not ground.fixed  # then each base block takes all points equally often
        turns = chain.from_iterable(images if free else zip(*images, strict=True))
        few = chain.from_iterable(repeat(self.action.orbit(self.kit.block), self.kit.times))
        return evenly(turns, len(self.base) * order, few, self.kit.images * self.kit.times)


class Task(NamedTuple):
    """What is to be found: so many base blocks that hold so many pairs of each class."""

    action: Action
    kit: Kit
    base: int
    target: list[int]
    promise: float
    """The logarithm of the number of solutions to expect."""


def family(points: int, size: int, meetings: int) -> Family | None:
    """A design of so many points, blocks of that size, and every pair in so many blocks; None where none was found."""
    tasks = list(islice(_tasks(points, size, meetings), MOST_TASKS))
    tries = [(task, steps) for steps in ROUNDS for task in tasks]
    if meetings >= size * (size - 1):
        tries += [(task, LAST_ROUND) for task in tasks[:MOST_LAST]]
    for task, steps in tries:
        base = _anneal(task, size, steps, Random(f"{points} {size} {meetings} {SEED}"))
        if base is not None:
            return Family(task.action, task.kit, base)
    return None


def _tasks(points: int, size: int, meetings: int) -> Iterator[Task]:
    """What may be tried, groups with the fewest classes first; for each group what promises most."""
    blocks = meetings * points * (points - 1) // (size * (size - 1))
    for act in _actions(points, 8 * blocks):
        tasks = [task for kit in _kits(act, size, meetings) for task in _task(act, kit, size, meetings, blocks)]
        yield from nlargest(TASKS, tasks, key=lambda task: task.promise)


def _task(act: Action, kit: Kit, size: int, meetings: int, blocks: int) -> list[Task]:
    base, rest = divmod(blocks - kit.images * kit.times, act.order)
    if rest or base < 0:
        return []
    target = _target(act, meetings, kit)
    if not target or not _possible(act, base, size, target):
        return []
    promise = _promise(act, base, size, target)
    return [Task(act, kit, base, target, promise)] if promise > LEAST_PROMISE else []


def _possible(act: Action, base: int, size: int, target: Sequence[int]) -> bool:
    """Whether nothing speaks against it. With the fixed point lie all others of its block, and so many in all."""
    if not act.ground.fixed or act.ground.copies > 1:
        return True
    fixed, rest = divmod(target[act.classes[-1]], size - 1)
    return rest == 0 and fixed <= base


def _actions(points: int, most: int) -> Iterator[Action]:
    found: list[tuple[float, int, Ground, tuple[int, ...]]] = []
    for ring_of, order, copies, fixed in _grounds(points):
        for units in unit_groups(ring_of, order):
            maps = order * len(units)
            classes = points * (points - 1) / 2 / maps
            if maps <= most and classes <= MOST_CLASSES:
                found.append((classes, len(found), ground(ring_of, order, copies, fixed), units))
    return (action(on, units) for _, _, on, units in sorted(found, key=lambda one: one[:2]))


def _grounds(points: int) -> Iterator[tuple[Callable[[int], Ring], int, int, bool]]:
    for fixed in (False, True):
        for copies in range(1, MOST_COPIES + 1 if points <= SMALL else 3):
            order, rest = divmod(points - fixed, copies)
            if rest or order < 1:
                continue
            yield fields, order, copies, fixed
            if any(power > 1 for _, power in prime_powers(order)):
                yield residues, order, copies, fixed


def _kits(act: Action, size: int, meetings: int) -> Iterator[Kit]:
    """No such block, then one or another, up to λ times."""
    yield NONE
    for block in _coset_blocks(act.ground, size):
        images = act.orbit_size(block)
        yield from (Kit(block, images, times) for times in range(1, meetings + 1))


@lru_cache(64)
def _coset_blocks(on: Ground, size: int) -> list[Block]:
    """A subgroup, or two cosets of one, with the fixed point or without, in the first copy; or one coset per copy."""
    n, shifts = on.ring.size, MOST_SHIFTS if on.points <= SMALL else 3
    found: list[Block] = []
    for extra in ((), (on.points - 1,)) if on.fixed else ((),):
        rest = size - len(extra)
        found += [(*group, *extra) for group in _subgroups(on.ring, rest)]
        for copies in range(2, on.copies + 1):
            for group in _subgroups(on.ring, rest // copies) if rest % copies == 0 else []:
                found.append((*(copy * n + x for copy in range(copies) for x in group), *extra))
        for group in _subgroups(on.ring, rest // 2) if rest % 2 == 0 else []:
            for shift in [x for x in range(1, min(n, shifts)) if x not in group]:
                found.append(tuple(sorted((*group, *(on.ring.add[x][shift] for x in group)))) + extra)
    return found


def _subgroups(ring: Ring, size: int) -> list[list[int]]:
    """Additive subgroups: those of one generator, and a smaller field where there is one."""
    if ring.size % size or size == 1:
        return []
    found = {frozenset(group): group for x in range(ring.size) if len(group := _multiples(ring, x)) == size}
    sub = [x for x in range(ring.size) if _power(ring, x, size) == x]
    if len(sub) == size and all(ring.add[x][y] in sub for x in sub for y in sub):
        found.setdefault(frozenset(sub), sub)
    return list(found.values())[:4]


def _multiples(ring: Ring, x: int) -> list[int]:
    run = [0]
    while (following := ring.add[run[-1]][x]) != 0:
        run.append(following)
    return run


def _power(ring: Ring, x: int, exponent: int) -> int:
    result = x
    for _ in range(exponent - 1):
        result = ring.mul[result][x]
    return result


def _target(act: Action, meetings: int, kit: Kit) -> list[int]:
    """By class: how many pairs the base blocks must hold. Nothing where that is no whole number, or less than none."""
    given = [kit.images * kit.times * pairs for pairs in act.held(kit.block)]
    wanted = [meetings * pairs - held for pairs, held in zip(act.pairs, given, strict=True)]
    if any(pairs < 0 or pairs % act.order for pairs in wanted):
        return []
    return [pairs // act.order for pairs in wanted]


def _promise(act: Action, base: int, size: int, target: Sequence[int]) -> float:
    """The logarithm of how many solutions are to be expected: ways to choose blocks, times the multinomial chance."""
    points, pairs = act.ground.points, sum(act.pairs)
    ways = base * (_log_factorial(points) - _log_factorial(size) - _log_factorial(points - size))
    chance = _log_factorial(sum(target)) - _log_factorial(base)
    for wanted, here in zip(target, act.pairs, strict=True):
        chance += wanted * log(here / pairs) - _log_factorial(wanted)
    return ways + chance


def _log_factorial(number: int) -> float:
    return lgamma(number + 1)


def _anneal(task: Task, size: int, steps: int, random: Random) -> list[list[int]] | None:
    """Base blocks that meet the target: points are exchanged one by one. None where the steps do not suffice."""
    points, heat = task.action.ground.points, HOT
    # Only `random()` is promised to give the same numbers in every version of Python.
    base = [sorted(range(points), key=lambda _: random.random())[:size] for _ in range(task.base)]
    excess = _excess(task, base)
    error = sum(x * x for x in excess)
    classes = [[task.action.classes[number] for number in row] for row in task.action.ground.difference]
    for step in range(steps):
        if error == 0:
            return base
        if step % COOLING == 0:
            heat = HOT * (COLD / HOT) ** (step / steps)
        block, place = base[int(random.random() * task.base)], int(random.random() * size)
        old, new = block[place], int(random.random() * points)
        if new in block:
            continue
        block[place] = new
        change = _exchange(block, classes[old], classes[new], new, excess)
        if change <= 0 or random.random() < exp(-change / heat):
            error += change
        else:
            _exchange(block, classes[new], classes[old], new, excess)
            block[place] = old
    return base if error == 0 else None


def _excess(task: Task, base: Sequence[Sequence[int]]) -> list[int]:
    """By class: how many pairs too many the blocks hold."""
    held = [task.action.held(block) for block in base]
    return [sum(pairs) - wanted for wanted, *pairs in zip(task.target, *held, strict=True)]


def _exchange(block: Sequence[int], before: Sequence[int], after: Sequence[int], new: int, excess: list[int]) -> int:
    """Count the pairs of the new point instead of the old one's, given their classes; how the squared error changes."""
    change = 0
    for other in block:
        if other != new:
            less, more = before[other], after[other]
            change += 1 - 2 * excess[less]
            excess[less] -= 1
            change += 1 + 2 * excess[more]
            excess[more] += 1
    return change
