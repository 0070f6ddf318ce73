"""A broker that does not answer or is gone does not reduce a worker's capacity."""

import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from kombu.connection import Connection
from kombu.entity import Exchange, Queue

from tests.workers.services import Broker
from workers.config import TABLES, TRANSPORT
from workers.qos import ReleasingQoS, install


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


@pytest.mark.service
def test_lost_connection_can_be_given_up() -> None:
    """Celery closes it twice, and acknowledges its messages when their tasks end; neither fails."""
    install()
    received: list[Any] = []
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder, closing(Broker(Path(folder))) as broker:
        connection: Any = Connection(broker.url, transport_options=TRANSPORT)  # type: ignore[no-untyped-call]
        work, control = connection.default_channel, connection.channel()
        tables = Queue(TABLES)  # type: ignore[no-untyped-call]
        orders = Queue("orders", Exchange("orders", type="fanout"), auto_delete=True)  # type: ignore[no-untyped-call]
        connection.Consumer([tables], channel=work, callbacks=[lambda _, message: received.append(message)]).consume()
        connection.Consumer([orders], channel=control).consume()
        connection.Producer(work).publish("a doorbell", routing_key=TABLES)
        with suppress(TimeoutError):  # leaves the channel waiting for the next message
            while True:
                connection.drain_events(timeout=0.5)
        broker.close()

        connection.collect(socket_timeout=1)
        connection.close()
        received[0].ack()

    assert work.closed
    assert received[0].acknowledged
