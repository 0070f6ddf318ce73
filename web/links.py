"""Links that leave the arena."""

from typing import Any

from flask import url_for

from web.session import arena


def absolute(endpoint: str, **values: Any) -> str:
    """Return the complete link of a page, at the public URL of the arena if it is set."""
    if url := arena().settings.url:
        return url + url_for(endpoint, **values)
    return url_for(endpoint, _external=True, **values)


def join_link(token: str) -> str:
    """Return the complete link of an invitation."""
    return absolute("invitations.join", token=token)
