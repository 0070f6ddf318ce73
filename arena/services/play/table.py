"""A table: what is needed to play it, its result, and the play of all its matches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from arena.games.base import Game
from arena.games.chance import bot_seed, set_rng
from arena.match.record import pack
from arena.services.base.states import INSECURE
from arena.services.play.seats import BotCage, PlayMatch, Sitter, columns, seat_and_play
from arena.tournament.tables import Kind, kind_of


class Deal(NamedTuple):
    """A set of boards of another tournament's table, which every table of a trial plays."""

    match: int
    """ID of a match that was played on it."""
    seed: str
    """Seed of the table, in hexadecimal."""
    board_set: int
    """Number of the set of boards at that table."""
    sets: int
    """Number of sets of boards at that table."""

    @classmethod
    def of(cls, shape: Mapping[str, Any]) -> Self | None:
        """Return the deal that a shape asks for; None if each table has its own."""
        stored = shape.get("deal")
        return cls(**stored) if stored else None


@dataclass(frozen=True)
class Work:
    """Everything needed to play a table."""

    tournament: int
    """ID of the tournament."""
    variant: str
    rules: Game
    boards: int
    """Number of sets of boards; each is played once per seating."""
    seatings: str
    """Mode of seating: a key of `arena.tournament.seatings.MODES`."""
    seed: bytes
    """Seed of the table; empty if it was imported while the tournament's seed was secret."""
    places: Sequence[Sitter]
    """Bots by place."""
    urgent: bool = False
    """Whether it takes precedence over routine tables."""
    deal: Deal | None = None
    """Boards of another table that are played again; None for boards from its own seed."""

    @property
    def kind(self) -> Kind:
        """Kind of the table: its seatings, and how match points are counted."""
        return kind_of(self.rules.teams, len(self.places), self.seatings)


class PlayedMatch(NamedTuple):
    """A match, ready to be stored."""

    record: bytes
    """Packed record."""
    seats: Sequence[Mapping[str, Any]]
    """Columns of `MatchSeat` by seat, except the match ID."""
    cage: str | None
    """Level of the cage in which it was played; None if not known."""
    packages: Mapping[str, str] | None = None
    """Versions of Python and of the packages that its bots could import, by name; None if not known."""
    finished: float | None = None
    """Time of its end, in seconds since 1970; None for the time at which it is stored."""


class TableResult(NamedTuple):
    """Result of a table."""

    matches: Sequence[PlayedMatch]
    """Matches in the order of seatings."""
    half_points: Sequence[int]
    """Half match points by place."""
    ranks: Sequence[int]
    """Ranks by place, 1 is the best."""
    faults: Sequence[int]
    """Numbers of matches with a fault, by place."""

    @property
    def insecure(self) -> bool:
        """Whether a match was played without a full cage."""
        return any(match.cage == INSECURE for match in self.matches)


def play_work(
    work: Work, cage: BotCage, heartbeat: Callable[[], None] = lambda: None, play: PlayMatch = seat_and_play
) -> TableResult:
    """Play all matches of a table. Raises `ArenaFault` and any error of `heartbeat`."""
    matches, records = [], []
    kind = work.kind
    for match, (board_set, seating) in enumerate(kind.matches(work.boards)):
        sitters = [work.places[place] for place in seating]
        seeds = [bot_seed(work.seed, kind.luck(match), seat) for seat in range(len(sitters))]
        played = play(cage, work.rules, sitters, drawer(work, board_set), seeds, heartbeat)
        matches.append(PlayedMatch(pack(played.record), columns(played, sitters), cage.level, cage.packages))
        records.append(played.record)
    return TableResult(matches, *zip(*kind.result(records), strict=True))


def drawer(work: Work, board_set: int) -> Callable[[int], object]:
    """Return the function that draws board number `index` of a match on this set of boards."""
    seed, chosen, sets = work.seed, board_set, work.boards
    if work.deal:
        seed, chosen, sets = bytes.fromhex(work.deal.seed), work.deal.board_set, work.deal.sets
    return lambda index: work.rules.draw_board(index, set_rng(seed, index, chosen, sets))
