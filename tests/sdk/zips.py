"""Archives for tests: honest ones by `zipfile`, and what can be done to them."""

import io
import zipfile
from collections.abc import Mapping

BOT = b"def act(view):\n    return view.legal[0]\n"


def packed(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these files, in this order; names that end in a slash are folders."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def renamed(archive: bytes, old: str | bytes, new: str | bytes) -> bytes:
    """The archive with a name of the same length in place of another, everywhere."""
    old, new = (name if isinstance(name, bytes) else name.encode() for name in (old, new))
    assert len(old) == len(new)
    assert archive.count(old) == 2
    return archive.replace(old, new)


def directory(archive: bytes) -> int:
    """Where the directory begins."""
    return archive.index(b"PK\1\2")


def patched(archive: bytes, at: int, data: bytes) -> bytes:
    """The archive with these bytes in place of those at an offset."""
    return archive[:at] + data + archive[at + len(data) :]
