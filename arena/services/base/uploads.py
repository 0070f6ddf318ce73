"""Python files of uploads, read and never run."""

from importlib.util import decode_source
from typing import Final

from arena.games.errors import Refused
from arena.likeness.programs import Unreadable
from arena.sdk.archive import is_archive, read_directory, unpack
from arena.sdk.bundle import CEILING

LARGEST: Final = 512 * 1024
"""Largest size of the Python files of a bot, in bytes; larger programs are not compared."""


def python_files(source: bytes) -> dict[str, str]:
    """Return the text of each Python file of an upload. Raises `Unreadable`."""
    try:
        return {name: decode_source(data) for name, data in _python_files(source).items()}
    except (Refused, SyntaxError, UnicodeDecodeError) as error:
        raise Unreadable(str(error)) from None


def _python_files(source: bytes) -> dict[str, bytes]:
    if not is_archive(source):
        _check_size(len(source))
        return {"bot.py": source}
    members = [member for member in read_directory(source, CEILING.files) if member.name.endswith(".py")]
    _check_size(sum(member.size for member in members))
    whole = memoryview(source)
    return {member.name: b"".join(unpack(whole, member)) for member in members}


def _check_size(size: int) -> None:
    if size > LARGEST:
        raise Unreadable(f"its Python files have {size:,} bytes; at most {LARGEST:,} are compared")
