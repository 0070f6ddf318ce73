"""Imports of bare match records: verified, grouped into tables, and added like the tables of an export.

A record says neither when it was played nor in which tournament, and names bots without their versions. So its time
is that of the import, its tournament is new, and its bots are imported ones, known by their names.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple

import msgspec
from sqlalchemy import BigInteger, Select, case, cast, func, select

from arena.db.clock import now
from arena.db.models import Match, MatchSeat, Table, Tournament
from arena.exchange import lines
from arena.games.errors import ArenaError, RecordError
from arena.games.registry import VARIANTS, rules_of
from arena.match.record import is_of, pack, parse, unpack
from arena.match.replay import REQUIRED, verify
from arena.services.base.context import Arena
from arena.services.base.names import is_name
from arena.services.base.states import TableState, TournamentState
from arena.services.base.times import moment
from arena.services.exchange import archives, imports
from arena.services.exchange.archives import Found
from arena.services.exchange.checks import Played
from arena.services.exchange.groups import Group, Head, groups
from arena.services.exchange.imports import Progress, Report
from arena.services.exchange.reading import Complaint, Line
from arena.services.formats.round_robin import RoundRobin
from arena.tournament.tables import kind_of

SCANNED: Final = 5_000
"""Number of matches that are looked through in one transaction for records that are here already."""
EXTRAS: Final = ("result", "dummy_scores")
"""Keys of solitaire records beside the required ones. All other keys are dropped."""

Record = dict[str, Any]


class Kept(NamedTuple):
    """A verified record, which lies in a temporary file."""

    where: str
    digest: bytes
    head: Head
    scores: int
    """Mixed scores of its seats."""
    offset: int
    size: int


def import_records(arena: Arena, paths: Sequence[Path], progress: Progress = lambda done, total: None) -> Report:
    """Add the records in these files, folders and archives that are not here yet, and rate their tables."""
    report = Report()
    with TemporaryFile() as spool:
        found = (one for path in paths for one in archives.found(path, report.problems.append))
        read = list(_verified(found, spool, report.problems.append))
        new = _new(arena, read)
        report.known = len(read) - len(new)
        if tables := _grouped(new, report.problems.append):
            made = _Season(arena, new, tables)
            origin = f"match records, {moment(made.time):%Y-%m-%d %H:%M} UTC"
            what = ", ".join(map(str, paths))
            imports.run(arena, made.season(), origin, what, lambda _: made.tables(spool), report, progress)
    return report


def digest(record: Record) -> bytes:
    """Return a hash of everything in a verified record that its bots decided or were dealt, and of their names.

    The order of cards in a hand, further keys, and details of faults do not change it.
    """
    rules = rules_of(_variant(record))
    boards = [rules.board_to_json(rules.board_from_json(*board)) for board in enumerate(record["boards"])]
    faults = sorted((fault["seat"], fault["move"], fault["kind"]) for fault in record["faults"])
    names = [seat["name"] for seat in record["seats"]]
    said = [record["game"], record["options"], names, boards, record["moves"], faults]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()


def _verified(found: Iterable[Found], spool: IO[bytes], complain: Complaint) -> Iterator[Kept]:
    """Verify each file, and yield it once it is in the spool."""
    for file in found:
        try:
            verify(file.data)
            record = _plain(parse(file.data))
            kept = digest(record), _head(record), _mixed(record["scores"])
        except ArenaError as error:
            complain(f"{file.where}: {error}")
            continue
        packed = pack(record)
        yield Kept(file.where, *kept, spool.tell(), len(packed))
        spool.write(packed)


def _plain(record: Record) -> Record:
    """Return a record without further keys, which nobody has verified."""
    known = {key: record[key] for key in (*REQUIRED, "revision", *EXTRAS) if key in record}
    faults = [{key: fault[key] for key in ("seat", "move", "kind")} for fault in record["faults"]]
    return {**known, "seats": [{"name": seat["name"]} for seat in record["seats"]], "faults": faults}


def _variant(record: Record) -> str:
    """Return the variant with the options of a record. Raises `RecordError` if there is none."""
    for id in VARIANTS:
        if is_of(record, rules_of(id)):
            return id
    raise RecordError("its options are those of no variant that is rated here")


def _head(record: Record) -> Head:
    """Return what decides about the table of a verified record. Raises `RecordError` if it cannot be rated."""
    variant = _variant(record)
    teams = rules_of(variant).teams
    names = [seat["name"] for seat in record["seats"]]
    bots = tuple(names[seats[0]] for seats in teams)
    if len(set(bots)) < len(bots):
        raise RecordError(f"one bot plays against itself, which is not rated: {archives.printable(', '.join(bots))}")
    if any(names[seat] != names[seats[0]] for seats in teams for seat in seats):
        raise RecordError("partners must be the same bot")
    deals = record["boards"] if len(teams) == 1 else record["boards"][:1]
    return Head(variant, hashlib.sha256(json.dumps(deals, sort_keys=True).encode()).digest(), bots)


def _new(arena: Arena, read: Sequence[Kept]) -> list[Kept]:
    """Return the records that are not here, each once."""
    fresh = {one.digest: one for one in reversed(read)}
    for known in _known(arena, {one.head.variant for one in read}, {one.scores for one in read}):
        fresh.pop(known, None)
    return [one for one in read if fresh.get(one.digest) is one]


def _known(arena: Arena, variants: set[str], scores: set[int]) -> Iterator[bytes]:
    """Yield the digests of matches here in these variants with one of these mixed scores. No others are unpacked."""
    with arena.reading() as session:
        newest = session.scalar(select(func.max(Match.id))) or 0
    for first in range(1, newest + 1, SCANNED):
        with arena.reading() as session:
            alike = [match for match, mixed in session.execute(_scores(first)) if mixed in scores]
            of = select(Match.record).join(Table).join(Tournament)
            packed = session.scalars(of.where(Match.id.in_(alike), Tournament.variant.in_(variants))).all()
        yield from (digest(unpack(one)) for one in packed)


def _scores(first: int) -> Select[int, int]:
    """Select the mixed scores of the next matches. The database mixes: fetching each seat takes ten times as long."""
    seats = max(rules_of(id).players for id in VARIANTS)
    weights = {seat: cast(_weight(seat), BigInteger) for seat in range(seats)}
    mixed = func.sum(MatchSeat.score * case(weights, value=MatchSeat.seat))
    these = MatchSeat.match_id.between(first, first + SCANNED - 1)
    return select(MatchSeat.match_id, mixed).where(these).group_by(MatchSeat.match_id)


def _mixed(scores: Iterable[int]) -> int:
    """Return one number for the scores of all seats, which different scores rarely share."""
    return sum(score * _weight(seat) for seat, score in enumerate(scores))


def _weight(seat: int) -> int:
    weight: int = 101**seat
    return weight


def _grouped(new: Sequence[Kept], complain: Complaint) -> list[Group]:
    """Return the tables of these records, and complain about each record without one."""
    made = groups([one.head for one in new])
    used = {number for group in made for number in group.matches}
    for number, one in enumerate(new):
        if number not in used:
            complain(f"{one.where}: no other bot plays its boards, so there is nothing to compare")
    return made


class _Season:
    """Tables made of records, in the form of an export."""

    def __init__(self, arena: Arena, new: Sequence[Kept], made: Sequence[Group]) -> None:
        with arena.reading() as session:
            self.time = session.scalars(select(now())).one()
        self._new = new
        self._made = made
        self._versions = {name: id for id, name in enumerate(sorted({name for one in made for name in one.bots}), 1)}
        self._tournaments: dict[tuple[str, str], list[Group]] = defaultdict(list)
        for one in made:
            self._tournaments[one.variant, one.mode].append(one)

    def season(self) -> lines.Season:
        """Return the season without its tables."""
        tournaments = [self._tournament(id, own) for id, own in enumerate(self._tournaments.values(), 1)]
        bots = [_bot(name, id, self.time) for name, id in self._versions.items()]
        return lines.Season(
            lines.FORMAT, "", "", self.time, lines.Scope(), bots, tournaments, parameters=[], ratings=[], outdated={}
        )

    def tables(self, spool: IO[bytes]) -> Iterator[tuple[Line, list[Played]]]:
        """Yield the tables with their matches, which lie in the spool."""
        ids = {key: id for id, key in enumerate(self._tournaments, 1)}
        numbers = dict.fromkeys(ids, 0)
        for id, group in enumerate(self._made, 1):
            key = group.variant, group.mode
            yield self._table(id, ids[key], numbers[key], group, [self._record(spool, one) for one in group.matches])
            numbers[key] += 1

    def _record(self, spool: IO[bytes], number: int) -> tuple[Record, bytes]:
        kept = self._new[number]
        spool.seek(kept.offset)
        packed = spool.read(kept.size)
        return unpack(packed), packed

    def _table(
        self, id: int, tournament: int, number: int, group: Group, records: Sequence[tuple[Record, bytes]]
    ) -> tuple[Line, list[Played]]:
        kind = kind_of(rules_of(group.variant).teams, len(group.bots), group.mode)
        versions = [self._versions[bot] for bot in group.bots]
        result = kind.result([record for record, _ in records])
        places = [lines.Place(version, *found) for version, found in zip(versions, result, strict=True)]
        played = [
            Played(self._match(seating, [versions[place] for place in sitting]), record, packed)
            for seating, (sitting, (record, packed)) in enumerate(zip(kind.seatings(), records, strict=True))
        ]
        table = lines.Table(id, tournament, number, 0, TableState.DONE, self.time, places, [])
        return Line(self._new[group.matches[0]].where, table), played

    def _match(self, seating: int, versions: Sequence[int]) -> lines.Match:
        """Return a match without measurements, and without its record."""
        seats = [lines.Seat(version, 0.0, None, 0) for version in versions]
        return lines.Match(seating + 1, seating, None, self.time, seats, msgspec.Raw(b""))

    def _tournament(self, id: int, own: Sequence[Group]) -> lines.Tournament:
        variant, mode = own[0].variant, own[0].mode
        bots = sorted({self._versions[name] for group in own for name in group.bots})
        digests = b"".join(self._new[number].digest for group in own for number in group.matches)
        return lines.Tournament(
            id=id, name="Imported records", variant=variant, options=dict(rules_of(variant).options),
            format=RoundRobin.id, shape={"rounds": 1}, state=TournamentState.FINISHED, boards=1, seatings=mode,
            entry_rule="chosen", fault_cap=None, commitment=hashlib.sha256(digests).hexdigest(), seed=None,
            created=self.time, started=self.time, finished=self.time, stage=1, tables=len(own),
            entries=[lines.Entry(number, version, None, None) for number, version in enumerate(bots)],
        )  # fmt: skip


def _bot(name: str, id: int, time: float) -> lines.Bot:
    """Return a bot with one version, whose hash is that of the name, because its source is unknown."""
    plain = name if is_name(name) else f"{re.sub('[^A-Za-z0-9._-]', '-', name)[:28]:-<3}"
    known_by = hashlib.sha256(f"name of a bot in a record: {name}".encode(errors="surrogatepass")).hexdigest()
    return lines.Bot(id, plain, "", True, id, [lines.Version(id, 1, known_by, 0, None, time)])
