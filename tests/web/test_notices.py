"""Notices: counted in the header until they are read."""

from arena.db.models import User
from arena.services import notices
from arena.services.context import Arena
from tests.web.conftest import Person, words


def told(arena: Arena, person: Person, text: str) -> None:
    """Leave a notice for a person."""
    with arena.transaction() as session:
        user = session.query(User).filter_by(name=person.name).one()
        notices.tell(session, user.id, text)


def test_a_notice_is_counted_until_it_is_read(arena: Arena, ada: Person, bob: Person) -> None:
    """On every page of the one whom it concerns; the page of notices marks it as new once."""
    told(arena, ada, "Ducker was <withdrawn>.")

    assert "Account menu of ada, 1 new notice" in ada.visit("/about")
    first, second = words(ada.visit("/notices")), words(ada.visit("/notices"))
    assert "new Ducker was <withdrawn>." in first
    assert "Ducker was <withdrawn>." in second
    assert "new Ducker" not in second
    assert "new notice" not in ada.visit("/about")
    assert "Nothing has happened" in bob.visit("/notices")


def test_a_notice_is_text(arena: Arena, ada: Person) -> None:
    """Names of bots and tournaments are shown and not obeyed."""
    told(arena, ada, "<script>alert(1)</script>")

    assert "<script>alert" not in ada.visit("/notices")


def test_visitors_have_no_notices(visitor: Person) -> None:
    """They log in first."""
    assert "Log in first" in visitor.visit("/notices")
