"""Kombu's count of unacknowledged messages, corrected for a broker that does not answer."""

from typing import Any

from kombu.transport import redis, virtual


class ReleasingQoS(redis.QoS):
    """Counts a message as acknowledged even if the broker could not be notified.

    Kombu would count it as unacknowledged as long as the connection lasts. A broker that does not answer for some
    seconds would leave a worker taking fewer messages at a time than it has processes, or none.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message, and release it locally if that fails."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except Exception:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


def install() -> None:
    """Use `ReleasingQoS` for all connections to Redis and Valkey."""
    redis.Channel.QoS = ReleasingQoS
