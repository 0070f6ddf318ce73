"""The evidence of a seed: written and read table by table, and checked board by board."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.chance import board_rng, commitment, table_seed
from arena.games.errors import ArenaError, RecordError
from arena.games.registry import VARIANTS, game
from arena.services.evidence import FORMAT, Check, Header, MatchBoards, TableBoards, encode, read
from arena.tournament.tables import kind_of

SEED = bytes(range(32))
SETS, TABLES = 2, 3

Edit = Callable[[dict[str, Any]], object]


def header(variant: str = "suitability-4") -> Header:
    """Of a tournament on two sets of boards."""
    chosen = VARIANTS[variant]
    return Header(
        format=FORMAT, tournament=7, name="Spring cup", variant=variant, game=chosen.game,
        options=dict(chosen.options), sets=SETS, seatings="rotations", commitment=commitment(SEED), seed=SEED.hex(),
    )  # fmt: skip


def tables(variant: str = "suitability-4") -> Iterator[TableBoards]:
    """Its tables, as if each match had taken two boards (or as many as there can be)."""
    rules = game(VARIANTS[variant].game, VARIANTS[variant].options)
    kind = kind_of(rules.teams, 3)
    length = min(2, 2 if rules.max_boards is None else rules.max_boards)
    for number in range(TABLES):
        matches = []
        for seating, (board_set, _) in enumerate(kind.matches(SETS)):
            drawn = (
                rules.draw_board(index, board_rng(table_seed(SEED, number), index * SETS + board_set))
                for index in range(length)
            )
            boards = list(map(rules.board_to_json, drawn))
            matches.append(MatchBoards(100 * number + seating, seating, 1, False, boards))
        yield TableBoards(number, kind.places, matches)


def written(variant: str = "suitability-4") -> bytes:
    """The file."""
    return b"".join(encode(header(variant), tables(variant)))


def wrongs(data: bytes) -> list[str]:
    """What the check says of a file."""
    told, read_tables = read(iter(data.splitlines(keepends=True)))
    return list(Check(told).differences(read_tables))


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_honest_tournament_has_no_differences(variant: str) -> None:
    """In every variant, solitaires and games without boards included."""
    assert wrongs(written(variant)) == []


def test_the_check_counts_what_it_looked_at() -> None:
    """So that nobody takes an empty file for a proof."""
    check = Check(header())

    assert list(check.differences(tables())) == []
    assert (check.tables, check.matches, check.boards) == (3, 24, 48)


def test_the_file_is_one_json_object_with_a_line_for_each_table() -> None:
    """Other programs read it as a whole, this one line by line; both see the same, however it is laid out."""
    data = written()
    document = json.loads(data)

    assert data.count(b"\n") == 2 + TABLES
    assert document["seed"] == SEED.hex()
    assert document["tables"][1]["matches"][5]["boards"][0].keys() == {"hands"}
    assert wrongs(json.dumps(document, indent=1, sort_keys=True).encode()) == []
    assert json.loads(b"".join(encode(header(), [])))["tables"] == []


def _swap_two_cards(document: dict[str, Any]) -> None:
    hands = document["tables"][1]["matches"][5]["boards"][1]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (_swap_two_cards, ["table 1, match 105: board 1 is not the one that the seed gives"]),
        (
            lambda d: d.update(commitment="0" * 64),
            [f"the seed's commitment is {commitment(SEED)}, not {'0' * 64}"],
        ),
        (
            lambda d: d["tables"].append(d["tables"][0]),
            ["table 0 comes after table 2: each must be there once, in order"],
        ),
        (lambda d: d["tables"][2].update(places=5), ["table 2: 5 bots sit there; it must be 4"]),
        (
            lambda d: d["tables"][0]["matches"][3].update(seating=8),
            ["table 0, match 3: it is number 8 of 8, counted from 0"],
        ),
        (
            lambda d: d["tables"][0]["matches"][3].update(boards=[{}] * 99),
            ["table 0, match 3: it has 99 boards; 4 is the most that the game can need"],
        ),
        (
            lambda d: d["tables"][0]["matches"][0].update(boards=["garbage"]),
            ["table 0, match 0: board 0 is not the one that the seed gives"],
        ),
    ],
)
def test_whatever_does_not_follow_from_the_seed_is_a_line(edit: Edit, expected: list[str]) -> None:
    """One difference, one line that says where."""
    document = json.loads(written())
    edit(document)

    assert wrongs(json.dumps(document).encode()) == expected


def test_another_seed_gives_other_boards() -> None:
    """Every single one of them, and the commitment."""
    document = json.loads(written())
    document["seed"] = "00" * 32

    assert len(wrongs(json.dumps(document).encode())) == 1 + 48


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda d: d.update(seed=None), "Expected `str`, got `null` - at `$.seed`"),
        (lambda d: d.update(seed="00"), "seed must be 64 hexadecimal digits"),
        (lambda d: d.update(seed="é" * 64), "seed must be 64 hexadecimal digits"),
        (lambda d: d.pop("sets"), "missing required field `sets`"),
        (lambda d: d.update(sets=0), "Expected `int` >= 1 - at `$.sets`"),
        (lambda d: d.update(format="arena-seed/2"), "format must be 'arena-seed/1', not 'arena-seed/2'"),
        (lambda d: d.update(seatings="none"), "seatings must be one of rotations, all, single, not 'none'"),
        (lambda d: d.update(game="bridge"), "there is no game 'bridge'"),
        (lambda d: d.update(options={"players": []}), "players cannot be []"),
        (lambda d: d.update(tables={}), "Expected `array`, got `object`"),
        (lambda d: d["tables"][1].update(number=-1), "Expected `int` >= 0"),
    ],
)
def test_a_file_that_is_none_is_a_sentence(edit: Edit, sentence: str) -> None:
    """It says what is wrong and what is allowed, laid out in either way."""
    document = json.loads(written())
    edit(document)
    for data in (json.dumps(document), json.dumps(document).replace(', "tables": [', ',"tables":[\n', 1)):
        with pytest.raises(ArenaError) as error:
            wrongs(data.replace('}, {"number"', '},\n{"number"').encode())
        assert sentence in str(error.value)


def test_a_file_that_was_cut_off_is_noticed() -> None:
    """Between two tables, too: a part of the tables is no proof."""
    lines = written().splitlines(keepends=True)

    with pytest.raises(RecordError, match="the file is cut off"):
        wrongs(b"".join(lines[:3]))
    with pytest.raises(RecordError, match="line 3 is not as arena-seed/1 says"):
        wrongs(b"".join(lines[:2]) + lines[2][:40])


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_no_garbage_makes_it_stumble(rng: random.Random, nested: bool) -> None:
    """Bytes changed, cut out or doubled, or nothing but brackets: a sentence, or an honest answer."""
    data = bytearray(b"[" * 20_000 if nested else written())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        data[at : at + rng.randint(0, 3)] = bytes(rng.randrange(256) for _ in range(rng.randint(0, 3)))
    try:
        wrongs(bytes(data))
    except ArenaError:
        return


def test_nothing_at_all_is_no_evidence() -> None:
    """An empty file, an empty line, an empty object."""
    for data in (b"", b"\n", b"{}", b'{,"tables":[', b"null", bytes(range(256))):
        with pytest.raises(RecordError):
            wrongs(data)
