"""Time by the clock of the database, the only clock that all workers share."""

from typing import Any

from sqlalchemy import Double
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class now(FunctionElement[float]):  # noqa: N801
    """Seconds since 1970 as an SQL expression, when the statement runs (not when its transaction began)."""

    type = Double()
    inherit_cache = True
    name = "now"


@compiles(now, "sqlite")
def _sqlite(element: now, compiler: Any, **_: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now, "postgresql")
def _postgresql(element: now, compiler: Any, **_: Any) -> str:
    return "extract(epoch from clock_timestamp())::double precision"
