"""Fields of views."""

import pytest

from arena.games.base import View


def test_fields_are_the_entries_of_the_data() -> None:
    """Each attribute reads its entry without conversion."""
    legal = ["QS", "2H"]
    view = View({"seat": 3, "phase": "play", "legal": legal})

    assert (view.seat, view.phase) == (3, "play")
    assert view.legal is legal


def test_fields_are_read_only() -> None:
    """A bot cannot change what other code reads from its view."""
    view = View({"seat": 3, "phase": "play", "legal": []})

    with pytest.raises(AttributeError, match="seat cannot be set: a view is read-only"):
        view.seat = 4
    assert view.seat == 3


def test_fields_of_the_class_have_their_docstrings() -> None:
    """`help()` shows what each field means."""
    assert View.seat.__doc__ == "Your seat, 0..n-1 clockwise."
