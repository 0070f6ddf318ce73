"""Mail to members, by the operator's mail server."""

import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

from arena.games.errors import ArenaFault
from arena.services.base.texts import described
from arena.settings import Settings

PATIENCE: Final = 10.0
"""Seconds that the mail server may take to answer."""
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def send(settings: Settings, to: str, subject: str, text: str, headers: Mapping[str, str] = _NONE) -> None:
    """Send a mail, perhaps with more headers.

    Raises `ArenaFault`, which does not quote the address, if the server cannot be used or refuses.
    """
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.mail_from, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=urlsplit(settings.url or "").hostname)
    message["Auto-Submitted"] = "auto-generated"
    for name, value in headers.items():
        message[name] = value
    message.set_content(text)
    try:
        with _connect(settings.smtp_url or "") as server:
            server.send_message(message)
    except smtplib.SMTPRecipientsRefused:
        raise ArenaFault("The mail server refuses the address of a member.") from None
    except (OSError, smtplib.SMTPException) as error:
        raise ArenaFault(f"The mail server (ARENA_SMTP_URL) cannot be used: {described(error)}") from None


def _connect(url: str) -> smtplib.SMTP:
    parts = urlsplit(url)
    host, secure = parts.hostname or "", ssl.create_default_context()
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=PATIENCE, context=secure)
    else:
        server = smtplib.SMTP(host, parts.port or (25 if parts.scheme == "smtp" else 587), timeout=PATIENCE)
    try:
        if parts.scheme == "smtp+starttls":
            server.starttls(context=secure)
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
    except BaseException:
        server.close()
        raise
    return server
