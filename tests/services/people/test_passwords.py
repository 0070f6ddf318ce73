"""Passwords that are allowed, and those that are not."""

import runpy

import pytest
import zxcvbn_rs_py

from arena.games.errors import Refused
from arena.services.people import passwords
from arena.services.people.passwords import ESTIMATED, LONGEST_PASSWORD, check_password


@pytest.mark.parametrize(
    ("password", "complaint"),
    [
        ("short", "12 to 200 characters"),
        ("x" * 201, "12 to 200 characters"),
        ("123456789012", "easy to guess"),
        ("password1234", "easy to guess"),
        ("passwordpassword", "easy to guess"),
        ("qwertyuiop12", "easy to guess"),
        ("aaaaaaaaaaaa", "easy to guess"),
        ("Zebediah.Smith", "must not be your name"),
        ("zebediah.smith1", "easy to guess"),
        ("suitarena2026", "easy to guess"),
    ],
)
def test_guessable_password_is_refused(password: str, complaint: str) -> None:
    """Common passwords, rows of keys, repetitions, the member's name and the arena's are refused."""
    with pytest.raises(Refused, match=complaint):
        check_password(password, "zebediah.smith")


@pytest.mark.parametrize(
    "password",
    ["correct horse battery", "Zebediah rides at noon", "ünïcödé pässwörd ♠", "x7Kq2mPz9RwL", "blue elephant"],
)
def test_other_password_is_allowed(password: str) -> None:
    """No kinds of characters are demanded; the last one has the lowest score that is allowed."""
    check_password(password, "zebediah.smith")


def test_long_passwords_are_estimated_by_their_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate of 200 characters would take more than a second."""
    lengths: list[int] = []
    estimate = zxcvbn_rs_py.zxcvbn

    def noting(password: str, inputs: list[str]) -> zxcvbn_rs_py.Entropy:
        lengths.append(len(password))
        return estimate(password, inputs)

    monkeypatch.setattr(zxcvbn_rs_py, "zxcvbn", noting)

    check_password(("4@8({[<369&#!1/|0$5+7%2" * 9)[:LONGEST_PASSWORD], "alice")

    assert lengths == [ESTIMATED]


def test_hashes_cost_what_rfc_9106_recommends() -> None:
    """The tests' own hasher is cheap; a server's takes 64 MiB and three passes."""
    hasher = runpy.run_path(str(passwords.__file__))["_hasher"]

    assert (hasher.time_cost, hasher.memory_cost) == (3, 65536)
