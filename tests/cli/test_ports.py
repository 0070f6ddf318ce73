"""Messages of `arena up` about a port that it cannot have."""

import errno

import pytest

from arena.cli import ports
from arena.games.errors import ArenaError


@pytest.mark.parametrize(("taken", "other"), [(8000, 8001), (65534, 65535), (65535, 65534)])
def test_another_port_is_suggested(monkeypatch: pytest.MonkeyPatch, taken: int, other: int) -> None:
    """The next port is named, or the one before if there is no next one."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EADDRINUSE, "in use")

    monkeypatch.setattr("socket.socket.bind", refuse)

    with pytest.raises(ArenaError, match=rf"in use.* Choose another one: ARENA_PORT={other}$"):
        ports.require_free("127.0.0.1", taken)
