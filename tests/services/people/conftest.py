"""A member with a password, whose hash is cheap because the real one would take most of the time, and a mail server."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts
from tests.services.people.mailbox import Mailbox, serving

OLD = "correct horse battery"


@pytest.fixture
def alice(arena: Arena) -> Account:
    """Create a member with a password."""
    return accounts.register(arena, "Alice", OLD)


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """Run a mail server."""
    with serving() as made:
        yield made


@pytest.fixture
def mailing(arena: Arena, box: Mailbox) -> Arena:
    """Return the arena with a mail server."""
    settings = replace(arena.settings, url="https://arena.example", smtp_url=box.url, mail_from="arena@arena.example")
    return replace(arena, settings=settings)
