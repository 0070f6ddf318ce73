"""Mail, and what happens if it cannot be sent."""

import smtplib
from typing import Any, Self

import pytest

from arena.games.errors import ArenaFault
from arena.services.people import mail
from arena.settings import Settings
from tests.services.people.mailbox import serving


def settings(url: str) -> Settings:
    """Return settings with this mail server."""
    return Settings.from_env(
        {"ARENA_URL": "https://arena.example", "ARENA_SMTP_URL": url, "ARENA_MAIL_FROM": "arena@arena.example"}
    )


class Server:
    """Stand-in for a connection with a mail server; notes what is done."""

    steps: list[tuple[object, ...]]

    def __init__(self, host: str, port: int, timeout: float, context: object = None) -> None:
        self.steps.append((host, port, "encrypted" if context else "plain"))

    def starttls(self, context: object) -> None:
        """Note the change to an encrypted connection."""
        self.steps.append(("starttls",))

    def login(self, user: str, password: str) -> None:
        """Note the log-in."""
        self.steps.append((user, password))
        if password == "wrong":
            raise smtplib.SMTPAuthenticationError(535, b"no")

    def send_message(self, message: Any) -> None:
        """Note the recipient."""
        self.steps.append((message["To"],))

    def close(self) -> None:
        """Note the end after an error."""
        self.steps.append(("closed",))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The stand-in for a mail server and its mails."""
    Server.steps = []
    monkeypatch.setattr(smtplib, "SMTP", Server)
    monkeypatch.setattr(smtplib, "SMTP_SSL", Server)
    return Server.steps


def test_mail_arrives() -> None:
    """A mail has a sender, a recipient, a subject and a text, and says that a program wrote it."""
    with serving() as box:
        mail.send(settings(box.url), "ann@example.org", "Choose a new password", "Open this link:\n\nhttps://…\n")

    [got] = box.mails
    assert (got["From"], got["To"], got["Subject"]) == (
        "arena@arena.example", "ann@example.org", "Choose a new password",
    )  # fmt: skip
    assert got.get_content().replace("\r\n", "\n") == "Open this link:\n\nhttps://…\n"
    assert got["Auto-Submitted"] == "auto-generated"
    assert got["Message-ID"].endswith("@arena.example>")


def test_refused_recipient_is_not_quoted() -> None:
    """The error goes to the log, where addresses of members have no place."""
    with serving() as box, pytest.raises(ArenaFault, match="refuses the address of a member") as caught:
        mail.send(settings(box.url), "nobody@example.org", "Subject", "Text")

    assert "example" not in str(caught.value)


def test_missing_mail_server_is_an_error_of_the_arena() -> None:
    """The message names the setting."""
    with serving() as box:
        url = box.url

    with pytest.raises(ArenaFault, match=r"The mail server \(ARENA_SMTP_URL\) cannot be used: ConnectionRefusedError"):
        mail.send(settings(url), "ann@example.org", "Subject", "Text")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example", [("mail.example", 25, "plain")]),
        ("smtp+starttls://mail.example", [("mail.example", 587, "plain"), ("starttls",)]),
        ("smtps://mail.example", [("mail.example", 465, "encrypted")]),
        ("smtps://u%40x:p%3Aw@mail.example:4650", [("mail.example", 4650, "encrypted"), ("u@x", "p:w")]),
    ],
)
def test_encryption_follows_the_url(url: str, expected: list[object], steps: list[tuple[object, ...]]) -> None:
    """A connection that should be encrypted is never used before it is."""
    mail.send(settings(url), "ann@example.org", "Subject", "Text")

    assert steps == [*expected, ("ann@example.org",)]


def test_refused_log_in_closes_the_connection(steps: list[tuple[object, ...]]) -> None:
    """Nothing is sent."""
    with pytest.raises(ArenaFault, match="SMTPAuthenticationError"):
        mail.send(settings("smtps://u:wrong@mail.example"), "ann@example.org", "Subject", "Text")

    assert steps[-1] == ("closed",)
