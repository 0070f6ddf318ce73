"""Requests to a platform, under the rules for webhooks: only to addresses that the operator's settings allow."""

import http.client
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from arena.games.errors import Refused
from arena.services.lti.messages import LONGEST
from arena.services.webhooks import transport
from arena.services.webhooks.addresses import Forbidden, check_url
from arena.services.webhooks.transport import Answer
from arena.settings import Settings
from arena.words import _


def ask(
    settings: Settings, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """Return the platform's answer to a request. Raises `Refused` if there is none, or it is not a success."""
    if settings.demo:
        raise Refused(_("A demo sends nothing outside."))
    check_url(url, settings.webhook_networks, LONGEST)
    try:
        agent = {"User-Agent": "Suit-Arena-LTI", **(headers or {})}
        answer = transport.request(method, url, body, agent, settings.webhook_networks)
    except Forbidden as forbidden:
        raise Refused(
            _("The arena does not ask %(host)s: %(reason)s.", host=urlsplit(url).hostname, reason=forbidden)
        ) from None
    except (OSError, http.client.HTTPException, ValueError):
        raise Refused(_("%(host)s does not answer. Try again in a minute.", host=urlsplit(url).hostname)) from None
    if not 200 <= answer.status < 300:
        asked = urlsplit(url)
        values = {"host": asked.hostname, "status": answer.status, "method": method, "path": asked.path}
        raise Refused(_("%(host)s answered %(status)s to %(method)s %(path)s.", **values))
    return answer


def json_of(answer: Answer) -> Any:
    """Return the JSON of an answer. Raises `Refused` if it is none."""
    try:
        return msgspec.json.decode(answer.body)
    except msgspec.DecodeError:
        raise Refused(_("The platform answered something that is not JSON, or too long.")) from None
