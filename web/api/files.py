"""Answers that are files."""

from flask import Response, request


def sent(data: bytes, name: str, kind: str) -> Response:
    """Return a file with an ETag, to be saved under a name; 304 if the client has it."""
    response = Response(data, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.add_etag()
    response.make_conditional(request.environ)
    return response
