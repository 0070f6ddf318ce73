"""Parts of lists that are read by the keys of their rows."""

from operator import neg

import pytest

from web.api.lists import encoded, following


@pytest.mark.parametrize(
    ("found", "part", "after"),
    [([], [], None), ([1], [1], None), ([1, 2], [1, 2], None), ([1, 2, 3], [1, 2], -2)],
)
def test_only_a_part_before_further_rows_leads_to_the_next(
    found: list[int], part: list[int], after: int | None
) -> None:
    """The last part has no cursor, even if it is full; another one has the keys of its last row."""
    items = following(found, 2, neg)

    assert list(items.items) == part
    assert items.next == (None if after is None else encoded(after))
