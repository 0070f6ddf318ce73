"""Answers that are files."""

from collections.abc import Iterable

from flask import Response, request


def sent(data: bytes, name: str, kind: str) -> Response:
    """Return a file with an ETag, to be saved under a name; 304 if the client has it."""
    response = _named(data, name, kind)
    response.add_etag()
    response.make_conditional(request.environ)
    return response


def streamed(pieces: Iterable[bytes], name: str, kind: str) -> Response:
    """Return a file that is sent as it is made."""
    return _named(pieces, name, kind)


def _named(data: bytes | Iterable[bytes], name: str, kind: str) -> Response:
    response = Response(data, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
