"""The person of a request at live tables: the member, or the guest whom the browser's signed cookie names."""

from flask import session

from arena.services.live.people import Person, new_guest
from web.serving.session import GUEST, viewer


def person() -> Person | None:
    """Return the person of the request; None for a visitor who has not played yet."""
    account = viewer()
    if account is not None:
        return Person.member(account)
    return Person.stranger(session[GUEST]) if GUEST in session else None


def seated() -> Person:
    """Return the person of the request, and remember a visitor as a guest from now on."""
    found = person()
    if found is None:
        session.permanent = True
        session[GUEST] = new_guest()
        found = Person.stranger(session[GUEST])
    return found
