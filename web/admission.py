"""Limits of the body of members' requests; `web.security` has those of all others."""

from flask import current_app, request

from web.security import FORM_CAP, HARD_CAP, VISITOR_CAP
from web.session import viewer


def admit_body() -> None:
    """Let members send forms of `FORM_CAP`, and uploads of `HARD_CAP`."""
    if (request.content_length or 0) > VISITOR_CAP and viewer():
        view = current_app.view_functions.get(request.endpoint or "")
        upload = getattr(view, "takes_upload", False) and request.mimetype == "multipart/form-data"
        request.max_content_length = HARD_CAP if upload else FORM_CAP
