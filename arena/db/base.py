"""The base of all models: naming of constraints, and column types that both databases share."""

from typing import Annotated, Any, ClassVar

from sqlalchemy import JSON, BigInteger, Double, Integer, LargeBinary, MetaData
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase, mapped_column

JSON_TYPE = JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
INTEGER_TYPE = BigInteger().with_variant(Integer, "sqlite")

Id = Annotated[int, mapped_column(INTEGER_TYPE, primary_key=True)]
"""A primary key. On SQLite only INTEGER is filled in by itself."""

Epoch = Annotated[float, mapped_column(Double)]
"""A time as seconds since 1970, by the clock of the database (see `arena.db.clock`)."""


class Base(DeclarativeBase):
    """Constraints get names from their columns, so that a migration can speak of them on every database."""

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
        list[Any]: JSON_TYPE,
    }  # fmt: skip
