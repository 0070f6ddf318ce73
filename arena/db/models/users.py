"""Users and their notices."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now


class User(Base):
    """An account."""

    __tablename__ = "users"

    id: Mapped[Id]
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    """Name in lower case: names must differ in more than case."""
    password: Mapped[str | None]
    """Argon2 hash; None for accounts that cannot log in."""
    is_admin: Mapped[bool] = mapped_column(default=False)
    created: Mapped[Epoch] = mapped_column(default=now())


class Notice(Base):
    """A message for a user."""

    __tablename__ = "notices"

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    text: Mapped[str]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    """ID of the tournament that it is about; None if there is none."""
    created: Mapped[Epoch] = mapped_column(default=now())
    seen: Mapped[bool] = mapped_column(default=False)
