"""Kombu's unacknowledged messages, corrected for a broker that does not answer or is gone."""

from typing import Any

from kombu.transport import redis, virtual


class ReleasingQoS(redis.QoS):
    """Counts a message as acknowledged even if the broker could not be notified.

    Kombu would count it as unacknowledged as long as the connection lasts. A broker that does not answer for some
    seconds would leave a worker taking fewer messages at a time than it has processes, or none.

    Celery gives up a lost connection while tasks are running, and takes the broker's address from its channels. Kombu's
    `AttributeError` for their messages would end the worker. Those messages need nothing: the sweep rings again.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message, and release it locally if that fails. Raises unless the connection was given up."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except Exception:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            if not self._is_given_up():
                raise

    def restore_unacked(self, client: Any = None) -> None:
        """Return the messages to the broker, unless the connection was given up."""
        if self._is_given_up():
            self._delivered.clear()
        else:
            super().restore_unacked(client)  # type: ignore[no-untyped-call]

    def _is_given_up(self) -> bool:
        transport = self.channel.connection
        return transport is None or transport.client is None


def install() -> None:
    """Use `ReleasingQoS` for all connections to Redis and Valkey."""
    redis.Channel.QoS = ReleasingQoS
