"""Estimate the parameters of a variant from its results, and adopt what was found."""

from typing import NamedTuple

from sqlalchemy import select

from arena import ratings
from arena.db.clock import now
from arena.ratings import Estimate, Parameters
from arena.services import fold, parameters
from arena.services.context import Arena
from arena.services.plans import rules_of


class Found(NamedTuple):
    """What the results of a variant say of its parameters."""

    before: Parameters
    """With these it is rated now."""
    estimate: Estimate

    @property
    def better(self) -> bool:
        """Whether other parameters predict better."""
        return self.estimate.parameters != self.before


def estimate(arena: Arena, variant: str) -> Found:
    """The parameters that predict the latest results of the variant best (`arena.ratings.estimation`).

    It takes some ten to twenty seconds of computing and changes nothing. Raises OptionError.
    """
    with arena.reading() as session:
        before = parameters.of(session, variant)
        results = list(fold.results(session, variant, 0))
    places = max((len(result.versions) for result in results), default=len(rules_of(variant).teams))
    return Found(before, ratings.estimate(results, before, places))


def adopt(arena: Arena, variant: str, estimate: Estimate) -> int:
    """Rate the variant by these parameters from now on, and everything that was played again; how many tables that was.

    It is one transaction, so that nobody ever sees ratings of the one kind beside ratings of the other.
    """
    with arena.transaction() as session:
        cursor = fold.lock(session, variant)
        parameters.store(session, variant, estimate, session.scalars(select(now())).one())
        return fold.rebuild_all(session, cursor)
