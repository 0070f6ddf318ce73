"""Links that leave the arena."""

from flask import url_for

from web.session import arena


def join_link(token: str) -> str:
    """Return the complete link of an invitation, at the public URL of the arena if it is set."""
    if url := arena().settings.url:
        return url + url_for("invitations.join", token=token)
    return url_for("invitations.join", token=token, _external=True)
