"""Archives for tests: valid ones by `zipfile`, and modifications of them."""

import io
import zipfile
from collections.abc import Mapping

BOT = b"def act(view):\n    return view.legal[0]\n"


def packed(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of these files, in this order; names that end in a slash are folders."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def renamed(archive: bytes, old: str | bytes, new: str | bytes) -> bytes:
    """Return the archive with a name replaced everywhere by one of the same length."""
    old, new = (name if isinstance(name, bytes) else name.encode() for name in (old, new))
    assert len(old) == len(new)
    assert archive.count(old) == 2
    return archive.replace(old, new)


def directory(archive: bytes) -> int:
    """Return the offset of the directory."""
    return archive.index(b"PK\1\2")


def patched(archive: bytes, at: int, data: bytes) -> bytes:
    """Return the archive with the bytes at an offset replaced."""
    return archive[:at] + data + archive[at + len(data) :]
