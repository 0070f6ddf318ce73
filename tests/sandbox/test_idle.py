"""Idle time: bots pay for waiting, and never for a busy machine. In the cage a wait either ends at once or never."""

import re
from pathlib import Path

import pytest

from arena.games.base import ClockRule
from arena.sandbox import Cage, Limits
from arena.sandbox.idle import Idle
from arena.sdk.faults import Fault
from tests.sandbox.conftest import SETUP, Seat, acting, fault_of
from tests.sandbox.test_clock import BURN, faults, four, match

WAITER = "import queue\ndef act(view):\n    return queue.SimpleQueue().get()"
WAITS_LATER = "import queue\nfrom arena.sdk import Bot\nclass A(Bot):\n act = lambda self, view: view.legal[0]\n"


class Kernel:
    """Simulates the kernel's account of a process that runs, waits for a processor, sleeps or is stopped."""

    def __init__(self, folder: Path, counts: bool = True) -> None:
        self.schedstat = folder / "schedstat"
        self.counts = counts
        self.now = self.cpu = self.waited = self.begun = 0.0
        self.state = "R"
        self.answered = False
        self.idle = Idle(1, lambda: self.state, lambda: self.answered)
        self.idle._schedstat = self.schedstat
        self.note()

    def note(self) -> None:
        """Write the counters, which exclude a wait in progress."""
        if self.counts:
            self.schedstat.write_text(f"{int(self.cpu * 1e9)} {int(self.waited * 1e9)} 7\n")

    def pass_time(self, how: str, seconds: float = 1.0) -> None:
        """Let time pass and take a sample: R runs, W waits, S sleeps, D waits for a disk, T is stopped."""
        self.now += seconds
        if how != "W":
            self.waited, self.begun = self.waited + self.begun, 0.0
        self.cpu += seconds if how == "R" else 0.0
        self.begun += seconds if how == "W" else 0.0
        self.state = "R" if how == "W" else how
        self.note()
        self.idle.sample(self.now, self.cpu)


@pytest.mark.parametrize(
    ("history", "counted", "uncounted"),
    [
        ("RSSS", 3, 2),  # on such a kernel, the first sleep may have begun with a wait
        ("RWWWSRWW", 1, 0),
        ("RRRWWWWWWWWW", 0, 0),
        ("RDDDTTT", 0, 0),
        ("RSDDSS", 3, 1),
        ("RSSWWSS", 4, 2),
        ("RSRS", 2, 0),
    ],
)
def test_only_sleep_counts_as_idle(tmp_path: Path, history: str, counted: int, uncounted: int) -> None:
    """Time running, stopped, or waiting for a processor or a disk is not idle, on kernels of both kinds."""
    for counts, idle in ((True, counted), (False, uncounted)):
        folder = tmp_path / str(counts)
        folder.mkdir()
        kernel = Kernel(folder, counts)
        for how in history:
            kernel.pass_time(how)

        assert kernel.idle.slept == pytest.approx(idle)


def test_sleep_between_samples_counts(tmp_path: Path) -> None:
    """Sleep between two samples counts even if the process runs at every sample."""
    kernel = Kernel(tmp_path)
    for _ in range(100):
        kernel.now += 0.9
        kernel.pass_time("R", 0.1)

    assert kernel.idle.slept == pytest.approx(99 * 0.9 - 1)  # the whole last second may have been a wait


def test_answered_process_is_not_idle(tmp_path: Path) -> None:
    """A process that sleeps because the engine has not read its answer is not idle."""
    kernel = Kernel(tmp_path)
    for how in "RS":
        kernel.pass_time(how)
    kernel.answered = True
    kernel.pass_time("S", 60.0)

    assert kernel.idle.slept == pytest.approx(1.0)


def test_measurement_can_start_before_first_sample(tmp_path: Path) -> None:
    """Earlier waits for a processor count in the bot's favour."""
    kernel = Kernel(tmp_path)
    for how in "RWWS":
        kernel.pass_time(how)
    kernel.idle.begin()
    kernel.idle.start_at(kernel.now, kernel.cpu)
    kernel.pass_time("S", 5.0)

    assert kernel.idle.slept == pytest.approx(3.0)


def test_idle_time_is_measured_per_answer(tmp_path: Path) -> None:
    """Idle time is measured for each answer and added up."""
    kernel = Kernel(tmp_path)
    for seconds in (2.0, 3.0):
        kernel.idle.begin()
        kernel.pass_time("R")
        kernel.pass_time("S", seconds)
        assert kernel.idle.slept == pytest.approx(seconds)

    assert kernel.idle.total == pytest.approx(5.0)


def test_missing_process_is_not_idle(tmp_path: Path) -> None:
    """A process whose files in /proc are gone is not idle."""
    kernel = Kernel(tmp_path)
    kernel.schedstat.unlink()
    for how in "XXX":
        kernel.pass_time(how)

    assert kernel.idle.slept == 0.0


def test_waiting_bot_is_stopped_when_its_bank_is_empty(cage: Cage) -> None:
    """A bot that waits for something that never comes is stopped, and the verdict has the time and the limit."""
    played = match(four(cage, WAITER), ClockRule(9.0, idle=0.3))

    assert faults(played) == [(0, "timeout")]
    assert played.failures[0] is not None
    assert re.fullmatch(
        r"it slept for \d+\.\d s in this match; 0\.3 s a match are allowed", played.failures[0].fault.detail
    )
    assert played.walls[0] > 0.3


def test_cage_limits_sleep_per_answer(seat: Seat) -> None:
    """Without a match clock the cage limits the sleep over one answer."""
    fault = fault_of(seat(acting("import queue\nqueue.SimpleQueue().get()"), Limits(idle=0.2)))

    assert re.fullmatch(r"timeout: it slept for \d+\.\d s over one answer; 0\.2 s are allowed", str(fault))


@pytest.mark.parametrize(
    ("source", "stage"),
    [
        ("import queue\nqueue.SimpleQueue().get()\ndef act(view): pass", "import"),
        (f"{WAITS_LATER} on_start = lambda self: queue.SimpleQueue().get()", "start"),
    ],
)
def test_sleep_while_loading_is_limited(cage: Cage, source: str, stage: str) -> None:
    """Sleep until `on_start` has returned is limited, and the verdict names the stage."""
    player = cage.player(source.encode(), Limits(nap=0.2))
    player.start(SETUP)
    with pytest.raises(Fault) as caught:
        player.ready()
    player.close()

    said = rf"timeout: it slept for \d+\.\d s while loading, at: {stage}; 0\.2 s are allowed"
    assert re.fullmatch(said, str(caught.value))


def test_sleep_in_on_end_is_no_fault(cage: Cage) -> None:
    """A bot that waits in `on_end` has no fault, and the arena waits only for the limit."""
    sleeper = f"{WAITS_LATER} on_end = lambda self, scores, ranks: queue.SimpleQueue().get()"

    assert faults(match(four(cage, *[sleeper] * 4, limits=Limits(nap=0.1)))) == []


def test_waiting_for_a_processor_is_not_sleep(cage: Cage) -> None:
    """A bot that shares its core with another that computes is charged nothing."""
    thinker = BURN + "def act(view):\n    burn(0.05)\n    return view.legal[0]"
    played = match(four(cage, *[thinker] * 4), ClockRule(99.0, idle=0.05))

    assert faults(played) == []
