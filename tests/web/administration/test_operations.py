"""The operations page."""

import json
from collections.abc import Callable

import pytest
from sqlalchemy import select

from arena.db.models import Entry
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.health import heartbeats
from arena.services.health.heartbeats import Sign
from tests import factories
from tests.web.conftest import Person, words
from web.base.context import age, size


def test_page_shows_processes_queue_and_failures(
    arena: Arena, ada: Person, promote: Callable[[Person], Person]
) -> None:
    """A tournament with given-up tables has a button that puts them back."""
    ensure_house(arena)
    factories.give_up(arena, factories.table_ids(arena, 1)[0])
    heartbeats.report(arena, Sign("host:17", "worker", "paused", "for 5 s; failures in a row: 1"))
    admin = promote(ada)

    page = words(admin.visit("/operations/"))

    assert "All worker processes are paused or out (1)." in page
    assert "worker host:17 paused for 5 s" in page
    assert "Table 1: the zygote did not answer" in page
    assert "Tournaments 24 0" in page
    assert "/tournaments/1/retry" in admin.visit("/operations/live")
    assert "/operations/" in admin.visit("/")


def test_packages_of_bots_are_shown(
    arena: Arena, ada: Person, visitor: Person, promote: Callable[[Person], Person]
) -> None:
    """The page says what bots cannot import, and why; the guide and the API say what they can."""
    offered = {"python": "3.12.1", "numpy": "2.5.5", "scipy": "1.18.0"}
    refused = {"torch": "it starts a thread when it is imported"}
    for name in ("a:1", "a:2"):
        heartbeats.report(arena, Sign(name, "worker", "idle", held=1.0, packages=offered, refused=refused))

    page = words(promote(ada).visit("/operations/"))
    assert "Python 3.12.1, numpy 2.5.5, scipy 1.18.0" in page
    assert page.count("Bots cannot import torch : it starts a thread when it is imported") == 1
    assert "Bots run on Python 3.12.1 here, with numpy 2.5.5, scipy 1.18.0" in words(visitor.visit("/help"))
    assert json.loads(visitor.visit("/api/v1/"))["packages"] == offered


def test_all_given_up_tables_are_put_back(arena: Arena, ada: Person, promote: Callable[[Person], Person]) -> None:
    """The page offers it if several tournaments have such tables; there is a confirmation first."""
    ensure_house(arena)
    admin = promote(ada)
    with arena.reading() as session:
        versions = list(session.scalars(select(Entry.version_id).where(Entry.tournament_id == 1)))
    for cup in (1, factories.tournament(arena, Account(1, "house", is_admin=True), versions)):
        factories.give_up(arena, factories.table_ids(arena, cup)[0])

    assert 'href="/operations/retry"' in admin.visit("/operations/")
    assert "Put all tables back</button>" in admin.visit("/operations/retry")
    page = admin.send("/operations/retry")
    assert "The tables are queued again." in page
    assert "Tables given up All failed and waiting tables None." in words(page)
    assert "has not given up any table" in admin.send("/operations/retry", 400)


def test_empty_arena(ada: Person, promote: Callable[[Person], Person]) -> None:
    """Nothing has reported yet."""
    assert "No process reports." in promote(ada).visit("/operations/")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (3 * 86400, "3 days")]
)
def test_ages_have_one_unit(seconds: float, text: str) -> None:
    """The largest unit of which there are at least two."""
    assert age(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 byte"), (1023, "1,023 bytes"), (1024, "1.0 KiB"), (2**20, "1.0 MiB"), (5 * 2**29, "2.5 GiB")],
)
def test_sizes_have_one_unit(count: int, text: str) -> None:
    """The largest of which there is at least one, up to GiB."""
    assert size(count) == text
