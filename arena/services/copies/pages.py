"""Data of the pages about bots that are alike."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from arena.db.models import AlikePair, Bot, CopyReport, Dismissal, Group, GroupMember, User, Version
from arena.games.errors import NotFound
from arena.likeness.programs import Unreadable
from arena.services.base.context import Arena
from arena.services.base.names import key
from arena.services.base.times import moment
from arena.services.base.uploads import python_files
from arena.services.copies.reports import BY_SOURCE
from arena.services.copies.views import (
    AlikeBot,
    DismissalRow,
    Evidence,
    LastComparison,
    Line,
    Listing,
    PairPage,
    PairRow,
    Report,
)

PER_PAGE: Final = 50
MOST_LINES: Final = 2000
"""Largest number of lines of a file on a page."""

_A, _B = aliased(Bot), aliased(Bot)
_OF_A, _OF_B = aliased(User), aliased(User)
_VERSION_A, _VERSION_B = aliased(Version), aliased(Version)

# Columns, not objects: a report may have thousands of pairs.
_PAIR = (
    _A.id, _A.name, _A.owner_id, _B.id, _B.name, _B.owner_id, _OF_A.name, _OF_B.name,
    Dismissal.reason, Dismissal.by, Dismissal.at,
)  # fmt: skip
_EVIDENCE = (
    AlikePair.variant, _VERSION_A.number, _VERSION_B.number, AlikePair.share, AlikePair.counted, AlikePair.expected,
    AlikePair.by_chance,
)  # fmt: skip


def report(
    arena: Arena, *, group: str = "", variant: str = "", dismissed: bool = False, page: int = 1,
    limit: int | None = PER_PAGE,
) -> Report:  # fmt: skip
    """Return a page of the pairs in the latest report that are dismissed or not, or all if `limit` is None.

    The most alike come first. Both owners are in `group` if given; with `variant`, pairs are alike by decisions in it.
    Raises `NotFound`.
    """
    with arena.reading() as session:
        chosen = [*_in_group(session, group), *([AlikePair.variant == variant] if variant else [])]
        rows = _rows(session, *chosen)
        shown = [row for row in rows if bool(row.dismissed) == dismissed]
        return Report(
            last=_last(session),
            pairs=shown if limit is None else shown[(page - 1) * limit : page * limit],
            total=len(shown),
            dismissed=sum(row.dismissed is not None for row in rows),
            groups=session.scalars(select(Group.name).order_by(Group.name_key)).all(),
            variants=session.scalars(
                select(AlikePair.variant).where(AlikePair.variant != BY_SOURCE).distinct().order_by(AlikePair.variant)
            ).all(),
        )


def pair(arena: Arena, a_id: int, b_id: int) -> PairPage:
    """Return the page of two bots, given in either order. Raises `NotFound` if they are not in the report."""
    a_id, b_id = sorted((a_id, b_id))
    with arena.reading() as session:
        both = (AlikePair.a_id == a_id, AlikePair.b_id == b_id)
        rows = _rows(session, *both)
        if not rows:
            raise NotFound(f"Bots {a_id} and {b_id} are not in the latest report.")
        found = select(AlikePair.lines, _VERSION_A.source, _VERSION_B.source)
        found = found.join(_VERSION_A, _VERSION_A.id == AlikePair.a_version_id)
        found = found.join(_VERSION_B, _VERSION_B.id == AlikePair.b_version_id)
        alike = session.execute(found.where(*both, AlikePair.variant == BY_SOURCE)).one_or_none()
    if alike is None:
        return PairPage(rows[0], [], [])
    lines, a, b = alike
    return PairPage(rows[0], _listings(a, lines["a"]), _listings(b, lines["b"]))


def _in_group(session: Session, name: str) -> list[ColumnElement[bool]]:
    if not name:
        return []
    group = session.scalar(select(Group.id).where(Group.name_key == key(name)))
    if group is None:
        raise NotFound(f"There is no group {name}.")
    members = select(GroupMember.user_id).where(GroupMember.group_id == group)
    return [_A.owner_id.in_(members), _B.owner_id.in_(members)]


def _rows(session: Session, *chosen: ColumnElement[bool]) -> list[PairRow]:
    """Return the pairs, the most alike first: by source, then by chance of their decisions."""
    query = (
        select(*_PAIR, *_EVIDENCE)
        .select_from(AlikePair)
        .join(_A, _A.id == AlikePair.a_id)
        .join(_OF_A, _OF_A.id == _A.owner_id)
        .join(_VERSION_A, _VERSION_A.id == AlikePair.a_version_id)
        .join(_B, _B.id == AlikePair.b_id)
        .join(_OF_B, _OF_B.id == _B.owner_id)
        .join(_VERSION_B, _VERSION_B.id == AlikePair.b_version_id)
        .outerjoin(Dismissal, (Dismissal.a_id == AlikePair.a_id) & (Dismissal.b_id == AlikePair.b_id))
        .where(*chosen)
        .order_by(AlikePair.a_id, AlikePair.b_id, AlikePair.variant)
    )
    names = dict(
        session.execute(select(GroupMember.user_id, GroupMember.real_name).where(GroupMember.real_name != "")).all()
    )
    found = groupby(session.execute(query), key=lambda row: (row[0], row[3]))
    return sorted((_row(list(rows), names) for _, rows in found), key=_order)


def _order(row: PairRow) -> tuple[float, float]:
    chances = [one.by_chance for one in row.evidence if one.by_chance is not None]
    return -(row.source.share if row.source else 0.0), min(chances, default=1.0)


def _row(rows: Sequence[Any], names: Mapping[int, str]) -> PairRow:
    a, a_name, of_a, b, b_name, of_b, *owners, reason, by, at = rows[0][: len(_PAIR)]
    evidence = [Evidence(*row[len(_PAIR) :]) for row in rows]
    bots = (AlikeBot(a, a_name, owners[0], names.get(of_a, "")), AlikeBot(b, b_name, owners[1], names.get(of_b, "")))
    return PairRow(*bots, evidence, None if at is None else DismissalRow(reason, by, moment(at)))


def _last(session: Session) -> LastComparison | None:
    last = session.scalar(select(CopyReport).order_by(CopyReport.id.desc()).limit(1))
    return LastComparison(moment(last.finished), last.bots, last.unread, last.tables, last.seconds) if last else None


def _listings(source: bytes, spans: Iterable[Sequence[Any]]) -> list[Listing]:
    """Return the files that have matching lines."""
    marked: dict[str, set[int]] = {}
    for name, first, last in spans:
        marked.setdefault(name, set()).update(range(first, last + 1))
    try:
        texts = python_files(source)
    except Unreadable:  # an earlier release could read it
        return []
    return [Listing(name, list(_lines(texts[name], marked[name]))) for name in sorted(marked) if name in texts]


def _lines(text: str, marked: set[int]) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines()[:MOST_LINES], 1):
        yield Line(number, line, number in marked)
