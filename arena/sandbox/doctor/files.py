"""Small files of the kernel's, which may be missing or closed to us."""

from pathlib import Path


def text(path: str | Path) -> str:
    """What is in the file, without white space around it; empty where it cannot be read."""
    try:
        return Path(path).read_text(errors="replace").strip()
    except (OSError, ValueError):
        return ""


def fields(path: str | Path) -> dict[str, str]:
    """The lines ``name: value`` of a file; empty where it cannot be read."""
    pairs = (line.partition(":") for line in text(path).splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}
