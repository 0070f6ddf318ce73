"""A demo begins empty, and deletes nothing that is not its own."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.cli import demo
from arena.games.errors import ArenaError, Misconfigured
from arena.settings import Settings
from tests import factories


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return the settings of a demo in an empty home."""
    return replace(factories.settings_in(tmp_path), demo=True)


def test_demo_deletes_what_it_has_stored(settings: Settings, tmp_path: Path) -> None:
    """At the next start only the mark and the lock of the running process are left; links are not followed."""
    demo.clear(settings)
    elsewhere = tmp_path.with_name("elsewhere")
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (settings.home / "link").symlink_to(elsewhere)
    for name in ("arena.db", "up.lock"):
        (settings.home / name).touch()
    (settings.home / "logs").mkdir()

    demo.clear(settings)

    assert {path.name for path in settings.home.iterdir()} == {"demo", "up.lock"}
    assert (elsewhere / "kept").exists()


def test_demo_spares_the_home_of_an_arena(settings: Settings) -> None:
    """A home folder with data of another arena is refused, and left as it is."""
    (settings.home / "arena.db").touch()

    with pytest.raises(ArenaError, match="not a demo's"):
        demo.clear(settings)

    assert [path.name for path in settings.home.iterdir()] == ["arena.db"]


def test_arena_refuses_the_home_of_a_demo(settings: Settings) -> None:
    """Otherwise the demo's next start would delete an arena that is meant to stay."""
    demo.clear(settings)

    with pytest.raises(ArenaError, match="deleted each night"):
        demo.clear(replace(settings, demo=False))


def test_day_ends_at_midnight() -> None:
    """A demo that starts at midnight runs for a whole day."""
    assert demo.seconds_left(datetime(2026, 2, 28, 23, 59, 30, tzinfo=UTC)) == 30
    assert demo.seconds_left(datetime(2026, 2, 28, tzinfo=UTC)) == 24 * 60 * 60


def test_demo_sends_no_mail_and_keeps_its_own_database() -> None:
    """Settings that lead outside have no effect; a database elsewhere is refused."""
    mail = {"ARENA_URL": "https://x.example", "ARENA_MAIL_FROM": "a@x.example", "ARENA_SMTP_URL": "smtp://x.example"}
    login = {"ARENA_OIDC_ISSUER": "https://x.example", "ARENA_OIDC_CLIENT": "a", "ARENA_OIDC_SECRET": "b"}

    found = Settings.from_env({"ARENA_DEMO": "yes", "ARENA_REGISTRATION": "closed", **mail, **login})

    assert (found.smtp_url, found.oidc_issuer, found.registration) == (None, None, "open")
    assert found.home.name == ".arena-demo"
    assert Settings.from_env(found.environ()) == found
    with pytest.raises(Misconfigured, match="ARENA_DATABASE_URL"):
        Settings.from_env({"ARENA_DEMO": "yes", "ARENA_DATABASE_URL": "sqlite:////tmp/arena.db"})
