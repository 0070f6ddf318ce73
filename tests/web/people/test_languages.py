"""The language that a member chose."""

from flask import Flask
from sqlalchemy import select

from arena.db.models import User
from arena.services.base.context import Arena
from tests.web.conftest import Person


def language_of(arena: Arena, person: Person) -> str | None:
    """Return the language of a person's mails and notices."""
    with arena.reading() as session:
        return session.scalars(select(User.language).where(User.name == person.name)).one()


def test_members_get_mails_in_the_language_that_they_chose(arena: Arena, app: Flask) -> None:
    """Mails are in the language of the page of the registration, until another is chosen. Unknown ones are ignored."""
    grace = Person(app, "grace")
    grace.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de-AT,en;q=0.5"
    grace.register()
    assert language_of(arena, grace) == "de"

    for chosen, kept in (("zh-Hans", "zh-Hans"), ("xx", "zh-Hans"), ("en", "en")):
        answer = grace.client.post("/language", data={"language": chosen})
        assert (answer.status_code, language_of(arena, grace)) == (302, kept)
