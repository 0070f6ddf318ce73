"""Datasets of matches between bots of graded strength: made part by part, the same bytes on any number of processes.

    arena dataset deals --deals 100000

    tables = load(Path("deals"))          # pyarrow tables, mapped into memory
    tables["moves"].column("action")

A dataset is Parquet for its size; `load` unpacks it once into Arrow files beside it, whose columns are then mapped and
never copied. Needs pyarrow.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from arena.exchange import files, parquet
from arena.exchange.columns import MATCH, SEAT, TABLES, VARIANT, Column, listed
from arena.exchange.lines import File, Form
from arena.games.base import ClockRule
from arena.games.chance import board_rng, bot_seed, derive, table_seed
from arena.games.errors import Refused
from arena.games.registry import rules_of
from arena.match.analysis import deals_of
from arena.match.record import encode
from arena.match.referee import play
from arena.match.replay import verify
from arena.sdk.local import LocalPlayer

FORMAT: Final = "arena-dataset/1"
PART: Final = 2000
"""Number of matches in a part, which one process makes at a time."""
NO_CLOCK: Final = ClockRule(bank=1e6, idle=1e6)
"""Time in which every house bot finishes: they think a fixed number of steps, not for a time."""
RARE: Final = ("search", "regret")
"""Bots that get a seat a twentieth as often as the others: a match with one takes up to a hundred times as long."""
USUAL: Final = 20

COLUMNS: Final[Mapping[str, tuple[Column, ...]]] = {
    "matches": (
        MATCH,
        VARIANT,
        Column("deals", "int16", "Number of deals, hands or rounds that were played to the end."),
        Column("moves", "int32", "Number of its moves."),
    ),
    "cards": TABLES["cards"],
    "seats": (
        MATCH,
        SEAT,
        Column("bot", "text", "Name of the house bot."),
        Column("score", "int32", "Score by the rules."),
        Column("rank", "int8", "Rank; 1 is the best, and equal ranks are ties."),
    ),
    "moves": TABLES["moves"],
}
"""Tables of a dataset, as in an export."""


class Source(msgspec.Struct, frozen=True):
    """A bot that plays."""

    name: str
    file: str
    sha256: str
    games: list[str] | None
    """Games that it plays; None for all."""


class Plan(msgspec.Struct, frozen=True):
    """Everything that the bytes of a dataset follow from."""

    format: str
    release: str
    seed: str
    variants: list[str]
    bots: list[Source]
    part: int
    """Number of matches in a part."""


class Made(msgspec.Struct, frozen=True):
    """A part that is complete."""

    number: int
    deals: int
    files: list[File]


class Manifest(msgspec.Struct, frozen=True):
    """Contents of a dataset, written last."""

    plan: Plan
    deals: int
    matches: int
    files: list[File]


class _Head(msgspec.Struct, frozen=True):
    """Format of a manifest, read first."""

    plan: Form


class Maker(NamedTuple):
    """Makes the parts of a dataset in a folder."""

    folder: Path
    plan: Plan
    sources: Mapping[str, bytes]
    """Source of each bot, by name."""

    def make(self, number: int) -> Made:
        """Play and verify the matches of a part, and write its files, unless that has been done."""
        with _locked(self.folder / "parts", "LOCK_SH"):
            return self._made(number)

    def _made(self, number: int) -> Made:
        note = self.folder / "parts" / f"{number:06}.json"
        if note.exists():
            return msgspec.json.decode(note.read_bytes(), type=Made)
        deals = 0
        with parquet.writer(self.folder / "parquet", self.folder, number, COLUMNS) as (writer, described):
            for match in range(number * self.plan.part, (number + 1) * self.plan.part):
                rows = self.rows(match)
                deals += rows["matches"][0][2]
                writer.write_rows(rows)
        made = Made(number, deals, described)
        with files.written(note) as path:
            path.write_bytes(msgspec.json.encode(made))
        return made

    def rows(self, match: int) -> dict[str, list[Sequence[Any]]]:
        """Play a match, verify its record, and return its rows by table."""
        variant = self.plan.variants[match % len(self.plan.variants)]
        rules = rules_of(variant)
        seed = table_seed(hashlib.sha256(self.plan.seed.encode()).digest(), match)
        bots = self.line_up(rules.id, rules.players, Random(int.from_bytes(derive(seed, "line-up", 0))))
        played = play(
            rules,
            [LocalPlayer(self.sources[bot.name], bot.file, limited=False, captured=True) for bot in bots],
            [bot.name for bot in bots],
            lambda index: rules.draw_board(index, board_rng(seed, index)),
            [bot_seed(seed, 0, seat) for seat in range(rules.players)],
            NO_CLOCK,
        )
        if failed := next((one for one in played.failures if one), None):
            raise Refused(f"match {match}: a bot failed: {failed.fault}")
        verify(encode(played.record))
        return _rows(match, variant, played.record)

    def line_up(self, game: str, seats: int, rng: Random) -> list[Source]:
        """Return a bot for each seat, drawn from those that play the game."""
        able = [bot for bot in self.plan.bots if bot.games is None or game in bot.games]
        if not able:
            raise Refused(f"none of the bots {', '.join(bot.name for bot in self.plan.bots)} plays {game}")
        return rng.choices(able, [1 if bot.name in RARE else USUAL for bot in able], k=seats)


def _rows(match: int, variant: str, record: Mapping[str, Any]) -> dict[str, list[Sequence[Any]]]:
    moves, boards = record["moves"], record["boards"]
    seats = zip((seat["name"] for seat in record["seats"]), record["scores"], record["ranks"], strict=True)
    return {
        "matches": [(match, variant, deals_of(record), len(moves))],
        "cards": [(match, number, *card) for number, board in enumerate(boards) for card in parquet.cards(board)],
        "seats": [(match, seat, *row) for seat, row in enumerate(seats)],
        "moves": [(match, number, *move) for number, move in enumerate(moves)],
    }


@contextmanager
def begun(folder: Path, plan: Plan) -> Iterator[None]:
    """Begin a dataset, or go on with one of the same plan, while no other process does. Raises `Refused`."""
    try:
        with _locked(folder, "LOCK_EX", "LOCK_NB"):
            _check_plan(folder, plan)
            with _locked(folder / "parts", "LOCK_EX"):
                pass  # processes of a command that was killed end a moment after it
            yield
    except BlockingIOError:
        raise Refused(f"another process makes a dataset in {folder}: wait for it, or give another folder") from None


def _check_plan(folder: Path, plan: Plan) -> None:
    path = folder / "plan.json"
    if path.exists():
        if (found := msgspec.json.decode(path.read_bytes(), type=Plan)) != plan:
            other = next(name for name in plan.__struct_fields__ if getattr(found, name) != getattr(plan, name))
            raise Refused(f"{folder} has a dataset with another {other}: give another folder, or the same {other}")
    elif any(folder.iterdir()):
        raise Refused(f"{folder} is not empty and has no dataset: give another folder")
    else:
        with files.written(path) as part:
            part.write_bytes(msgspec.json.format(msgspec.json.encode(plan)))


@contextmanager
def _locked(folder: Path, *operations: str) -> Iterator[None]:
    """Make a folder, and hold a lock of flock(2) on it. Windows, which makes no datasets, has no locks either."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, sum(getattr(fcntl, name) for name in operations))
        yield
    finally:
        os.close(descriptor)


def finish(folder: Path, plan: Plan, parts: Sequence[Made]) -> Manifest:
    """Write the manifest and the card, and delete the parts beyond the last one, which were made ahead."""
    for note in (folder / "parts").glob("*.json"):
        if (number := int(note.stem)) >= len(parts):
            note.unlink()
            for name in COLUMNS:
                parquet.path_of(folder / "parquet", name, number).unlink(missing_ok=True)
    described = [file for one in parts for file in one.files]
    made = Manifest(plan, sum(one.deals for one in parts), len(parts) * plan.part, described)
    for name, text in (("README.md", card(made).encode()), ("manifest.json", msgspec.json.encode(made))):
        with files.written(folder / name) as path:
            path.write_bytes(text)
    return made


def card(made: Manifest) -> str:
    """Return the card of a dataset: what is in it, how it was made, and what it is not good for."""
    size = sum(file.bytes for file in made.files)
    bots = "\n".join(f"- {bot.name}: `{bot.file}`, SHA-256 {bot.sha256}" for bot in made.plan.bots)
    tables = "\n".join(f"\n## `{name}`\n\n{listed(columns)}" for name, columns in COLUMNS.items())
    return f"""# Deals between house bots of Suit Arena

{made.deals:,} deals in {made.matches:,} matches, {size:,} bytes of Parquet. Each record was verified by the rules when
it was made. The same release, seed, variants and bots give the same bytes on any number of processes.

- Release: Suit Arena {made.plan.release}, format {made.plan.format}
- Seed: {made.plan.seed}
- Variants, in turn: {", ".join(made.plan.variants)}
- Licence: that of Suit Arena

Each seat of each match has a bot drawn at random from those that play the game; bots that think for long are drawn less
often. They are of different strength, so moves are not examples of good play: choose by `seats.bot` and `seats.rank`.
Matches are in the order of their numbers, which says nothing about them.

{bots}
{tables}

`manifest.json` has the path, rows, size and SHA-256 of each file.
"""


def load(folder: Path) -> dict[str, Any]:
    """Return the tables of a dataset as pyarrow tables that are mapped into memory. Raises `Refused`.

    The first call unpacks them into `folder`/arrow, part by part; later ones only map the files.
    """
    import pyarrow as pa

    path = folder / "manifest.json"
    if not path.exists():
        raise Refused(f"{folder} has no complete dataset: there is no {path.name}")
    made = _manifest(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    unpacked = folder / "arrow" / digest
    if not unpacked.exists():
        with _locked(folder, "LOCK_EX"):
            if not unpacked.exists():  # another process could have unpacked them meanwhile
                shutil.rmtree(folder / "arrow", ignore_errors=True)
                _unpack(made, folder, unpacked)
    return {name: pa.ipc.open_file(pa.memory_map(str(unpacked / f"{name}.arrow"))).read_all() for name in COLUMNS}


def _manifest(path: Path) -> Manifest:
    """Return the manifest of a dataset that this release can read. Raises `Refused`."""
    found = msgspec.json.decode(path.read_bytes(), type=_Head).plan.format
    if found != FORMAT:
        raise Refused(f"{path} has the format {found!r}; this release reads {FORMAT!r}")
    return msgspec.json.decode(path.read_bytes(), type=Manifest)


def _unpack(made: Manifest, folder: Path, to: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    part = to.with_name(f".{to.name}")
    part.mkdir(parents=True)
    for name in COLUMNS:
        paths = [folder / file.path for file in made.files if re.search(rf"/{name}/", file.path)]
        texts = [column.name for column in COLUMNS[name] if column.type == "text"]
        whole = pa.concat_tables(pq.read_table(path, read_dictionary=texts) for path in paths).unify_dictionaries()
        with pa.ipc.new_file(str(part / f"{name}.arrow"), whole.schema) as writer:
            writer.write_table(whole)
    part.rename(to)
