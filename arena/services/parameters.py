"""What the ratings of a variant are computed with: the defaults, or what was estimated from its own results."""

from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import RatingParameters
from arena.db.upsert import put
from arena.ratings import Estimate, Parameters


def of(session: Session, variant: str) -> Parameters:
    """The parameters of a variant now."""
    stored = session.get(RatingParameters, variant)
    return Parameters(stored.beta, stored.draw_probability) if stored else ratings.defaults(variant)


def store(session: Session, variant: str, estimate: Estimate, moment: float) -> None:
    """Have the variant rated by these from now on. Whoever does this rates everything again (`arena.services.fold`)."""
    put(session, RatingParameters, [
        {"variant": variant, **estimate.parameters._asdict(), "tables": estimate.tables, "estimated": moment}
    ])  # fmt: skip
