"""Access: the account behind a request, and its permissions."""

from collections.abc import Collection
from dataclasses import dataclass, field

from arena.games.errors import Forbidden
from arena.words import _


@dataclass(frozen=True)
class Account:
    """A user's account, as other services and pages see it."""

    id: int
    name: str
    is_admin: bool
    is_organiser: bool = False
    by_command: bool = field(default=False, compare=False)
    """Whether the operator acts in its name, by a command on the server."""

    @property
    def may_organise(self) -> bool:
        """Whether it may run tournaments and classes, as organisers and administrators may."""
        return self.is_admin or self.is_organiser


def may_see(team: Collection[int], viewer: Account | None) -> bool:
    """Return whether `viewer` may read the private details of a bot with this team (`Bot.team`), and add versions."""
    return viewer is not None and (viewer.is_admin or viewer.id in team)


def may_manage(owner_id: int, viewer: Account | None) -> bool:
    """Return whether `viewer` may rename, archive and delete the bots of account `owner_id`, and change their teams."""
    return may_see((owner_id,), viewer)


def check_organiser(account: Account) -> None:
    """Raise `Forbidden` unless the account is an organiser."""
    if not account.may_organise:
        raise Forbidden(_("Only an organiser may do this."))


def check_admin(account: Account) -> None:
    """Raise `Forbidden` unless the account is an administrator."""
    if not account.is_admin:
        raise Forbidden(_("Only an administrator may do this."))
