"""From an upload to the image of a program, which a bot's process loads.

An image is compiled by a process that never runs the bot, and it is loaded by processes that run nothing else.
"""

import marshal
from types import CodeType
from typing import NamedTuple

Buffer = bytes | bytearray | memoryview


class Program(NamedTuple):
    """What is in an image."""

    filename: str
    source: bytes
    code: CodeType


def build(upload: bytes, filename: str) -> bytes:
    """The image of an upload. Raises Fault where it does not compile."""
    from arena.sdk.guest import fault_of

    try:
        code = compile(upload, filename, "exec", dont_inherit=True)
    except BaseException as error:
        raise fault_of(error, filename, "parse") from None
    return marshal.dumps((filename, upload, code))


def read(image: Buffer) -> Program:
    """What is in an image. Only for the process that runs the bot."""
    return Program(*marshal.loads(image))  # noqa: S302 - it is as trustworthy as the bot, and loaded where that runs
