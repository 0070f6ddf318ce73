"""Types of an export's JSON files: the manifest, the season, and a line for each table.

`docs/data.md` describes them. IDs are those of the arena that wrote the export.
"""

from typing import Annotated, Any, Final

import msgspec

FORMAT: Final = "arena-export/1"
DONE: Final = "done"
"""State of a table that was played."""

Natural = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Text = Annotated[str, msgspec.Meta(max_length=200)]
Amount = Annotated[float, msgspec.Meta(ge=0, le=1e15)]


class Form(msgspec.Struct, frozen=True):
    """Format of a file, read first: another one may have other fields."""

    format: str


class Scope(msgspec.Struct, frozen=True):
    """Contents of an export: everything, unless a field is set."""

    tournament: int | None = None
    game: str | None = None
    variant: str | None = None


class File(msgspec.Struct, frozen=True):
    """A file of an export."""

    path: str
    """Path within the export, with slashes."""
    rows: Natural
    bytes: Natural
    sha256: Digest


class Version(msgspec.Struct, frozen=True):
    """A version of a bot."""

    id: Positive
    number: Positive
    sha256: Digest
    """Hash of its source, which an export does not contain."""
    size: Natural
    games: list[Text] | None
    created: Amount


class Bot(msgspec.Struct, frozen=True):
    """A bot with all its versions."""

    id: Positive
    name: Text
    owner: Text
    listed: bool
    """Whether leaderboards show it."""
    active_version: Positive | None
    versions: list[Version]


class Entry(msgspec.Struct, frozen=True):
    """An entry of a tournament."""

    number: Natural
    version: Positive
    out: Text | None
    out_after: Natural | None


class Tournament(msgspec.Struct, frozen=True):
    """A tournament and its plan."""

    id: Positive
    name: Text
    variant: Text
    options: dict[str, Any]
    format: Text
    shape: dict[str, Any]
    state: Text
    boards: Positive
    seatings: Text
    entry_rule: Text
    fault_cap: Natural | None
    commitment: Digest
    """Hash of the seed. It identifies the tournament in every arena."""
    seed: Digest | None
    """Seed in hexadecimal; None while it is secret."""
    created: Amount
    started: Amount
    finished: Amount | None
    stage: Natural
    tables: Natural
    """Number of its first tables that the export contains: those that count in ratings."""
    entries: list[Entry]


class Parameters(msgspec.Struct, frozen=True):
    """Rating parameters of a variant from one table on."""

    variant: Text
    since: Natural
    beta: Annotated[float, msgspec.Meta(gt=0, le=1e6)]
    draw_probability: Annotated[float, msgspec.Meta(ge=0, lt=1)]
    tables: Natural
    estimated: Amount


class Rating(msgspec.Struct, frozen=True):
    """Current rating of a version."""

    variant: Text
    version: Positive
    mu: float
    sigma: float
    tables: Natural
    matches: Natural


class Season(Form, frozen=True):
    """Everything but results: bots, tournaments, rating parameters and current ratings."""

    release: Text
    """Release of Suit Arena that wrote it."""
    revision: Text
    """Revision of the database's schema."""
    cut: Amount
    """Time of the snapshot."""
    scope: Scope
    bots: list[Bot]
    tournaments: list[Tournament]
    parameters: list[Parameters]
    ratings: list[Rating]
    outdated: dict[str, Natural]
    """Variants whose ratings were being computed again, and the first table concerned."""


class Manifest(Form, frozen=True):
    """List of the files of an export, written last."""

    release: str
    revision: str
    cut: float
    scope: Scope
    files: list[File]


class Place(msgspec.Struct, frozen=True):
    """A version at a table, and its result there."""

    version: Positive
    half_points: Natural | None
    rank: Positive | None
    faults: Natural


class Seat(msgspec.Struct, frozen=True):
    """Measurements of a seat of a match."""

    version: Positive
    cpu: Amount
    wall: Amount | None
    memory: Natural


class Match(msgspec.Struct, frozen=True):
    """A match: measurements, and its record."""

    id: Positive
    seating: Natural
    cage: Text | None
    finished: Amount
    seats: list[Seat]
    record: msgspec.Raw
    packages: dict[Text, Text] | None = None


class Table(msgspec.Struct, frozen=True):
    """A table: a line of the records."""

    id: Positive
    tournament: Positive
    number: Natural
    stage: Natural
    state: Text
    finished: Amount
    places: list[Place]
    matches: list[Match]


class Rated(msgspec.Struct, frozen=True):
    """Rating of a version after a table."""

    version: int
    mu: float
    sigma: float
    tables: int
    matches: int


class Cut(msgspec.Struct, frozen=True):
    """A table as of the cut, before its matches are read."""

    table: Table
    fence: Natural
    """Number of the attempt whose result counts."""
    variant: Text
    ratings: list[Rated]
    """Ratings after it."""


class Attempt(msgspec.Struct, frozen=True):
    """The matches of a table in one attempt. They never change."""

    table: Positive
    fence: Natural
    matches: list[Match]
