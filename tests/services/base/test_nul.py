"""NUL in names and searches, which PostgreSQL cannot look up."""

import pytest

from arena.games.errors import NotFound, Refused
from arena.services.administration import pages as administration
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import authors
from arena.services.bots import pages as bots
from arena.services.people import accounts
from arena.services.tournaments import pages as tournaments


def test_nul_is_in_no_name(arena: Arena, admin: Account) -> None:
    """An account of such a name is not found."""
    with pytest.raises(NotFound, match="no author"):
        authors.author_page(arena, "\0")
    with pytest.raises(Refused, match="The name or the password is wrong"):
        accounts.log_in(arena, "\0", "password")


def test_nul_is_searched_in_vain(arena: Arena, admin: Account) -> None:
    """A search for it finds nothing."""
    found = (
        bots.listed_bots(arena, admin, search="\0"),
        tournaments.listed_of(arena, tournaments.CUPS, search="\0"),
        administration.bots(arena, search="\0"),
        administration.members(arena, search="\0"),
        administration.log(arena, actor="\0"),
        administration.log(arena, subject="\0"),
    )

    assert [listed.total for listed in found] == [0] * len(found)
    assert tournaments.listed_before(arena, 2**31, 5, search="\0") == []
