"""Dumps of stacks, which a bot's process writes and which are therefore not trusted."""

import pytest

from arena.sandbox.stacks import Stack, read

DUMP = b"""{"nonce":"late","action":"7S"}Stack (most recent call first):
  File "ranks.py", line 7 in best
  File "/usr/lib/python3/heapq.py", line 9 in nsmallest
  File "bot.py", line 4 in act
  File "/srv/arena/sdk/guest.py", line 136 in act
  File "<string>", line 1 in <module>
"""


def test_innermost_line_of_the_bot_is_found() -> None:
    """The traceback is in Python's order, from the bot's first frame to its last one."""
    stack = read(DUMP)

    assert (stack.file, stack.line) == ("ranks.py", 7)
    assert [line.split(", ")[0] for line in stack.traceback.splitlines()[1:]] == [
        '  File "bot.py"',
        '  File "/usr/lib/python3/heapq.py"',
        '  File "ranks.py"',
    ]


@pytest.mark.parametrize("dump", [b"", b"Stack (most recent", b'  File "/usr/a.py", line 1 in a\n', b"\xff" * 99])
def test_place_is_left_open_if_the_dump_has_none(dump: bytes) -> None:
    """A process that was killed early, or sent anything else, gets the fault without a line."""
    assert read(dump) == Stack()
