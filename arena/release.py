"""The release of Suit Arena: a version by semver.org, set in `pyproject.toml` alone."""

from functools import cache
from importlib.metadata import version


@cache
def release() -> str:
    """Return the release that this process runs."""
    return version("suit-arena")
