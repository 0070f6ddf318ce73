"""`scripts/hosts`: play tournaments on several hosts while they are added, cut off, killed and upgraded."""

import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import click

from tests.faults import AHEAD
from tests.hosts.network import create_bridge
from tests.hosts.releases import next_release
from tests.hosts.site import Site
from tests.hosts.store import running_store

Event = Callable[[Site, float], None]


def added(site: Site, _: float) -> None:
    """A host is added, and its clock is ahead."""
    with site.timed(f"a host is added whose clock is {AHEAD // 3600} hours ahead: it finishes a table"):
        site.add_ahead("three")
        site.wait_played("three")


def cut_off(site: Site, seconds: float) -> None:
    """A host is cut off while it plays, and comes back."""
    table = site.cut_while_playing("one")
    back = time.monotonic() + seconds
    with site.timed("a host is cut off: another one finishes its table"):
        site.wait_played_elsewhere("one", table)
    site.wait(lambda: time.monotonic() >= back)
    site.hosts["one"].join()
    with site.timed(f"it is back after {seconds:g} s: it finishes a table"):
        site.wait_played("one")


def lost(site: Site, _: float) -> None:
    """A host loses power while it plays and another of its processes is in a transaction."""
    site.lock("two")
    table = site.cut_while_playing("two")
    site.hosts["two"].die()
    with site.timed("a host loses power in the middle of a transaction: others store results"):
        site.wait_played(*site.hosts)
    with site.timed("another one finishes its table"):
        site.wait_played_elsewhere("two", table)


def upgraded(site: Site, _: float) -> None:
    """A newer release migrates the database while older workers play, and replaces them one by one."""
    site.release = next_release(site.folder / "newer")
    with site.timed("a newer release migrates the database while others play"):
        site.command("migrate")
    assert "is of a newer release" in site.refused("worker")
    with site.timed("a host of the newer release is added: it finishes a table"):
        site.add("four")
        site.wait_played("four")
    for name in site.workers():
        with site.timed("a host is upgraded: it ends its table, and finishes one with the newer release"):
            site.upgrade(name)
            site.wait_played(name)
    site.upgrade("front")


def finished(site: Site) -> None:
    """Every table was played exactly once, and all checks agree."""
    site.end_schedule()
    with site.timed("the rest of the tables", last=True):
        site.finish()
    site.check()
    click.echo(
        "the schedule started a cup and every table was played once; fsck, ratings check and tallies check agree"
    )


EVENTS: Final[dict[str, Event]] = {"added": added, "cut-off": cut_off, "lost": lost, "upgraded": upgraded}


@click.command()
@click.option("--cut", default=60.0, show_default=True, help="Seconds for which a host is cut off.")
@click.option("--lease", default=15.0, show_default=True, help="ARENA_LEASE of all hosts, in seconds.")
@click.option("--event", "events", multiple=True, type=click.Choice(list(EVENTS)), help="Only this; repeatable.")
def main(cut: float, lease: float, events: Sequence[str]) -> None:
    """Play tournaments on several hosts, disturb them, and print the seconds until all was well again."""
    folder = Path(tempfile.mkdtemp(prefix="arena-hosts-", dir="/tmp"))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    try:
        create_bridge()
        with running_store(folder) as urls:
            site = Site(folder, {**urls, "ARENA_LEASE": str(lease)})
            try:
                site.open()
                for event in events or EVENTS:
                    EVENTS[event](site, cut)
                finished(site)
            finally:
                site.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
