"""Compile an upload into the image of a program, which each of the bot's processes loads.

A process in the cage that never runs the bot unpacks and compiles the upload, so the bot cannot forge its image. The
engine treats the image as opaque: it only stores it and passes it on.
"""

import fcntl
import math
import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from arena.games.errors import ArenaFault
from arena.sandbox.limits import MIB, Limits
from arena.sandbox.process import Process
from arena.sdk.faults import Fault
from arena.sdk.serve import REQUEST_LIMIT

IMAGE_LIMIT: Final = 128 * MIB
"""Maximum size of an image in bytes."""
CACHE_LIMIT: Final = 512 * MIB
"""Maximum size of all cached images in bytes."""
MAX_IMAGES: Final = 256
"""Maximum number of cached images; each holds one descriptor of the engine."""
_SEALS: Final = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE

MakeProcess = Callable[[Limits], Process]
"""Starts a caged process with these limits and without a program. Raises `ArenaFault`."""


class SealedImage(NamedTuple):
    """A program in a sealed memory file. Nobody can change it, so all seats share it."""

    descriptor: int
    size: int

    def close(self) -> None:
        """Close the file. Processes that have loaded the image keep it."""
        os.close(self.descriptor)


class ImageCache:
    """The most recently used images of a cage, up to `CACHE_LIMIT` and `MAX_IMAGES`."""

    def __init__(self) -> None:
        self._images: OrderedDict[tuple[bytes, str], SealedImage] = OrderedDict()

    def get(self, upload: bytes, filename: str, limits: Limits, make: MakeProcess) -> SealedImage:
        """Return the image of an upload; build it if it is not cached. Raises `Fault` or `ArenaFault`."""
        key = (upload, filename)  # bytes cache their hash, so megabytes are hashed once and not for every seat
        if key not in self._images:
            self._images[key] = build(upload, filename, limits, make)
        self._images.move_to_end(key)
        while len(self._images) > 1 and (self._bytes() > CACHE_LIMIT or len(self._images) > MAX_IMAGES):
            self._images.popitem(last=False)[1].close()
        return self._images[key]

    def _bytes(self) -> int:
        return sum(len(upload) + image.size for (upload, _), image in self._images.items())

    def close(self) -> None:
        """Close all images."""
        while self._images:
            self._images.popitem()[1].close()


def build(upload: bytes, filename: str, limits: Limits, make: MakeProcess) -> SealedImage:
    """Build an image in a separate process.

    Raises `Fault` if the upload cannot be built, `ArenaFault` if the arena fails.
    """
    process = make(replace(limits, output=IMAGE_LIMIT))
    try:
        process.enter()
        process.ask(limits.load, "build", math.inf, filename=filename, size=len(upload))
        for at in range(0, len(upload), REQUEST_LIMIT):
            process.send(upload[at : at + REQUEST_LIMIT])
        if not process.answer().done:
            raise process.wrong_kind()
        image = _sealed_copy(process.output)
    except OSError as error:
        raise ArenaFault(f"a program could not be stored: {error.strerror}") from None
    finally:
        process.end()
    if not image.size:
        image.close()
        raise Fault("protocol", "building it produced no program", stage="parse")
    return image


def _sealed_copy(output: int) -> SealedImage:
    """Return a sealed copy of a memory file.

    The copy belongs to the engine and counts towards no bot's control group.
    """
    descriptor = os.memfd_create("arena-image", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        size, copied = os.fstat(output).st_size, 0
        while copied < size:
            copied += os.sendfile(descriptor, output, copied, size - copied)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    except BaseException:
        os.close(descriptor)
        raise
    return SealedImage(descriptor, size)
