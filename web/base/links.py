"""Links that leave the arena."""

from flask import current_app, request, url_for

from web.serving.session import arena


def root() -> str:
    """Return the public address of the arena as set, or as requested, without a slash at its end.

    It is empty if only a command of the operator asks, in its own process.
    """
    asked = "" if current_app.extensions["operator"] else request.host_url.rstrip("/")
    return arena().settings.url or asked


def complete(path: str) -> str:
    """Return the complete link to a path of this site, such as one from `url_for`."""
    return root() + path


def join_link(token: str) -> str:
    """Return the complete link of an invitation."""
    return complete(url_for("invitations.join", token=token))
