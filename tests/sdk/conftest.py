"""The compiled kernel."""

from pathlib import Path

import pytest

import hatch_build
from arena.sdk.kernel import compiled
from arena.sdk.kernel.compiled import Kernel


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library compiled from this `kernel.c`."""
    made = tmp_path_factory.mktemp("kernel") / "kernel.bin"
    if not hatch_build.local_compiler():
        pytest.skip("this machine has no C compiler")
    assert hatch_build.compile_kernel(compiled.SOURCE, made) == ""
    return made


@pytest.fixture(scope="session")
def in_c(library: Path) -> Kernel:
    """Return the compiled kernel."""
    return Kernel(library)
