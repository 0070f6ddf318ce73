"""Requests to a platform, under the rules for webhooks: only to addresses that the operator's settings allow."""

import http.client
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from arena.games.errors import Refused
from arena.services.webhooks import transport
from arena.services.webhooks.addresses import Forbidden, check_url
from arena.services.webhooks.transport import Answer
from arena.settings import Settings


def ask(
    settings: Settings, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """Return the platform's answer to a request. Raises `Refused` if there is none, or it is not a success."""
    if settings.demo:
        raise Refused("A demo sends nothing outside.")
    check_url(url, settings.webhook_networks)
    try:
        agent = {"User-Agent": "Suit-Arena-LTI", **(headers or {})}
        answer = transport.request(method, url, body, agent, settings.webhook_networks)
    except Forbidden as forbidden:
        raise Refused(f"The arena does not ask {urlsplit(url).hostname}: {forbidden}.") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise Refused(f"{urlsplit(url).hostname} does not answer. Try again in a minute.") from None
    if not 200 <= answer.status < 300:
        raise Refused(f"{urlsplit(url).hostname} answered {answer.status} to {method} {urlsplit(url).path}.")
    return answer


def json_of(answer: Answer) -> Any:
    """Return the JSON of an answer. Raises `Refused` if it is none."""
    try:
        return msgspec.json.decode(answer.body)
    except msgspec.DecodeError:
        raise Refused("The platform answered something that is not JSON, or too long.") from None
