"""Data of the pages about bots that are alike."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from arena.services.copies.views import AlikeBot, DismissalRow, LastComparison, Line, Listing, PairPage, PairRow, Report
from arena.words import _

PER_PAGE: Final = 50
MOST_LINES: Final = 2000
"""Largest number of lines of a file on a page."""

_A, _B = aliased(Bot), aliased(Bot)
_OF_A, _OF_B = aliased(User), aliased(User)
_VERSION_A, _VERSION_B = aliased(Version), aliased(Version)

# Columns, not objects: a report may have thousands of pairs.
_PAIR = (
    _A.id, _A.name, _OF_A.name, _A.owner_id, _B.id, _B.name, _OF_B.name, _B.owner_id, _VERSION_A.number,
    _VERSION_B.number, AlikePair.share, AlikePair.counted, Dismissal.reason, Dismissal.by, Dismissal.at,
)  # fmt: skip


def report(
    arena: Arena, *, group: str = "", dismissed: bool = False, page: int = 1, limit: int | None = PER_PAGE
) -> Report:
    """Return a page of the pairs in the latest report that are dismissed or not, or all if `limit` is None.

    The most alike come first. Both owners are in `group` if given. Raises `NotFound`.
    """
    with arena.reading() as session:
        rows = _rows(session, *_in_group(session, group))
        shown = [row for row in rows if bool(row.dismissed) == dismissed]
        return Report(
            last=_last(session),
            pairs=shown if limit is None else shown[(page - 1) * limit : page * limit],
            total=len(shown),
            dismissed=sum(row.dismissed is not None for row in rows),
            groups=session.scalars(select(Group.name).order_by(Group.name_key)).all(),
        )


def pair(arena: Arena, a_id: int, b_id: int) -> PairPage:
    """Return the page of two bots, given in either order. Raises `NotFound` if they are not in the report."""
    a_id, b_id = sorted((a_id, b_id))
    with arena.reading() as session:
        both = (AlikePair.a_id == a_id, AlikePair.b_id == b_id)
        rows = _rows(session, *both)
        if not rows:
            raise NotFound(_("Bots %(a)s and %(b)s are not in the latest report.", a=a_id, b=b_id))
        found = select(AlikePair.lines, _VERSION_A.source, _VERSION_B.source)
        found = found.join(_VERSION_A, _VERSION_A.id == AlikePair.a_version_id)
        found = found.join(_VERSION_B, _VERSION_B.id == AlikePair.b_version_id)
        lines, a, b = session.execute(found.where(*both)).one()
    return PairPage(rows[0], _listings(a, lines["a"]), _listings(b, lines["b"]))


def _in_group(session: Session, name: str) -> list[ColumnElement[bool]]:
    if not name:
        return []
    group = session.scalar(select(Group.id).where(Group.name_key == key(name)))
    if group is None:
        raise NotFound(_("There is no group %(name)s.", name=name))
    members = select(GroupMember.user_id).where(GroupMember.group_id == group)
    return [_A.owner_id.in_(members), _B.owner_id.in_(members)]


def _rows(session: Session, *chosen: ColumnElement[bool]) -> list[PairRow]:
    """Return the pairs, the most alike first."""
    query = (
        select(*_PAIR)
        .select_from(AlikePair)
        .join(_A, _A.id == AlikePair.a_id)
        .join(_OF_A, _OF_A.id == _A.owner_id)
        .join(_VERSION_A, _VERSION_A.id == AlikePair.a_version_id)
        .join(_B, _B.id == AlikePair.b_id)
        .join(_OF_B, _OF_B.id == _B.owner_id)
        .join(_VERSION_B, _VERSION_B.id == AlikePair.b_version_id)
        .outerjoin(Dismissal, (Dismissal.a_id == AlikePair.a_id) & (Dismissal.b_id == AlikePair.b_id))
        .where(*chosen)
        .order_by(AlikePair.share.desc(), AlikePair.a_id, AlikePair.b_id)
    )
    names = dict(
        session.execute(select(GroupMember.user_id, GroupMember.real_name).where(GroupMember.real_name != "")).all()
    )
    return [_row(row, names) for row in session.execute(query)]


def _row(row: Sequence[Any], names: Mapping[int, str]) -> PairRow:
    a_id, a_name, a_owner, of_a, b_id, b_name, b_owner, of_b, a_version, b_version, share, counted, reason, by, at = row
    dismissed = None if at is None else DismissalRow(reason, by, moment(at))
    a = AlikeBot(a_id, a_name, a_owner, names.get(of_a, ""))
    b = AlikeBot(b_id, b_name, b_owner, names.get(of_b, ""))
    return PairRow(a, b, a_version, b_version, share, counted, dismissed)


def _last(session: Session) -> LastComparison | None:
    last = session.scalar(select(CopyReport).order_by(CopyReport.id.desc()).limit(1))
    return LastComparison(moment(last.finished), last.bots, last.unread, last.seconds) if last else None


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
