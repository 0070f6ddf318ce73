"""Base class of all models: names of constraints, and column types for both databases."""

from typing import Annotated, Any, ClassVar

from sqlalchemy import JSON, BigInteger, CheckConstraint, Double, Integer, LargeBinary, MetaData
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase, mapped_column

JSON_TYPE = JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
INTEGER_TYPE = BigInteger().with_variant(Integer, "sqlite")

Id = Annotated[int, mapped_column(INTEGER_TYPE, primary_key=True)]
"""Primary key. SQLite fills in only columns of type INTEGER automatically."""

Epoch = Annotated[float, mapped_column(Double)]
"""Time in seconds since 1970, by the clock of the database (see `arena.db.clock`)."""


class Base(DeclarativeBase):
    """Base class of the models.

    Constraints get names derived from their columns, so that migrations can refer to them on both databases.
    """

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        int: INTEGER_TYPE, float: Double(), bytes: LargeBinary(), dict[str, Any]: JSON_TYPE, list[str]: JSON_TYPE,
        list[Any]: JSON_TYPE, dict[str, float]: JSON_TYPE,
    }  # fmt: skip


def one_of(column: str, *values: str) -> CheckConstraint:
    """Return the constraint that allows only these texts in a column, and NULL if the column does."""
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})", name=column)
