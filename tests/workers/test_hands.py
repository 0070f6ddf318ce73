"""A broker that does not answer costs a worker no strength."""

from typing import Any
from unittest.mock import MagicMock

import pytest

from workers.hands import Hands


def test_what_cannot_be_acknowledged_is_not_in_hand() -> None:
    """A worker that takes one message at a time takes the next one."""
    channel = MagicMock(do_restore=False)
    broker = channel.conn_or_acquire.return_value.__enter__.return_value
    broker.pipeline.return_value.zrem.return_value.hdel.return_value.execute.side_effect = TimeoutError
    hands: Any = Hands(channel, prefetch_count=1)  # type: ignore[no-untyped-call]
    hands._delivered["a message"] = "its text"
    assert not hands.can_consume()

    with pytest.raises(TimeoutError):
        hands.ack("a message")

    assert hands.can_consume()
