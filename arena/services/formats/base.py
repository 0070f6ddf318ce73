"""Base class of tournament formats: descriptions, settings, and the connection of pure arithmetic to the database.

The arithmetic of each format is a module of `arena.tournament.formats`. `arena.services.formats.registry` finds the
formats: each is a class in the module of this package that has the name of its arithmetic.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Tournament
from arena.games.registry import rules_of
from arena.services.formats.views import Stage, StandingRow
from arena.tournament.formats.base import Cost
from arena.tournament.standings import ranks
from arena.tournament.tables import Kind, kind_of
from arena.words import _, ngettext, number

Shape = Mapping[str, Any]
"""A format's own numbers, by name."""


@dataclass(frozen=True)
class Number:
    """A whole number that an organiser chooses."""

    name: str
    label: str
    """As a text to be translated, like `help`."""
    help: str
    default: int
    least: int
    most: int


class OwnPage(NamedTuple):
    """Pages of a format that is neither planned nor shown like other tournaments."""

    new: str
    """Page that starts one, as ``room.page``."""
    show: str
    """Page that shows one, as ``room.page``."""
    by: Mapping[str, str]
    """Names of the arguments of `show`, and the attributes of a tournament's row that they take."""

    def arguments(self, row: object) -> dict[str, Any]:
        """Return the arguments of `show` for a tournament's row."""
        return {name: getattr(row, attribute) for name, attribute in self.by.items()}


class Drawn(NamedTuple):
    """Tables drawn from a snapshot, before the tournament was locked."""

    number: int
    """Number of the first of these tables."""
    tables: Sequence[Sequence[int]]
    """Entries of each table."""
    enough: bool
    """Whether the field needs no more tables than these."""


class Format(ABC):
    """A tournament format."""

    id: str
    title: str
    """As a text to be translated, like `summary`, `stage_noun` and `tie_break`."""
    summary: str
    """Description in one or two sentences for users."""
    order: int = 100
    """Number by which pages sort formats, the lowest first; formats without one come last."""
    fields: tuple[Number, ...] = ()
    """Numbers of its shape."""
    own_page: OwnPage | None = None
    most_entries: int | None = None
    """Largest field; None if there is no limit."""
    layout: str = ""
    """How pages draw its stages: ``rounds`` or ``bracket``; empty if it has one stage."""
    stage_noun: str = ""
    """Word for one of its stages, such as ``round``; empty if it has one stage."""
    tie_break: str = ""
    """Sentence for users about ties in the standings; empty if there is no tie-break."""
    seeded: bool = True
    """Whether entries are numbered by rating, the best first; by age otherwise."""
    single_stage: bool = False
    """Whether all tables follow from the entries alone."""
    staged: bool = False
    """Whether each stage is drawn from the results of the stage before."""
    ongoing: bool = False
    """Whether any result may make new tables due, not only the last of a stage."""
    any_field: bool = False
    """Whether it may start with too few bots for a table."""
    solitaire: bool = False
    """Whether it suits variants for one player."""
    plays_out: bool = False
    """Whether the tables of a bot that leaves are still played, because the others there need a result."""
    withdrawable: bool = True
    """Whether bots can be withdrawn."""
    cancelled_by_creator: bool = False
    """Whether the member who created it may cancel it, too."""

    def describe(self, shape: Shape) -> str:
        """Return the settings in `shape` as a phrase for users."""
        return ""

    def describe_byes(self, byes: int) -> str:
        """Return this number of byes in a stage as a phrase for users."""
        return _("%(number)s sit out", number=number(byes))

    def cost(self, shape: Shape, entries: int, places: int) -> Cost | None:
        """Return the number of tables with at least `places` entries; None if it is not known in advance."""
        return None

    def may_be_due(self, session: Session, tournament: Tournament) -> bool:
        """Return whether a step may be due. Called after every result, so it must be cheap."""
        return tournament.stage == 0 or tournament.settled

    def draw_ahead(self, session: Session, tournament: Tournament) -> Drawn | None:
        """Draw the next tables while others write; None if the format draws in a locked tournament only."""
        return None

    def confirm(self, session: Session, tournament: Tournament, drawn: Drawn) -> bool:
        """Return whether tables drawn ahead may be created in the tournament, which is locked now."""
        return False

    @abstractmethod
    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        """Return the tables of entries to create now in a locked tournament, which may be empty.

        None means that there will be no more tables: the tournament ends when all are settled.
        """

    def rank(self, session: Session, tournament: Tournament, rows: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
        """Rank the entries, the best first.

        Ranks by share of match points, because bots may play different numbers of tables.
        """
        return ranked(rows, [-1.0 if row.share is None else row.share for row in rows])

    def stages(self, session: Session, tournament: Tournament, standings: Sequence[StandingRow]) -> list[Stage]:
        """Return the stages created so far, first to last; none if the format has a single stage."""
        return []


class SingleStage(Format):
    """A format that creates all its tables when it starts."""

    seeded = False
    single_stage = True

    @abstractmethod
    def tables(self, entries: int, places: int, shape: Shape) -> Iterator[Sequence[int]]:
        """Yield all tables, in an order that depends on the arguments alone."""

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        """Return the tables that do not exist yet: they are created in order, in several transactions."""
        if tournament.stage:
            return None
        entries = session.scalars(select(func.count()).where(Entry.tournament_id == tournament.id)).one()
        tables = self.tables(entries, kind(tournament.variant, tournament.seatings, entries).places, tournament.shape)
        return islice(tables, tournament.tables_total, None)


def kind(variant_id: str, seatings: str, entries: int) -> Kind:
    """Return how the tables of a tournament with this number of entries are played and counted."""
    return kind_of(rules_of(variant_id).teams, entries, seatings)


def places(tournament: Tournament) -> int:
    """Return the number of places at a table of the tournament's variant."""
    return len(rules_of(tournament.variant).teams)


def ranked(rows: Sequence[StandingRow], keys: Sequence[Any]) -> tuple[StandingRow, ...]:
    """Rank rows by their keys, the largest first; equal keys share a rank."""
    placed = [row._replace(rank=rank) for row, rank in zip(rows, ranks(keys), strict=True)]
    return tuple(sorted(placed, key=lambda row: row.rank))


def rounds(count: int) -> str:
    """Return a number of rounds as a phrase."""
    return ngettext("%(num)s round", "%(num)s rounds", count)
