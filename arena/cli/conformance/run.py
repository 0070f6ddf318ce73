"""Checks of clients against the mock arena, and their reports."""

import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, Final

from arena.cli.bots import seed_bytes
from arena.cli.conformance.server import TOKEN, MockArena
from arena.exits import ExitCode
from arena.remote.connect import Connection
from arena.remote.http import API, Remote
from arena.remote.link import Link
from arena.remote.texts import say
from arena.sdk.player import Player

TABLES: Final = 2
"""Tables that our client plays at a time."""
MATCHES: Final = 300
WAIT: Final = 2.0
"""Seconds for which our client lets a request wait, so that the check is short."""
LOOK_EVERY: Final = 0.2
IDLE: Final = 10.0
"""Seconds after its last table within which a client opens the next one."""
GRACE: Final = 1.0
"""Seconds for which a client may read the last results."""


def check_bot(new_player: Callable[[], Player], wish: dict[str, Any], seed: str) -> ExitCode:
    """Let a bot play at the mock arena through our client."""
    arena = MockArena(seed_bytes(seed))
    link = Link(Remote(arena.url, TOKEN), WAIT)
    link.warn = lambda _: None  # the troubles are meant
    connection = Connection(link, new_player, {**wish, "bots": (), "length": "deal"}, TABLES, MATCHES, WAIT)
    stop = Event()
    Thread(target=_end_in_time, args=(arena, connection, stop), daemon=True).start()
    try:
        connection.run()
    finally:
        stop.set()
        arena.close()
    if connection.errors:
        arena.judge.find("failed at tables: {} errors, see above", connection.errors)
    return report(arena)


def _end_in_time(arena: MockArena, connection: Connection, stop: Event) -> None:
    while arena.met < arena.total and not stop.wait(LOOK_EVERY):
        pass
    connection.end()


def check_client(seed: str, port: int) -> ExitCode:
    """Wait for a client, let it play, and say what it does wrong."""
    arena = MockArena(seed_bytes(seed), port)
    say(f"mock arena: {arena.url}{API}, token: {TOKEN}")
    say("Start your client. A table waits for it already; let it open about five more, one after the other.")
    say("The check ends with all troubles met, or when your client stops. Ctrl-C ends it at once.")
    try:
        watch(arena)
    except KeyboardInterrupt:
        say("interrupted")
    finally:
        arena.close()
    return report(arena)


def watch(arena: MockArena) -> None:
    """Wait until a client has met all troubles and ended its tables, or has stopped."""
    while not _is_over(arena):
        time.sleep(LOOK_EVERY)
    time.sleep(GRACE)


def _is_over(arena: MockArena) -> bool:
    with arena.changed:
        if arena.idle:
            return arena.met == arena.total or arena.judge.quiet > IDLE
        return arena.judge.gives_up()


def report(arena: MockArena) -> ExitCode:
    """Print what a client met, and what it did wrong."""
    say(f"{arena.judge.answers} answers at {len(arena.tables.tables)} tables; {arena.met} of {arena.total} troubles")
    findings = arena.judge.findings()
    for sentence in findings:
        say(f"- The client {sentence}.")
    if not findings:
        say("The client did nothing wrong.")
    if arena.met < arena.total:
        say("Let it play more tables to meet the other troubles.")
    return ExitCode.REFUSED if findings or arena.met < arena.total else ExitCode.DONE
