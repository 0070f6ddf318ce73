"""Difference families: a few base blocks whose images under a group form a design.

The group acts on pairs in classes. A base block that only the identity fixes has as many images as the group has maps,
and these contain each pair of a class (pairs of the class in the block) · (maps) / (pairs in the class) times. So the
base blocks together must contain λ · (pairs in the class) / (maps) pairs of every class. Blocks with fewer images, made
of cosets, are counted separately. Base blocks are found by simulated annealing on the squared error, with a fixed seed
and a fixed number of steps.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import chain, islice, repeat
from math import exp, lgamma, log
from random import Random
from typing import Final, NamedTuple

from arena.tournament.designs.actions import Block, Ground, GroupAction, action, ground
from arena.tournament.designs.order import evenly
from arena.tournament.designs.rings import Ring, fields, prime_powers, residues, unit_groups

MOST_COPIES: Final = 8
"""Largest number of copies of the ring in a small design."""
SMALL: Final = 40
"""Number of points up to which a design is small: the search is fast even with rings of few elements."""
MOST_SHIFTS: Final = 12
"""Bound on the shift between two cosets of one block in a small design."""
MOST_CLASSES: Final = 40
"""Largest number of classes of a group."""
MOST_TASKS: Final = 16
"""Number of tasks that are tried."""
TASKS: Final = 2
"""Number of tasks per group."""
ROUNDS: Final = (1500, 6000)
"""Number of annealing steps per task, first for all tasks, then for all again."""
LAST_ROUND: Final = 60_000
"""Number of steps in a last round, from λ = k(k - 1) up: that fits any number of points, so there is no alternative."""
MOST_LAST: Final = 3
"""Number of tasks in the last round."""
LEAST_PROMISE: Final = -4.0
"""Tasks with a lower promise are skipped."""
SEED: Final = 7
"""Seed that finds the most small designs among those tried."""
HOT: Final = 3.0
"""First temperature, in units of the squared error."""
COLD: Final = 0.35
"""Last temperature."""
COOLING: Final = 256
"""Number of steps between two changes of temperature."""


class Kit(NamedTuple):
    """Block made of cosets, which has fewer images than the group has maps."""

    block: Block
    images: int
    times: int
    """Number of times that the images are taken."""


NONE: Final = Kit((), 0, 0)


class Family(NamedTuple):
    """Design given by its base blocks."""

    action: GroupAction
    kit: Kit
    base: list[list[int]]

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks, in an order in which the points take turns."""
        ground, order = self.action.ground, self.action.order
        images = map(self.action.images, self.base)
        free = ground.copies == 1 and not ground.fixed  # then each base block takes all points equally often
        turns = chain.from_iterable(images if free else zip(*images, strict=True))
        few = chain.from_iterable(repeat(self.action.orbit(self.kit.block), self.kit.times))
        return evenly(turns, len(self.base) * order, few, self.kit.images * self.kit.times)


class Task(NamedTuple):
    """Search problem: find `base` base blocks that contain a target number of pairs of each class."""

    action: GroupAction
    kit: Kit
    base: int
    target: list[int]
    promise: float
    """Logarithm of the expected number of solutions."""


def family(points: int, size: int, meetings: int) -> Family | None:
    """Find a design with every pair of points in `meetings` blocks of this size; None if none was found."""
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
    """Yield the most promising tasks of each group, groups with the fewest classes first."""
    blocks = meetings * points * (points - 1) // (size * (size - 1))
    for act in _actions(points, 8 * blocks):
        tasks = [task for kit in _kits(act, size, meetings) for task in _task(act, kit, size, meetings, blocks)]
        yield from nlargest(TASKS, tasks, key=lambda task: task.promise)


def _task(act: GroupAction, kit: Kit, size: int, meetings: int, blocks: int) -> list[Task]:
    base, rest = divmod(blocks - kit.images * kit.times, act.order)
    if rest or base < 0:
        return []
    target = _target(act, meetings, kit)
    if not target or not _possible(act, base, size, target):
        return []
    promise = _promise(act, base, size, target)
    return [Task(act, kit, base, target, promise)] if promise > LEAST_PROMISE else []


def _possible(act: GroupAction, base: int, size: int, target: Sequence[int]) -> bool:
    """Return whether the fixed point allows the target: each base block with it has `size` - 1 of its pairs."""
    if not act.ground.fixed or act.ground.copies > 1:
        return True
    fixed, rest = divmod(target[act.classes[-1]], size - 1)
    return rest == 0 and fixed <= base


def _actions(points: int, most: int) -> Iterator[GroupAction]:
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


def _kits(act: GroupAction, size: int, meetings: int) -> Iterator[Kit]:
    """Yield no block, then each block made of cosets, up to λ times."""
    yield NONE
    for block in _coset_blocks(act.ground, size):
        images = act.orbit_size(block)
        yield from (Kit(block, images, times) for times in range(1, meetings + 1))


@lru_cache(64)
def _coset_blocks(on: Ground, size: int) -> list[Block]:
    """Return subgroups, and unions of two cosets of one, in the first copy, with the fixed point and without."""
    n, shifts = on.ring.size, MOST_SHIFTS if on.points <= SMALL else 3
    found: list[Block] = []
    for extra in ((), (on.points - 1,)) if on.fixed else ((),):
        rest = size - len(extra)
        found += [(*group, *extra) for group in _subgroups(on.ring, rest)]
        for group in _subgroups(on.ring, rest // 2) if rest % 2 == 0 else []:
            for shift in [x for x in range(1, min(n, shifts)) if x not in group]:
                found.append(tuple(sorted((*group, *(on.ring.add[x][shift] for x in group)))) + extra)
    return found


def _subgroups(ring: Ring, size: int) -> list[list[int]]:
    """Return additive subgroups: those with one generator, and a subfield if there is one."""
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


def _target(act: GroupAction, meetings: int, kit: Kit) -> list[int]:
    """Return the number of pairs by class that the base blocks must contain; empty if one is negative or fractional."""
    given = [kit.images * kit.times * pairs for pairs in act.held(kit.block)]
    wanted = [meetings * pairs - held for pairs, held in zip(act.pairs, given, strict=True)]
    if any(pairs < 0 or pairs % act.order for pairs in wanted):
        return []
    return [pairs // act.order for pairs in wanted]


def _promise(act: GroupAction, base: int, size: int, target: Sequence[int]) -> float:
    """Return the logarithm of the expected number of solutions: ways to choose blocks times the multinomial chance."""
    points, pairs = act.ground.points, sum(act.pairs)
    ways = base * (_log_factorial(points) - _log_factorial(size) - _log_factorial(points - size))
    chance = _log_factorial(sum(target)) - _log_factorial(base)
    for wanted, here in zip(target, act.pairs, strict=True):
        chance += wanted * log(here / pairs) - _log_factorial(wanted)
    return ways + chance


def _log_factorial(number: int) -> float:
    return lgamma(number + 1)


def _anneal(task: Task, size: int, steps: int, random: Random) -> list[list[int]] | None:
    """Find base blocks that meet the target by exchanging one point at a time; None if the steps run out."""
    points, heat = task.action.ground.points, HOT
    # Only `random()` is guaranteed to give the same numbers in every version of Python.
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
    """Return the surplus of pairs by class."""
    held = [task.action.held(block) for block in base]
    return [sum(pairs) - wanted for wanted, *pairs in zip(task.target, *held, strict=True)]


def _exchange(block: Sequence[int], before: Sequence[int], after: Sequence[int], new: int, excess: list[int]) -> int:
    """Replace the pairs of a point by those of `new` in `excess`; return the change of the squared error.

    `before` and `after` are the classes of the pairs of the old and the new point.
    """
    change = 0
    for other in block:
        if other != new:
            less, more = before[other], after[other]
            change += 1 - 2 * excess[less]
            excess[less] -= 1
            change += 1 + 2 * excess[more]
            excess[more] += 1
    return change
