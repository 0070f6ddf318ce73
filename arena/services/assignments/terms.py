"""Settings of an assignment and their validation: the challenge is fixed, the terms can be changed."""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from arena.db.models import Assignment
from arena.games.errors import Refused
from arena.games.registry import variant
from arena.services.assignments import points
from arena.services.assignments.points import Points
from arena.services.base.names import check_title
from arena.services.base.views import view_of
from arena.services.formats import plans
from arena.services.formats.plans import ALL, MAX_TIME, Plan
from arena.services.formats.registry import PLANNED
from arena.words import N_, _, number

MIN_SHARE, MAX_SHARE = 0.3, 0.9
MIN_CONFIDENCE, MAX_CONFIDENCE = 0.8, 0.999
MIN_TABLES, MAX_TABLES = 10, 1_000
LONGEST_NAME: Final = 70
"""Maximum length of a name, because the final tournament appends a word to it."""
_EARLY: Final = N_("The opening must be in seconds since 1970, below %(most)s, not %(time)s.")
_LATE: Final = N_("The deadline must be in seconds since 1970, below %(most)s, not %(time)s.")


@dataclass(frozen=True)
class Challenge:
    """The task of all participants. It never changes."""

    variant: str
    reference_id: int
    """Version that must be beaten."""
    group_id: int | None = None
    """Group whose members take part; None for all members."""
    share: float = 0.55
    """Fraction of the points between a bot and the reference that the bot must exceed."""
    confidence: float = 0.95
    """Probability with which each answer is right, at least."""
    tables: int = 150
    """Number of tables after which a comparison ends without an answer."""


@dataclass(frozen=True)
class Terms:
    """Settings that a teacher may change later."""

    name: str
    opens: float
    """Start, in seconds since 1970."""
    deadline: float
    """Latest time of an upload that counts, in seconds since 1970."""
    points: Points = field(default_factory=Points)
    final: Plan | None = None
    """Plan of the final tournament; None without one. Its name, game and entries follow from the assignment."""
    public: bool = False
    """Whether participants see the results of all others by name."""


def final_plan(variant_id: str, name: str, format: str, **shape: int) -> Plan:
    """Return the plan of a final in this format, with the format's defaults for numbers that are not in `shape`.

    Raises `Refused` if there is no such format.
    """
    if format not in PLANNED:
        raise _no_format(format)
    usual = {number.name: number.default for number in PLANNED[format].fields}
    return Plan(name=name, variant=variant_id, format=format, shape={**usual, **shape}, entry_rule=ALL)


def _no_format(format: str) -> Refused:
    formats = ", ".join(PLANNED)
    return Refused(
        _(
            "There is no format %(format)s for a final; the formats are %(formats)s.",
            format=repr(format[:40]),
            formats=formats,
        )
    )


def check_challenge(challenge: Challenge) -> None:
    """Raise `Refused` or `OptionError` if a number is out of range, or the variant is unknown."""
    variant(challenge.variant)
    if not MIN_SHARE <= challenge.share <= MAX_SHARE:
        values = {"least": number(100 * MIN_SHARE), "most": number(100 * MAX_SHARE), "share": f"{challenge.share:.4g}"}
        raise Refused(_("The share must be %(least)s%% to %(most)s%%, not %(share)s.", **values))
    if not MIN_CONFIDENCE <= challenge.confidence <= MAX_CONFIDENCE:
        least, most = number(100 * MIN_CONFIDENCE), number(100 * MAX_CONFIDENCE, 1)
        given = f"{challenge.confidence:.4g}"
        raise Refused(
            _("The confidence must be %(least)s%% to %(most)s%%, not %(given)s.", least=least, most=most, given=given)
        )
    if not MIN_TABLES <= challenge.tables <= MAX_TABLES:
        least, most, given = number(MIN_TABLES), number(MAX_TABLES), number(challenge.tables)
        raise Refused(
            _("The number of tables must be %(least)s to %(most)s, not %(count)s.", least=least, most=most, count=given)
        )


def columns(terms: Terms, variant_id: str) -> dict[str, Any]:
    """Return valid terms as columns of an assignment. Raises `Refused` and `OptionError`."""
    name = check_title(terms.name, _("name of the assignment"))
    if len(name) > LONGEST_NAME:
        values = {"most": LONGEST_NAME, "count": len(name)}
        raise Refused(_("The name of an assignment has at most %(most)s characters; this one has %(count)s.", **values))
    for says, time in ((_EARLY, terms.opens), (_LATE, terms.deadline)):
        if not 0 <= time < MAX_TIME:
            raise Refused(_(says, most=number(MAX_TIME), time=time))
    if terms.deadline <= terms.opens:
        raise Refused(_("The deadline must be after the opening."))
    return {
        "name": name,
        "opens": terms.opens,
        "deadline": terms.deadline,
        "points": points.as_json(points.checked(terms.points)),
        "plan": _final(terms.final, name, variant_id),
        "public": terms.public,
    }


def terms_of(assignment: Assignment) -> Terms:
    """Return the terms of an assignment."""
    plan = None if assignment.plan is None else plans.from_json(assignment.plan)
    return view_of(Terms, assignment, points=points.from_json(assignment.points), final=plan)


def _final(final: Plan | None, name: str, variant_id: str) -> dict[str, Any] | None:
    if final is None:
        return None
    if final.format not in PLANNED:
        raise _no_format(final.format)
    named = replace(final, name=f"{name}: final", variant=variant_id, entry_rule=ALL, chosen=None, starts_at=None)
    return plans.as_json(plans.checked(named))
