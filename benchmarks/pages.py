"""The replay of a long match in a browser, beside a page with nothing on it."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import select

from arena.cli import parts
from arena.db.migrate import upgrade
from arena.db.models import Match, Table
from arena.match.record import unpack
from arena.match.replay import replay
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.base.context import Arena, open_arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import stages
from arena.services.work import play
from arena.settings import Settings
from benchmarks.databases import MINIMUM
from benchmarks.load import free_port
from benchmarks.queue import field, process
from benchmarks.results import NOTHING, durations, quartiles, show_progress
from benchmarks.results import Table as Shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

TITLE: Final = "The replay in a browser"
HEAD: Final = ("", "blank", "replay", "more", "target", "reached")
VARIANT: Final = "suitability-4-250"
TABLES: Final = 4
BLANK: Final = "/robots.txt"
OPEN: Final = 0.3
"""Target for opening the replay, in seconds more than the blank page takes."""
SEEK: Final = 0.05
"""Target for showing another step, in seconds more than an animation frame takes."""
STEPS: Final = (0.9, 0.1, 0.5, 1.0, 0.0)
"""Steps to show in turn, as shares of the last."""
PAINTED: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHOWN: Final = f"""async (share) => {{
  const began = performance.now();
  if (share !== null) {{
    const slider = document.querySelector("#replay input[type=range]");
    slider.value = Math.round(share * slider.max);
    slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
  }}
  await {PAINTED};
  return (performance.now() - began) / 1000;
}}"""


class Longest(NamedTuple):
    """The longest match."""

    id: int
    steps: int


def run(rounds: int) -> list[Shown]:
    """Play some long matches, serve the longest, and measure its replay in Chromium."""
    if lack := missing():
        return [Shown(TITLE, lack, HEAD, [])]
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        settings = Settings.from_env(
            {"ARENA_HOME": str(Path(folder) / "home"), "ARENA_PORT": str(free_port()), "ARENA_SANDBOX_MINIMUM": MINIMUM}
        )
        upgrade(settings.database_url)
        arena = open_arena(settings)
        longest = match(arena)
        arena.close()
        settings.logs.mkdir(parents=True, exist_ok=True)
        with process(parts.web(settings)), browser() as page:
            return [measure(page, f"http://127.0.0.1:{settings.port}", longest, rounds)]


def match(arena: Arena) -> Longest:
    """Play tables with many deals, and return the longest match."""
    versions = field(arena)[:4]
    with arena.transaction() as session:
        plan = Plan("long matches", VARIANT, shape={"rounds": TABLES}, boards=1, seatings="single")
        cup = stages.start(session, plan, versions, 1)
        ids = session.scalars(select(Table.id).where(Table.tournament_id == cup)).all()
    settings = arena.settings
    with Cage(settings.sandbox_minimum, limits=limits_of(settings)) as cage:
        for table in ids:
            play.play_table(arena, table, cage, "benchmark")
    with arena.reading() as session:
        records = session.execute(select(Match.id, Match.record)).all()
    return max(
        (Longest(row.id, len(replay(unpack(row.record))["steps"])) for row in records), key=lambda one: one.steps
    )


def missing() -> str:
    """Return what this machine lacks; empty if nothing."""
    if shutil.which("chromium") is None:
        return "Not measured: needs chromium (apt-get install chromium)."
    if find_spec("playwright") is None:
        return "Not measured: needs the environment of the tests (make quick)."
    return ""


@contextmanager
def browser() -> Iterator["Page"]:
    """Open a tab of Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield opened.new_page(viewport={"width": 1280, "height": 800})
        opened.close()


def measure(page: "Page", address: str, longest: Longest, rounds: int) -> Shown:
    """Open both pages and show steps, in turns."""
    seconds: dict[str, list[float]] = {"blank": [], "replay": [], "frame": [], "step": []}
    for number in range(rounds + 1):
        show_progress(f"round {number} of {rounds}")
        seconds["blank"].append(_timed(partial(page.goto, address + BLANK)))
        seconds["frame"].extend(page.evaluate(SHOWN, None) for _ in STEPS)
        seconds["replay"].append(_timed(partial(_open, page, f"{address}/matches/{longest.id}")))
        seconds["step"].extend(page.evaluate(SHOWN, share) for share in STEPS)
    show_progress("")
    # The first round fills the caches.
    blank, opened = (quartiles(seconds[name][1:]) for name in ("blank", "replay"))
    frame, step = (quartiles(seconds[name][len(STEPS) :]) for name in ("frame", "step"))
    rows = [_row("open", blank, opened, OPEN), _row("another step", frame, step, SEEK)]
    notes = (
        f"A match of {longest.steps:,} steps in Chromium at 1280×800 pixels, {rounds} rounds, medians and quartiles.\n"
        "The blank page is a text file of the same server; two animation frames pass without a step, too."
    )
    return Shown(TITLE, notes, HEAD, rows)


def _timed(do: Callable[[], object]) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def _open(page: "Page", address: str) -> None:
    page.goto(address)
    page.wait_for_selector('#replay[aria-busy="false"]')
    page.evaluate(PAINTED)


def _row(title: str, blank: Sequence[float], ours: Sequence[float], goal: float) -> tuple[str, ...]:
    more = ours[1] - blank[1]
    shown = f"{max(0.0, more) * 1000:.0f} ms" if more else NOTHING
    return title, durations(*blank), durations(*ours), shown, f"≤ {goal * 1000:.0f} ms", "yes" if more <= goal else "no"
