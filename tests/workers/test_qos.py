"""A broker that does not answer does not reduce a worker's capacity."""

from typing import Any
from unittest.mock import MagicMock

import pytest

from workers.qos import ReleasingQoS


def test_failed_acknowledgement_releases_the_message() -> None:
    """A worker that takes one message at a time can take the next one."""
    channel = MagicMock(do_restore=False)
    broker = channel.conn_or_acquire.return_value.__enter__.return_value
    broker.pipeline.return_value.zrem.return_value.hdel.return_value.execute.side_effect = TimeoutError
    qos: Any = ReleasingQoS(channel, prefetch_count=1)  # type: ignore[no-untyped-call]
    qos._delivered["a message"] = "its text"
    assert not qos.can_consume()

    with pytest.raises(TimeoutError):
        qos.ack("a message")

    assert qos.can_consume()
