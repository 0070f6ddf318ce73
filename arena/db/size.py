"""Size of a database on disk."""

from sqlalchemy import text
from sqlalchemy.orm import Session


def size(session: Session) -> int:
    """Return the size of the database in bytes, without the write-ahead log."""
    if session.get_bind().dialect.name == "postgresql":
        return int(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)
    pages, bytes_per_page = (session.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "page_size"))
    return int(pages * bytes_per_page)
