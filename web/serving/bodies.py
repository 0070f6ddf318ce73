"""Bodies of responses: each is compressed at most once per coding, and has an ETag."""

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import brotli
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header, parse_etags

SMALL: Final = 1000
"""Size in bytes up to which a body is not compressed: it fits into one packet anyway."""
TEXTS: Final = ("text/", "application/json", "application/x-ndjson", "image/svg+xml")
"""Beginnings of the content types that are worth compressing."""
CODINGS: Final = ("br", "gzip")
"""Content codings, the best first."""

Headers = list[tuple[str, str]]


class Answer(NamedTuple):
    """The part of a response that follows from its body."""

    status: int
    headers: Headers
    data: bytes


class Body:
    """A body and its compressed forms.

    `thorough` compression takes some 30 times as long and saves another tenth: for files, which are compressed once per
    process.
    """

    def __init__(self, plain: bytes, content_type: str, thorough: bool = False) -> None:
        self.content_type = content_type
        self.tag = hashlib.sha256(plain).hexdigest()[:20]
        """Hash of the plain bytes: a weak ETag, the same for all codings."""
        self._forms = {"": plain}
        self._thorough = thorough
        self._compressible = len(plain) > SMALL and content_type.startswith(TEXTS)

    @property
    def size(self) -> int:
        """Bytes of memory that it takes with its compressed forms, about."""
        return len(self._forms[""]) * 3 // 2

    def answer(self, accepted: str, known: str) -> Answer:
        """Answer a request by the values of its Accept-Encoding and If-None-Match, which may be empty."""
        headers = [("ETag", f'W/"{self.tag}"')]
        if known and parse_etags(known).contains_weak(self.tag):
            return Answer(304, headers, b"")
        coding = _coding(accepted) if self._compressible else ""
        data = self._forms.get(coding) or self._compress(coding)
        headers += [("Content-Type", self.content_type), ("Content-Length", str(len(data)))]
        return Answer(200, [*headers, ("Content-Encoding", coding)] if coding else headers, data)

    def _compress(self, coding: str) -> bytes:
        plain = self._forms[""]
        if coding == "br":
            packed = brotli.compress(plain, quality=11 if self._thorough else 5)
        else:
            packed = gzip.compress(plain, 9 if self._thorough else 6, mtime=0)
        return self._forms.setdefault(coding, packed)


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress a body that is sent as it is made."""
    packing = zlib.compressobj(6, wbits=31)
    yield from filter(None, map(packing.compress, pieces))
    yield packing.flush()


@lru_cache(maxsize=128)
def accepts_gzip(accepted: str) -> bool:
    """Return whether a client accepts gzip, by the value of its Accept-Encoding."""
    return parse_accept_header(accepted[:200], Accept).quality("gzip") > 0


@lru_cache(maxsize=128)
def _coding(accepted: str) -> str:
    """Return the best coding that the client accepts; empty if it accepts none."""
    accepts = parse_accept_header(accepted[:200], Accept)
    return next((coding for coding in CODINGS if accepts.quality(coding) > 0), "")
