"""The evidence of a seed: encoding, reading, and the check of its boards and places."""

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
from arena.services.tournaments.evidence import (
    BOARDS_ONLY,
    FORMAT,
    Check,
    Header,
    MatchBoards,
    TableBoards,
    encode,
    read,
)
from arena.tournament.circles import Circles
from arena.tournament.seatings import BOTH, kept
from arena.tournament.tables import kind_of

SEED = bytes(range(32))
SETS, TABLES = 2, 3

Edit = Callable[[dict[str, Any]], object]


def header(variant: str = "suitability-4", seatings: str = "rotations") -> Header:
    """Return the header of a tournament with two sets of boards."""
    chosen = VARIANTS[variant]
    return Header(
        format=FORMAT, tournament=7, name="Spring cup", variant=variant, game=chosen.game,
        options=dict(chosen.options), sets=SETS, seatings=seatings, commitment=commitment(SEED), seed=SEED.hex(),
    )  # fmt: skip


def tables(variant: str = "suitability-4", seatings: str = "rotations") -> Iterator[TableBoards]:
    """Yield its tables, as if each match had used two boards, or fewer if the game needs fewer."""
    rules = game(VARIANTS[variant].game, VARIANTS[variant].options)
    kind = kind_of(rules.teams, 3, seatings)
    circles = Circles(SEED, kept(seatings))
    length = min(2, 2 if rules.max_boards is None else rules.max_boards)
    for number in range(TABLES):
        matches = []
        entries = list(range(kind.places))
        if len(rules.teams) > 1:
            entries = list(circles.seat(number, [*entries[:-1], kind.places + number]))
        for seating, (board_set, order) in enumerate(kind.matches(SETS)):
            drawn = (
                rules.draw_board(index, board_rng(table_seed(SEED, number), index * SETS + board_set))
                for index in range(length)
            )
            boards = list(map(rules.board_to_json, drawn))
            seats = [entries[place] for place in order]
            matches.append(MatchBoards(100 * number + seating, seating, 1, False, boards, seats))
        yield TableBoards(number, kind.places, matches, entries)


def evidence_file(variant: str = "suitability-4", seatings: str = "rotations") -> bytes:
    """Return the file."""
    return b"".join(encode(header(variant, seatings), tables(variant, seatings)))


def differences_in(data: bytes) -> list[str]:
    """Return the lines that the check reports for a file."""
    head, found = read(iter(data.splitlines(keepends=True)))
    return list(Check(head).differences(found))


@pytest.mark.parametrize("seatings", ["rotations", BOTH])
@pytest.mark.parametrize("variant", VARIANTS)
def test_correct_evidence_has_no_differences(variant: str, seatings: str) -> None:
    """All variants can be verified, including solitaires and games without boards, and comparisons, too."""
    assert differences_in(evidence_file(variant, seatings)) == []


def test_file_of_an_older_release_proves_its_boards() -> None:
    """Files of the older format have no seats; files of the current format must have them."""
    document = json.loads(evidence_file())
    document.pop("balanced_from")
    for table in document["tables"]:
        table.pop("entries")
        for match in table["matches"]:
            match.pop("seats")

    assert differences_in(json.dumps(document).encode())[0] == "table 0: it must have 4 different entries"
    document["format"] = BOARDS_ONLY
    assert differences_in(json.dumps(document).encode()) == []
    document["seed"] = "00" * 32
    assert len(differences_in(json.dumps(document).encode())) == 1 + 48


def test_places_from_before_balancing_are_counted_but_not_checked() -> None:
    """Tables of an older release seated entries in ascending order; later tables compensate for them."""
    circles, made = Circles(SEED), []
    for number in range(TABLES):
        entries = list(range(4)) if number == 0 else list(circles.places(number, range(4)))
        circles.add(entries)
        made.append(TableBoards(number, 4, [], entries))
    document = json.loads(b"".join(encode(header(), made)))

    assert len(differences_in(json.dumps({**document, "balanced_from": 0}).encode())) == 1
    assert differences_in(json.dumps({**document, "balanced_from": 1}).encode()) == []


def test_check_counts_tables_matches_and_boards() -> None:
    """The counts show when an empty file proves nothing."""
    check = Check(header())

    assert list(check.differences(tables())) == []
    assert (check.tables, check.matches, check.boards) == (3, 24, 48)


def test_file_is_one_json_object_with_a_line_per_table() -> None:
    """Any JSON parser reads the file, and the check accepts it in any layout."""
    data = evidence_file()
    document = json.loads(data)

    assert data.count(b"\n") == 2 + TABLES
    assert document["seed"] == SEED.hex()
    assert document["tables"][1]["matches"][5]["boards"][0].keys() == {"hands"}
    assert differences_in(json.dumps(document, indent=1, sort_keys=True).encode()) == []
    assert json.loads(b"".join(encode(header(), [])))["tables"] == []


def _swap_two_cards(document: dict[str, Any]) -> None:
    hands = document["tables"][1]["matches"][5]["boards"][1]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (_swap_two_cards, ["table 1, match 105: board 1 is not the one derived from the seed"]),
        (
            lambda d: d.update(commitment="0" * 64),
            [f"the seed's commitment is {commitment(SEED)}, not {'0' * 64}"],
        ),
        (
            lambda d: d["tables"].append({**d["tables"][0], "number": 1, "entries": [], "places": 5}),
            [
                "table 1 comes after table 2: each table must appear once, in order",
                "table 1: it has 5 places; it must have 4",
            ],
        ),
        (lambda d: d["tables"][2].update(places=5), ["table 2: it has 5 places; it must have 4"]),
        (
            lambda d: d["tables"][0]["matches"][3].update(seating=8),
            ["table 0, match 3: its seating is 8; it must be below 8"],
        ),
        (
            lambda d: d["tables"][0]["matches"][3].update(boards=[{}] * 99),
            ["table 0, match 3: it has 99 boards; a match of this game has at most 4"],
        ),
        (
            lambda d: d["tables"][2].update(entries=[2, 2, 1, 5]),
            ["table 2: it must have 4 different entries"],
        ),
        (
            lambda d: d["tables"][1]["matches"][5].update(seats=[9, 9, 9, 9]),
            ["table 1, match 105: its entries by seat are [9, 9, 9, 9]; they must be [0, 1, 2, 5]"],
        ),
        (
            lambda d: d["tables"][0]["matches"][0].update(boards=["garbage"]),
            ["table 0, match 0: board 0 is not the one derived from the seed"],
        ),
    ],
)
def test_each_difference_from_the_seed_is_reported(edit: Edit, expected: list[str]) -> None:
    """Each difference is one line that names its table, match or board."""
    document = json.loads(evidence_file())
    edit(document)

    assert differences_in(json.dumps(document).encode()) == expected


def test_another_seed_gives_other_boards_and_places() -> None:
    """Another seed does not match any board, most places, or the commitment."""
    document = json.loads(evidence_file())
    document["seed"] = "00" * 32
    found = differences_in(json.dumps(document).encode())

    assert sum("board" in line for line in found) == 48
    assert 1 <= sum("by place" in line for line in found) <= TABLES
    assert "the seed's commitment" in found[0]


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda d: d.update(seed=None), "Expected `str`, got `null` - at `$.seed`"),
        (lambda d: d.update(seed="00"), "seed must be 64 hexadecimal digits"),
        (lambda d: d.update(seed="é" * 64), "seed must be 64 hexadecimal digits"),
        (lambda d: d.pop("sets"), "missing required field `sets`"),
        (lambda d: d.update(sets=0), "Expected `int` >= 1 - at `$.sets`"),
        (
            lambda d: d.update(format="arena-seed/3", sets="1 of 2"),
            "format must be 'arena-seed/2' or 'arena-seed/1', not 'arena-seed/3'",
        ),
        (lambda d: d.update(seatings="none"), "seatings must be one of rotations, all, single, both, not 'none'"),
        (lambda d: d.update(game="bridge"), "there is no game 'bridge'"),
        (lambda d: d.update(options={"players": []}), "players cannot be []"),
        (lambda d: d.update(tables={}), "Expected `array`, got `object`"),
        (lambda d: d["tables"][1].update(number=-1), "Expected `int` >= 0"),
    ],
)
def test_invalid_file_is_rejected_with_a_reason(edit: Edit, sentence: str) -> None:
    """The error says what is wrong and what is allowed, in either layout of the file."""
    document = json.loads(evidence_file())
    edit(document)
    for data in (json.dumps(document), json.dumps(document).replace(', "tables": [', ',"tables":[\n', 1)):
        with pytest.raises(ArenaError) as error:
            differences_in(data.replace('}, {"number"', '},\n{"number"').encode())
        assert sentence in str(error.value)


def test_truncated_file_is_rejected() -> None:
    """A file cut off between two tables is rejected, too, because it proves only a part of the tables."""
    lines = evidence_file().splitlines(keepends=True)

    with pytest.raises(RecordError, match="the file is cut off"):
        differences_in(b"".join(lines[:3]))
    with pytest.raises(RecordError, match="line 3 does not match arena-seed/2"):
        differences_in(b"".join(lines[:2]) + lines[2][:40])


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_garbage_raises_only_arena_errors(rng: random.Random, nested: bool) -> None:
    """Files with bytes changed, removed or inserted, and files of brackets, are checked or rejected as usual."""
    data = bytearray(b"[" * 20_000 if nested else evidence_file())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        data[at : at + rng.randint(0, 3)] = bytes(rng.randrange(256) for _ in range(rng.randint(0, 3)))
    try:
        differences_in(bytes(data))
    except ArenaError:
        return


def test_changed_places_of_a_table_are_reported() -> None:
    """The matches of the table agree with its places, but the places do not follow from the seed."""
    document = json.loads(evidence_file())
    entries = document["tables"][0]["entries"]
    other = [entries[1], entries[0], *entries[2:]]
    document["tables"][0]["entries"] = other
    for match in document["tables"][0]["matches"]:
        match["seats"] = [other[entries.index(entry)] for entry in match["seats"]]

    assert f"table 0: its entries by place are {other}; they must be {entries}" in differences_in(
        json.dumps(document).encode()
    )


def test_empty_file_is_rejected() -> None:
    """Empty files, empty objects and other minimal inputs are rejected."""
    for data in (b"", b"\n", b"{}", b'{,"tables":[', b"null", bytes(range(256))):
        with pytest.raises(RecordError):
            differences_in(data)
