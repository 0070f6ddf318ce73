"""People at live tables: members, their programs and bots outside, and guests whom only their browser knows."""

import secrets
from typing import Final, NamedTuple, Self

from sqlalchemy import ColumnElement, and_, select, update

from arena.db.models import LiveSeat, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.words import N_

GUEST: Final = N_("Guest")
"""Name under which a guest is seen."""


class Person(NamedTuple):
    """A member, a member's program or a guest. A program shares neither tables nor results with its member."""

    user: int | None
    """ID of the member's account; None for a guest."""
    guest: str | None
    """Random text that the guest's browser keeps; None for a member."""
    name: str
    program: bool = False
    """Whether it is a program of the member that `user` names."""
    bot: int | None = None
    """ID of the bot outside the arena; None if it is no bot."""

    @classmethod
    def member(cls, account: Account) -> Self:
        """Return the person of an account."""
        return cls(account.id, None, account.name)

    @classmethod
    def program_of(cls, account: Account) -> Self:
        """Return the programs of an account, which play as one."""
        return cls(account.id, None, account.name, program=True)

    @classmethod
    def bot_called(cls, bot: int, name: str) -> Self:
        """Return the bot outside the arena with this ID and name."""
        return cls(None, None, name, program=True, bot=bot)

    @classmethod
    def stranger(cls, guest: str) -> Self:
        """Return the guest whose browser keeps this text."""
        return cls(None, guest, GUEST)

    @property
    def key(self) -> str:
        """Text that names this person among all, for limits."""
        if self.guest is not None:
            return f"guest:{self.guest}"
        return key_of(self.bot, self.user) if self.program else f"member:{self.user}"

    def sits(self) -> ColumnElement[bool]:
        """Condition of this person's seats."""
        if self.bot is not None:
            return LiveSeat.version_id.in_(select(Version.id).where(Version.bot_id == self.bot))
        if self.guest is not None:
            return LiveSeat.guest == self.guest
        return and_(LiveSeat.user_id == self.user, LiveSeat.program == self.program)

    def owns(self, seat: LiveSeat) -> bool:
        """Return whether this person sits there."""
        if self.bot is not None:
            return seat.version is not None and seat.version.bot_id == self.bot
        own = self.user, self.guest, self.program
        return seat.version_id is None and (seat.user_id, seat.guest, seat.program) == own


def key_of(bot: int | None, user: int | None) -> str:
    """Return the key of a bot outside the arena, or if there is none, of a member's program for practice."""
    return f"program:{user}" if bot is None else f"bot:{bot}"


def new_guest() -> str:
    """Return the text for a new guest's browser."""
    return secrets.token_urlsafe(16)


def adopt(arena: Arena, guest: str, account: Account) -> None:
    """Give a guest's seats to an account."""
    with arena.transaction() as session:
        session.execute(update(LiveSeat).where(LiveSeat.guest == guest).values(guest=None, user_id=account.id))
