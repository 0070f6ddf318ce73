"""State of the broker."""

from typing import NamedTuple

import redis

from workers.config import TABLES, URGENT

LOOK = 2.0
"""Seconds to wait for a broker's answer."""


class Broker(NamedTuple):
    """A broker that answers."""

    memory: int
    """Memory that it uses, in bytes."""
    doorbells: int
    """Number of doorbells that no worker has taken."""


def look(url: str | None, timeout: float = LOOK) -> Broker | None:
    """Return the state of the broker at this URL; None if it does not answer, or none is configured."""
    if url is None:
        return None
    try:
        with connection(url, timeout) as client:
            memory = client.info("memory")["used_memory"]
            return Broker(int(memory), sum(int(client.llen(queue)) for queue in (URGENT, TABLES)))
    except (redis.RedisError, OSError):
        return None


def connection(url: str, timeout: float = LOOK) -> redis.Redis:
    """Return a connection to a broker; `timeout` in seconds is that of connecting and of each answer."""
    plain = url.replace("redis+socket:", "unix:")
    return redis.Redis.from_url(plain, socket_timeout=timeout, socket_connect_timeout=timeout)
