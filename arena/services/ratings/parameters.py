"""Rating parameters of a variant: the defaults, or estimates from its own results.

Parameters apply from a given table on. They are stored per era, so that all ratings can be computed again.
"""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import RatingParameters
from arena.db.upsert import insert_missing
from arena.ratings import Era, Parameters


def of(session: Session, variant: str) -> Parameters:
    """Return the variant's parameters in use."""
    return eras(session, variant)[-1].parameters


def eras(session: Session, variant: str) -> list[Era]:
    """Return the variant's eras: the parameters of its tables, in table order."""
    stored = session.scalars(
        select(RatingParameters).where(RatingParameters.variant == variant).order_by(RatingParameters.since)
    )
    found = [Era(row.since, Parameters(row.beta, row.draw_probability)) for row in stored]
    return found or [Era(0, ratings.defaults(variant))]


def estimated_from(session: Session, variant: str) -> int:
    """Return the number of tables at the estimate of the parameters in use; 0 if they were not estimated."""
    latest = select(RatingParameters.tables).where(RatingParameters.variant == variant)
    return session.scalar(latest.order_by(RatingParameters.since.desc()).limit(1)) or 0


def start_era(session: Session, variant: str, since: int, parameters: Parameters, tables: int = 0) -> None:
    """Use these parameters from the table with ID `since`, unless an era starts there already.

    `tables` is the number of tables that they were estimated from. The caller must fold the tables from `since` again
    (`arena.services.ratings.fold`).
    """
    row = {"variant": variant, "since": since, **parameters._asdict(), "tables": tables}
    insert_missing(session, RatingParameters, row)


def delete_all(session: Session, variant: str) -> None:
    """Delete all parameters of the variant. The caller must store new ones in the same transaction."""
    session.execute(delete(RatingParameters).where(RatingParameters.variant == variant))
