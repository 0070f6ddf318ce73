"""How many messages a worker has in hand."""

from typing import Any

from kombu.transport import redis, virtual


class Hands(redis.QoS):
    """Lets go of a message also where the broker cannot be told.

    Kombu would count it as in hand for ever, as long as the connection lasts: a broker that does not answer for some
    seconds would leave a worker with fewer hands than it has, or with none.
    """

    def ack(self, delivery_tag: Any) -> None:
        """The message is dealt with."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except Exception:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


def install() -> None:
    """Have all connections to Redis and Valkey count so."""
    redis.Channel.QoS = Hands
