"""The kit for bot authors: this arena's own package as a wheel, made from the files that run here.

It runs on every system. Where its compiled kernel does not fit, playouts run in Python.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import distribution
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.rooms import ROOMS

_DISTRIBUTION: Final = distribution("suit-arena")
_PLACES: Final = {"arena": "arena", **{name: f"arena/{ROOMS}/{name}" for name in ("bots", "web", "workers")}}
"""Where packages lie in a wheel."""
_DOCS: Final = ("docs", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Files and folders beside the packages that a wheel has in `_TREE`."""
_TREE: Final = "web/docs/tree"
_FOLDER: Final = f"suit_arena-{_DISTRIBUTION.version}.dist-info"
NAME: Final = f"suit_arena-{_DISTRIBUTION.version}-py3-none-any.whl"
"""File name of the wheel."""
_ABOUT: Final = ("METADATA", "entry_points.txt", "licenses/LICENSE")
_WHEEL: Final = "Wheel-Version: 1.0\nGenerator: suit-arena\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@cache
def wheel() -> bytes:
    """Return the wheel. It takes about half a second; processes of one release return the same bytes."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        records = [_add(archive, name, data) for name, data in _contents()]
        _add(archive, f"{_FOLDER}/RECORD", "".join([*records, f"{_FOLDER}/RECORD,,\n"]).encode())
    return made.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    """Return name and content of each file, in a fixed order. Packages come first, as installers prefer."""
    for package, place in _PLACES.items():
        yield from _files(Path(str(files(package))), place)
    root = Path(str(files("web"))).parent
    if not (root / _TREE).exists():
        for name in _DOCS:
            yield from _files(root / name, f"{_PLACES['web']}/docs/tree/{name}")
    for name in _ABOUT:
        yield f"{_FOLDER}/{name}", (_DISTRIBUTION.read_text(name) or "").encode()
    yield f"{_FOLDER}/WHEEL", _WHEEL.encode()


def _files(top: Path, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield place and content of a file, or of all files in a folder but those of other rooms."""
    for path in sorted([top, *top.rglob("*")]):
        inner = path.relative_to(top)
        if path.is_file() and not {"__pycache__", ROOMS} & {*inner.parts}:
            yield (Path(place) / inner).as_posix(), path.read_bytes()


def _add(archive: ZipFile, name: str, data: bytes) -> str:
    """Add a file to the wheel, and return its line of RECORD."""
    info = ZipInfo(name)  # with a fixed time, so that equal files make equal wheels
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o100644 << 16
    archive.writestr(info, data)
    digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
