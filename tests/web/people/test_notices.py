"""Notices: the list, and the count in the header."""

from arena.db.models import User
from arena.services.base.context import Arena
from arena.services.people import notices
from tests.web.conftest import Person, words


def leave_notice(arena: Arena, person: Person, text: str) -> None:
    """Create a notice for a person."""
    with arena.transaction() as session:
        user = session.query(User).filter_by(name=person.name).one()
        notices.notify(session, user.id, lambda: text)


def test_notices_are_counted_until_read(arena: Arena, ada: Person, bob: Person) -> None:
    """The header counts new notices, and the page marks them as new once."""
    leave_notice(arena, ada, "Ducker was <withdrawn>.")

    assert "Account menu of ada, 1 new notice" in ada.visit("/about")
    first, second = words(ada.visit("/notices")), words(ada.visit("/notices"))
    assert "new Ducker was <withdrawn>." in first
    assert "Ducker was <withdrawn>." in second
    assert "new Ducker" not in second
    assert "new notice" not in ada.visit("/about")
    assert "No notices." in bob.visit("/notices")


def test_notices_are_escaped(arena: Arena, ada: Person) -> None:
    """Names of bots and tournaments in a notice are shown as text."""
    leave_notice(arena, ada, "<script>alert(1)</script>")

    assert "<script>alert" not in ada.visit("/notices")


def test_notices_require_an_account(visitor: Person) -> None:
    """Visitors are asked to log in."""
    assert "Log in to continue" in visitor.visit("/notices")
