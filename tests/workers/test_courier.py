"""The courier: slow receivers delay no others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.db.models import Version
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.webhooks import actions, publication, sending
from tests import factories
from tests.services.webhooks.receivers import receiving
from workers.courier import Courier


@pytest.fixture
def arena(sqlite_template: Path, tmp_path: Path) -> Iterator[Arena]:
    """Open an arena whose webhooks may reach this machine."""
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    opened = open_arena(factories.settings_in(tmp_path, ARENA_WEBHOOK_NETWORKS="127.0.0.0/8"))
    yield opened
    opened.close()


def test_slow_receiver_does_not_delay_another(arena: Arena, author: Account) -> None:
    """While one receiver hangs, another gets all its events; the end of the process does not wait for long."""
    version = factories.bot(arena, author, "Eager")
    courier = Courier(arena, 4)
    courier.start()
    with receiving(None) as slow, receiving() as quick:
        for receiver in (slow, quick):
            actions.add(arena, author, receiver.url, ["version.validated"], False)
        for _ in range(3):
            with arena.transaction() as session:
                log.note_version(session, EventKind.VERSION_VALIDATED, session.get_one(Version, version))
        publication.publish(arena)
        courier.wake()
        for _ in range(3):
            assert quick.arrived.acquire(timeout=30)
        assert len(slow.requests) <= 1
        courier.stop()
    assert len(quick.requests) == 3


def test_error_does_not_end_the_courier(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error is logged, and the courier goes on."""
    monkeypatch.setattr(sending, "claim", lambda *_: 1 / 0)
    courier = Courier(arena)
    courier._try(courier.send_all)
    courier.stop()
    assert "courier failed" in capsys.readouterr().out
