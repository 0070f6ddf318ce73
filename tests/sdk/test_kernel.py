"""The kernel for playouts: C, its twin in Python and the rules give the same points."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hatch_build
from arena.games.base import OVER, Game, State
from arena.games.playouts import (
    CARDS,
    GROUPS,
    KINDS,
    NODES,
    OWED,
    PARTS,
    ROUNDS,
    SEATS,
    SUITS,
    TALLIES,
    TRICKS,
    Knowledge,
    TrickPlay,
)
from arena.games.registry import VARIANTS, rules_of
from arena.games.suits_barnhart import SuitsBarnhartState
from arena.sdk import kernel
from arena.sdk.kernel import compiled, twin
from arena.sdk.kernel.checks import ROWS
from arena.sdk.kernel.compiled import Kernel
from arena.sdk.kernel.stream import Stream
from arena.sdk.kernel.sums import Sums

PLAYED = [
    "suitability-2", "suitability-3", "suitability-4-partners", "suitability-5", "suit-yourself", "suits-barnhart-4",
    "suits-barnhart-solitaire", "suits-steere-3", "separate-suits-4-split",
]  # fmt: skip
"""Variants that the kernel plays, one for each set of rules."""


def positions(rules: Game, seed: int) -> Iterator[State]:
    """Yield the positions with a choice in the first deal of a random match that the kernel can begin with."""
    rng, state = Random(seed), rules.start()
    if state.seat < 0:
        state.deal(rules.draw_board(0, rng))
    for _ in range(200):
        if state.seat < 0:
            break
        legal = state.legal(state.seat)
        if state.trick_play() and len(legal) > 1:
            yield state
        state.apply(rng.choice(legal))


@cache
def some_positions(variant: str) -> list[State]:
    """Return copies of the positions of two deals."""
    return [state.clone() for seed in (1, 2) for state in positions(rules_of(variant), seed)]


def move(state: State, action: int, stream: Stream) -> None:
    """Apply an action. The kernel draws a number for each card that a dummy flips, too."""
    flipped = flips(state)
    state.apply(action)
    for _ in range(flips(state) - flipped):
        stream.next()


def flips(state: State) -> int:
    """Return the number of cards that dummies have flipped in this hand."""
    return sum(13 - size for size in state.piles()[state.players :]) if isinstance(state, SuitsBarnhartState) else 0


def by_rules(state: State, action: int | None, stream: Stream) -> list[int]:
    """Return the points of a playout that is played by the rules."""
    before, finished, state = state.scores(), state.finished, state.clone()
    if action is not None:
        move(state, action, stream)
    while state.finished == finished:
        legal = state.legal(state.seat)
        move(state, legal[stream.below(len(legal))], stream)
    return [after - earlier for after, earlier in zip(state.scores(), before, strict=True)]


@pytest.mark.parametrize("variant", PLAYED)
@settings(max_examples=12, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_c_and_python_and_the_rules_agree(in_c: Kernel, variant: str, data: st.DataObject, seed: int) -> None:
    """From any position, each action gets the same points in C, in Python and by the rules, with the same luck."""
    state = data.draw(st.sampled_from(some_positions(variant)))
    play = state.trick_play()
    assert play is not None
    actions = [None, *state.legal(state.seat)[:3]]
    worlds = [play.world, play.world]
    points = [
        [
            [*map(sum, zip(*(by_rules(state, action, Stream(seed, n)) for n in pair), strict=True))]
            for pair in ((3, 4), (5, 6))
        ]
        for action in actions
    ]
    expected = [Sums.none(state.game.players).plus(one).plus(two) for one, two in points]

    sums = twin.play_outs(play.position, worlds, 2, actions, seed, 3)
    assert [each.of_first(state.game.players) for each in sums] == expected
    assert in_c.play_outs(play.position, worlds, 2, actions, seed, 3) == sums

    rows = ROWS * play.position.tables.seats
    drawn = data.draw(st.binary(min_size=CARDS * rows, max_size=CARDS * rows))
    weights = tuple(tuple((0, 1, 7, 65535)[byte % 4] for byte in drawn[CARDS * row :][:CARDS]) for row in range(rows))
    asked = (play.position, worlds, 2, actions, seed, 3, weights)
    assert in_c.play_outs(*asked) == twin.play_outs(*asked)


@pytest.mark.parametrize("variant", PLAYED)
def test_c_and_python_deal_the_same_worlds(in_c: Kernel, variant: str) -> None:
    """Known cards stay, every unseen card is dealt, and C and Python agree."""
    for state in some_positions(variant):
        play = state.trick_play()
        assert play is not None
        unseen = state.game.unseen(state.view(state.seat))
        knowledge = Knowledge.of(play, unseen)
        worlds = twin.deal(knowledge, 3, 7, 5)

        assert [*in_c.deal(knowledge, 3, 7, 5)] == worlds
        assert [*in_c.deal(knowledge, 3, 7, 4)][1:] == worlds[:2]
        for world in worlds:
            assert len(knowledge.plan.nodes) == 0 or world != knowledge.world
            assert (
                Knowledge.of(TrickPlay(play.position, world), state.game.unseen(state.view(state.seat))).world
                == knowledge.world
            )


def test_machines_without_fast_instruction_give_the_same(library: Path, tmp_path: Path) -> None:
    """Without pdep, which not every processor has, the points are the same."""
    source = tmp_path / "kernel.c"
    source.write_text(compiled.SOURCE.read_text().replace("__x86_64__", "ANOTHER_PROCESSOR"))
    assert hatch_build.compile_kernel(source, tmp_path / "kernel.bin") == ""
    portable = Kernel(tmp_path / "kernel.bin", source)

    for variant in ("suitability-5", "suits-barnhart-4"):
        state = some_positions(variant)[0]
        play = state.trick_play()
        assert play is not None
        asked = (play.position, [play.world], 20, [None], 1)
        assert portable.play_outs(*asked) == Kernel(library).play_outs(*asked)


@pytest.mark.parametrize("variant", VARIANTS)
def test_kernel_plays_what_it_can(variant: str) -> None:
    """Tables exist in play of every game of tricks, never at the end, and fit the kernel."""
    rules = rules_of(variant)
    state = next(positions(rules, 3), None)

    assert rules.max_boards == 0 or rules.start().trick_play() is None
    play = state and state.trick_play()
    assert play
    tables = play.position.tables
    assert max(len(tables.after), len(tables.power), len(tables.owed)) <= NODES
    assert max(map(len, tables.after)) <= SUITS
    assert max(map(len, tables.owed)) <= OWED
    assert max(map(len, tables.points), default=0) <= TALLIES
    assert len(tables.suits) <= CARDS
    assert tables.seats <= SEATS
    assert play.position.tricks <= TRICKS


def test_sizes_are_those_of_c() -> None:
    """The limits in Python and in C are the same numbers."""
    limits = {"SEATS": SEATS, "CARDS": CARDS, "NODES": NODES, "SUITS": SUITS, "OWED": OWED, "TALLIES": TALLIES}
    limits |= {"TRICKS": TRICKS, "ROUNDS": ROUNDS, "PARTS": PARTS, "GROUPS": GROUPS, "KINDS": KINDS}
    text = compiled.SOURCE.read_text()

    assert all(f"{name} = {limit}," in text for name, limit in limits.items())
    playouts, rows = text.split("/* Many deals side by side")
    assert len(playouts.splitlines()) <= 380
    assert len(rows.splitlines()) <= 170


def test_missing_library_is_explained(tmp_path: Path, library: Path) -> None:
    """A library that is missing, or of another system or source, is not loaded, and the reason is given."""
    other, foreign = tmp_path / "kernel.c", tmp_path / "foreign.bin"
    other.write_text("")
    foreign.write_bytes(b"MZ")

    with pytest.raises(OSError, match="it has not been built"):
        Kernel(tmp_path / "kernel.bin")
    with pytest.raises(OSError, match=r"foreign\.bin"):
        Kernel(foreign)
    with pytest.raises(OSError, match=r"it was built from another kernel\.c"):
        Kernel(library, other)


def test_arena_uses_the_library_if_it_is_there() -> None:
    """Without the library the twin plays, and the reason is known."""
    assert (kernel.play_outs is twin.play_outs) == (kernel.deal is twin.deal) == bool(kernel.MISSING)
    assert kernel.load(Path("/nowhere/kernel.bin")) == (twin.deal, twin.play_outs, "it has not been built")


def test_build_without_compiler_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler, or with one that fails, an old library goes and the reason is returned."""
    old = tmp_path / "kernel.bin"
    for compiler, reason in (("no-such-compiler", "there is no C compiler"), ("false", "false failed: ")):
        old.write_bytes(b"")
        monkeypatch.setenv("CC", compiler)
        monkeypatch.setattr(hatch_build, "find_spec", lambda name: None)

        assert hatch_build.compile_kernel(compiled.SOURCE, old) == reason
        assert not old.exists()


def test_stream_is_pcg32() -> None:
    """The numbers are those of the published generator, from the state and increment of each stream."""
    stream = Stream(0, 0)
    assert stream.state == 0xE220A8397B1DCDAF  # first output of SplitMix64 with seed 0

    numbers = Counter(Stream(7, number).below(6) for number in range(3000))
    assert sorted(numbers) == list(range(6))
    assert sum((count - 500) ** 2 / 500 for count in numbers.values()) < 20


def test_numbers_below_are_unbiased() -> None:
    """A number that would be too likely is drawn again."""
    stream = Stream(1, 1)
    wide = 3 << 30  # a quarter of all draws are repeated
    low = sum(stream.below(wide) < 1 << 30 for _ in range(1500))

    assert 430 < low < 570


def test_error_counts_worlds() -> None:
    """The error is that of the mean over worlds; a single world has none."""
    sums = Sums.none(2).plus([1, 0])
    assert sums.error([1, 1]) == float("inf")

    sums = sums.plus([3, 4])
    assert sums.mean([1, 0]) == 2
    assert sums.error([1, 0]) == 1
    assert sums.mean([1, -1]) == 0
    assert sums.error([1, -1]) == 1
    assert sums == Sums.none(2).plus([3, 4]).together(Sums.none(2).plus([1, 0]))


def test_playouts_end_a_deal() -> None:
    """The positions above are in play, so no test here is empty."""
    assert all(some_positions(variant) for variant in PLAYED)
    assert all(state.seat != OVER for variant in PLAYED for state in some_positions(variant))
