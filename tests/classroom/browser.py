"""A person's browser: cookies, pages, and forms with their tokens."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

TOKEN: Final = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
PATIENCE: Final = 60.0


class Browser:
    """A person who reads pages and sends forms."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.opener = build_opener(HTTPCookieProcessor())

    def read(self, path: str) -> str:
        """Return a page. Raises `AssertionError` if it is refused."""
        return self._open(path, None)

    def send(self, path: str, fields: Mapping[str, object], at: str = "") -> str:
        """Send a form, which is on the page `at` or the one it is sent to; return the page that follows.

        Raises `AssertionError` if it is refused.
        """
        token = TOKEN.search(self.read(at or path))
        assert token, f"{path} has no form"
        sent = {"csrf_token": token[1], **fields}
        return self._open(path, urlencode({name: str(value) for name, value in sent.items()}).encode())

    def _open(self, path: str, data: bytes | None) -> str:
        try:
            with self.opener.open(self.address + path, data, PATIENCE) as answer:
                self.at = str(answer.url).removeprefix(self.address)
                return str(answer.read().decode())
        except HTTPError as error:
            text = re.sub(r"<[^>]+>|\s+", " ", error.read().decode())
            raise AssertionError(f"{self.name}: {path} gave {error.code}: {text[:2000]}") from None
