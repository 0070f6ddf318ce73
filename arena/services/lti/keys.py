"""Public keys of platforms, as one process knows them."""

import time
from typing import Any, Final

from arena.services.lti.asking import ask, json_of
from arena.settings import Settings

KEPT: Final = 300.0
"""Seconds after which keys are fetched again. A key that its platform withdraws is accepted for so long."""
PAUSE: Final = 10.0
"""Seconds for which keys are not fetched again, whatever keys messages name."""


class Keys:
    """Public keys of platforms, fetched when they are needed and kept for some minutes."""

    def __init__(self) -> None:
        self._fetched: dict[str, tuple[float, Any]] = {}
        """Times and key sets by URL."""

    def at(self, settings: Settings, url: str, key_id: str | None) -> Any:
        """Return the RSA keys at a URL, fetched again if they lack this key.

        Raises `Refused`, and what joserfc and a malformed key set raise: `ValueError`, `TypeError` or `KeyError`.
        """
        from joserfc.jwk import KeySet

        fetched, keys = self._fetched.get(url, (0.0, None))
        age = time.monotonic() - fetched
        if keys is None or age >= KEPT or (age >= PAUSE and key_id not in {key.kid for key in keys}):
            given = json_of(ask(settings, "GET", url))["keys"]
            keys = KeySet.import_key_set({"keys": [key for key in given if key["kty"] == "RSA"]})
            self._fetched[url] = time.monotonic(), keys
        return keys
