"""Texts of exceptions are cut to fit into a packet."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.blame import DETAIL_LIMIT, cut, fault_of


@given(st.text(max_size=300), st.integers(20, 400))
def test_text_is_cut_by_size_of_its_json(text: str, size: int) -> None:
    """The result fits, loses as little as possible, and keeps both ends."""
    short = cut(text, size, "…")

    assert len(json.dumps(short)) <= max(size, len(json.dumps("…")))
    if len(json.dumps(text)) <= size:
        assert short == text
    else:
        head, _, tail = short.rpartition("…") if short.count("…") == 1 else (short, "", "")
        assert text.startswith(head)
        assert text.endswith(tail) or short.count("…") != 1
        assert len(json.dumps(short)) > size - 40


def test_sentence_of_the_allowed_length_is_whole() -> None:
    """A longer one ends with an ellipsis."""
    longest = "x" * (DETAIL_LIMIT - len("ValueError: "))

    assert fault_of(ValueError(longest), (), "act").detail == f"ValueError: {longest}"
    assert fault_of(ValueError(longest + "y"), (), "act").detail == f"ValueError: {longest}…"


def fall(depth: int) -> float:
    """Fail `depth` calls deeper."""
    return fall(depth - 1) + 1 if depth else 1 / depth


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(("depth", "marked"), [(10, True), (100, False)])
def test_columns_are_marked_unless_the_stack_is_deep(depth: int, marked: bool, grouped: bool) -> None:
    """Python parses each line whose columns it marks, which would take a bot's time for a move."""
    with pytest.raises(ZeroDivisionError) as raised:
        fall(depth)

    error = ExceptionGroup("several", [raised.value]) if grouped else raised.value
    shown = fault_of(error, (__file__,), "act").traceback

    assert "fall(depth - 1) + 1" in shown
    assert ("^^^" in shown) == marked
