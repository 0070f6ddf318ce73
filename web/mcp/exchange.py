"""A request of HTTP as the package `mcp` answers it, which expects an ASGI server: here its loop lasts one request."""

from collections.abc import MutableMapping
from functools import partial
from typing import Any

import anyio
from flask import Response, request
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from arena.mcp.server import server
from arena.mcp.tools import Caller, call

Message = MutableMapping[str, Any]


def exchanged(to: Caller, body: bytes) -> Response:
    """Return the answer to the request with this body."""
    given = [(name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in request.headers]
    scope = {
        "type": "http", "method": request.method, "path": request.path, "query_string": b"", "headers": given,
    }  # fmt: skip
    manager = StreamableHTTPSessionManager(server(partial(call, to)), json_response=True, stateless=True)
    begin, *parts = anyio.run(_answered, manager, scope, body)
    headers = [(name.decode("latin-1"), text.decode("latin-1")) for name, text in begin["headers"]]
    return Response(b"".join(part.get("body", b"") for part in parts), begin["status"], headers)


async def _answered(manager: StreamableHTTPSessionManager, scope: Message, body: bytes) -> list[Message]:
    """Return the messages of an answer: its beginning, and its parts."""
    unread, sent = [body], list[Message]()

    async def receive() -> Message:
        if not unread:
            await anyio.sleep_forever()  # nobody knows whether the client is still there
        return {"type": "http.request", "body": unread.pop(), "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async with manager.run():
        await manager.handle_request(scope, receive, send)
    return sent
