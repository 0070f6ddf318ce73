"""The banner on all pages while a part of the arena keeps failing."""

from datetime import UTC, datetime, timedelta

from arena.services.base.context import Arena
from arena.services.base.outages import FILE, Outage, write
from tests.web.conftest import Person, words

SOON = datetime.now(UTC) + timedelta(hours=6)


def publish(arena: Arena, *outages: Outage) -> None:
    """Publish outages as `arena up` would."""
    arena.settings.run.mkdir(exist_ok=True)
    write(arena.settings.run, outages)


def test_outage_of_workers_is_shown_on_every_page(arena: Arena, visitor: Person) -> None:
    """Pages, forms and error pages give the part, the reason and the time of the next start."""
    publish(arena, Outage("workers", "killed by SIGKILL", SOON))

    for address, status in (("/", 200), ("/register", 200), ("/bots/99", 404)):
        page = words(visitor.visit(address, status))
        assert f"Play is paused. Stopped: workers (killed by SIGKILL). Next start: {SOON:%H:%M:%S} UTC" in page


def test_start_in_progress_is_shown(arena: Arena, visitor: Person) -> None:
    """After the time of the next start the banner says that the part is starting."""
    publish(arena, Outage("broker", "exit status 1", datetime.now(UTC) - timedelta(seconds=1)))

    assert "Stopped: broker (exit status 1). It is starting again now." in words(visitor.visit("/"))


def test_web_server_itself_does_not_pause_play(arena: Arena, visitor: Person) -> None:
    """An outage of the web server is not shown: who reads the page is served."""
    publish(arena, Outage("web", "killed by SIGKILL", SOON))

    assert "Play is paused" not in visitor.visit("/")


def test_ended_outage_is_not_shown(arena: Arena, visitor: Person) -> None:
    """Nothing is shown after the outage, after its supervisor has ended, or if the file is damaged."""
    publish(arena, Outage("workers", "exit status 1", SOON))
    file = arena.settings.run / FILE
    content = file.read_bytes()
    for damaged in (content[:-1], b"", content.replace(b'"supervisor":', b'"supervisor":4')):
        file.write_bytes(damaged)
        assert "Play is paused" not in visitor.visit("/")

    publish(arena)
    assert not file.exists()
    assert "Play is paused" not in visitor.visit("/")
