"""Every set of options of every game, in sampler, kernel, twin and search."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from arena.games.base import Game
from arena.games.errors import OptionError
from arena.games.playouts import Knowledge
from arena.games.registry import GAMES
from arena.sdk import Search
from arena.sdk.kernel import twin
from arena.sdk.kernel.compiled import Kernel
from tests.positions import positions

VALUES: Final = (None, False, True, *range(10), 1_000_000)
"""Values of options, as far as a game allows them; of an option without an upper bound, only 1 and the last."""
EVERY: Final = 9
"""One of this many positions is searched."""


def values(check: Any) -> list[Any]:
    """Return the values that an option's check allows."""
    found = [value for value in VALUES if check(value)]
    return [value for value in found if value in (None, 1, VALUES[-1])] if found[-1] == VALUES[-1] else found


def option_sets(kind: type[Game]) -> Iterator[dict[str, Any]]:
    """Yield every set of options of a game."""
    names = [option.name for option in kind.option_list]
    for chosen in product(*(values(option.check) for option in kind.option_list)):
        options = dict(zip(names, chosen, strict=True))
        try:
            kind.complete(options)
        except OptionError:
            continue
        yield options


def structures(kind: type[Game]) -> Iterator[dict[str, Any]]:
    """Yield the sets of options that differ in more than the length of a match and the first dealer."""
    seen = set()
    for options in option_sets(kind):
        rules = kind(options)
        key = (rules.teams, *(value for value in options.values() if type(value) is bool))
        if key not in seen:
            seen.add(key)
            yield options


def named(sets: Any) -> list[Any]:
    """Return the parameters of a test: a game's class and its options."""
    return [
        pytest.param(kind, options, id=f"{id}-{'-'.join(map(str, options.values()))}")
        for id, kind in GAMES.items()
        for options in sets(kind)
    ]


def search_everywhere(kernel: Kernel, rules: Game, every: int) -> None:
    """Search from positions of two deals, and compare the kernel with its twin where it plays."""
    rng, played = Random(1), 0
    for number, state in enumerate(positions(rules, 1)):
        if state.boards > 2 or number > 150:
            break
        if number % every:
            continue
        view = rules.view_type(state.view(state.actors()[-1]))
        estimates = Search(rules, rng).estimates(view, worlds=2, repeats=1)
        assert [estimate.action for estimate in estimates] == view.legal
        play = rules.sample(view.data, rng).trick_play()
        if play:
            played += 1
            known = Knowledge.of(play, rules.unseen(view.data))
            worlds = twin.deal(known, 2, number)
            assert [*kernel.deal(known, 2, number)] == worlds
            asked = (play.position._replace(seat=view.seat), worlds, 1, [None, rules.action(view.legal[0])], 5)
            assert kernel.play_outs(*asked) == twin.play_outs(*asked)
    assert played


@pytest.mark.parametrize(("kind", "options"), named(structures))
def test_every_structure_is_sampled_and_searched(in_c: Kernel, kind: type[Game], options: dict[str, Any]) -> None:
    """Numbers of players, partners and rules of tricks: each is played by the kernel and by its twin alike."""
    search_everywhere(in_c, kind(options), 2 * EVERY + 1)


@pytest.mark.parametrize(("kind", "options"), named(option_sets))
def test_every_option_set_is_sampled_and_searched(in_c: Kernel, kind: type[Game], options: dict[str, Any]) -> None:
    """Every set is tried with numbers at their bounds, and at more positions."""
    search_everywhere(in_c, kind(options), EVERY)
