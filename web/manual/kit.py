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
        folder = Path(str(files(package)))
        for path in sorted(folder.rglob("*")):
            inner = path.relative_to(folder)
            if path.is_file() and "__pycache__" not in inner.parts and inner.parts[0] != ROOMS:
                yield f"{place}/{inner.as_posix()}", path.read_bytes()
    for name in _ABOUT:
        yield f"{_FOLDER}/{name}", (_DISTRIBUTION.read_text(name) or "").encode()
    yield f"{_FOLDER}/WHEEL", _WHEEL.encode()


def _add(archive: ZipFile, name: str, data: bytes) -> str:
    """Add a file to the wheel, and return its line of RECORD."""
    info = ZipInfo(name)  # with a fixed time, so that equal files make equal wheels
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o100644 << 16
    archive.writestr(info, data)
    digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
