"""Packages that bots can import: numpy, and those that the operator adds."""

import pickle
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage, zygote
from tests.sandbox.conftest import Seat, answer, fault_of

USES: Final = """
import io
import numpy as np

def act(view):
    rng = np.random.default_rng(7)
    square = rng.normal(size=(200, 200))
    done = [np.linalg.solve(square, square), np.linalg.svd(square), square @ square, np.fft.fft(square)]
    done += [np.einsum("ij,jk", square, square), np.linalg.eigh(square + square.T), np.sort(square), np.cov(square)]
    done += [np.ma.masked_less(square, 0).mean(), np.polyfit([1, 2, 3], [2, 4, 6], 1), rng.choice(9, p=[1 / 9] * 9)]
    done += [np.rec.array([(1, 2.0)], dtype=[("a", int), ("b", float)]), np.char.upper(np.array(["a"])), repr(square)]
    kept = io.BytesIO()
    np.savez_compressed(kept, weights=square)
    weights = np.load(io.BytesIO(kept.getvalue()))["weights"]
    return f"{np.__version__} {np.array_equal(weights, square)}"
"""
"""A bot that uses the parts of numpy that are imported late, need threads elsewhere, or read files."""


def test_bots_compute_with_numpy(seat: Seat) -> None:
    """Linear algebra, random numbers, masked arrays, printing and archives of weights work in the cage."""
    assert answer(seat(USES)) == f"{np.__version__} True"


MORE_THREADS: Final = """
import ctypes
import numpy as np
LOADED_ONLY = 4

def act(view):
    ctypes.CDLL({library!r}, mode=LOADED_ONLY).scipy_openblas_set_num_threads64_(4)
    np.ones((300, 300)) @ np.ones((300, 300))
    return view.legal[0]
"""


def test_threads_of_a_library_end_in_a_timeout_at_its_line(seat: Seat) -> None:
    """A bot that asks OpenBLAS for threads, which no bot has, times out at the line of the next product."""
    library = next((Path(np.__file__).parents[1] / "numpy.libs").glob("libscipy_openblas64*"))
    fault = fault_of(seat(MORE_THREADS.format(library=library.name)), 0.2)

    assert (fault.kind, fault.line) == ("timeout", 8)


def test_cage_names_its_packages(cage: Cage) -> None:
    """Versions are those that the zygote has loaded."""
    assert cage.packages.keys() == {"python", "numpy"}
    assert cage.packages["numpy"] == np.__version__


def test_refusal_passes_between_processes() -> None:
    """`arena up` looks at the host in another process."""
    refused = zygote.PackageRefused("torch", "it is not installed")

    received = pickle.loads(pickle.dumps(refused))  # noqa: S301 - our own

    assert (str(received), received.name, received.why) == (str(refused), "torch", "it is not installed")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which packages are installed."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_operator_adds_a_package(site: Path) -> None:
    """Bots import it with what it imports, and no other package beside it."""
    (site / "openings.py").write_text("import ledgers\n__version__ = '1.5'\nfirst = ledgers.first\n")
    (site / "ledgers.py").write_text("first = '2C'")
    (site / "secrets_of_the_arena.py").write_text("x = 1")
    with Cage("one", packages=["openings"]) as cage:
        assert cage.packages["openings"] == "1.5"
        assert cage.inspect(b"import openings, ledgers\ndef act(view): return openings.first") is None
        with pytest.raises(Exception, match="No module named 'secrets_of_the_arena'"):
            cage.inspect(b"import secrets_of_the_arena\ndef act(view): return ''")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
         "it starts a thread when it is imported, so that no bot can be forked safely"),
        ("import mmap\nkept = mmap.mmap(-1, 4096, prot=7)",
         "it makes executable memory when it is imported, which no bot may have"),
        ("raise RuntimeError('no licence')", "it cannot be imported (RuntimeError: no licence)"),
        (None, "it is not installed"),
    ],
    ids=["thread", "executable", "error", "missing"],
)  # fmt: skip
def test_unsuitable_package_is_refused_with_the_reason(text: str | None, says: str, site: Path) -> None:
    """The other packages are offered all the same."""
    (site / "openings.py").write_text("")
    if text is not None:
        (site / "unsuitable.py").write_text(text)
    with Cage("one", packages=["unsuitable", "openings"]) as cage:
        assert cage.refused == {"unsuitable": says}
        assert cage.packages.keys() == {"python", "numpy", "openings"}


def test_no_bot_runs_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An arena without numpy would differ from all others."""
    monkeypatch.setattr(zygote, "find_spec", lambda name: None)

    with pytest.raises(ArenaFault, match="bots cannot import numpy: it is not installed"):
        Cage("one").open()
