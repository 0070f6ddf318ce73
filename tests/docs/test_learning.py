"""The page about bots that learn: its listings run, and its table is that of the code."""

import re
from pathlib import Path
from typing import Any

from arena.cli.random_records import random_match
from arena.games.registry import VARIANTS, rules_of
from arena.sdk import Encoder

PAGE = Path(__file__).parents[2] / "web/manual/learning.md"


def table(variant: str) -> str:
    """Return the parts of a variant as Markdown."""
    encoder = Encoder(rules_of(variant))
    rows = [f"| `{part.name}` | {'&nbsp;×&nbsp;'.join(map(str, part.shape))} | {part.doc} |" for part in encoder.parts]
    head = f"`{variant}`: {encoder.length} numbers, {encoder.choices} actions"
    return "\n".join([head, "", "| part | shape | meaning |", "|---|---|---|", *rows])


def test_table_is_that_of_the_code() -> None:
    """Write it again with `tests.docs.test_learning.table`."""
    assert table(next(iter(VARIANTS))) in PAGE.read_text(encoding="utf-8")


def test_listings_run_one_after_another() -> None:
    """The listings of the page run in order, given a record, and their comments are true."""
    names: dict[str, Any] = {"record": random_match(rules_of("suitability-4"), b"1")}
    listings = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for listing in listings:
        exec(compile(listing, PAGE.name, "exec"), names)  # noqa: S102 - our own page

    assert len(listings) == 5
    assert names["numbers"].shape == (547,)
    assert [*names["legal"].items()][:2] == [(55, "trump:C"), (56, "trump:D")]
    assert [*names["mask"].nonzero()[0]] == [*names["legal"]]
    assert names["observations"].shape == (64, 547)
    assert (names["again"] == names["weights"]).all()
