"""A mail server for tests."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


class Mailbox:
    """Handler that keeps every mail, unless it refuses its recipient."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.url = ""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        """Refuse a recipient named nobody."""
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail."""
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


@contextmanager
def serving() -> Iterator[Mailbox]:
    """Run a mail server on a free port of this machine."""
    box = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(box, "127.0.0.1", port)
    box.url = f"smtp://127.0.0.1:{port}"
    controller.start()
    try:
        yield box
    finally:
        controller.stop()
