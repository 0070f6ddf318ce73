"""From an upload to the image of a program, which a bot's process then loads.

Unpacking and compiling what strangers send is done in the cage, by a process that never runs the bot: so an image says
what the upload says, and it cannot have been forged. It is opaque to the engine, which only keeps it and hands it on.
"""

import fcntl
import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from arena.sandbox.limits import MIB, Limits
from arena.sandbox.process import Process
from arena.sdk.faults import Fault
from arena.sdk.serve import REQUEST_LIMIT

IMAGE_LIMIT: Final = 128 * MIB
"""Bytes of the largest image."""
KEPT: Final = 512 * MIB
"""Bytes of all images that are kept."""
MOST: Final = 256
"""How many images are kept at most: each holds a descriptor of the engine's."""
_SEALS: Final = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE

MakeProcess = Callable[[Limits], Process]
"""A new caged process under these limits, without a program. Raises ArenaFault."""


class Image:
    """A program in a sealed file in memory: nobody can change it any more, so that all seats may share it."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.size = os.fstat(descriptor).st_size

    def close(self) -> None:
        """Let go of it. Processes that have loaded it keep it."""
        os.close(self.descriptor)


class Images:
    """The images that a cage has built: those used last, up to a size."""

    def __init__(self) -> None:
        self._images: OrderedDict[tuple[bytes, str], Image] = OrderedDict()

    def get(self, upload: bytes, filename: str, limits: Limits, make: MakeProcess) -> Image:
        """The image of an upload, built now where it is not kept. Raises Fault and ArenaFault."""
        key = (upload, filename)  # bytes remember their hash, so that megabytes are not gone through for every seat
        if key not in self._images:
            self._images[key] = build(upload, filename, limits, make)
        self._images.move_to_end(key)
        while len(self._images) > 1 and (self._bytes() > KEPT or len(self._images) > MOST):
            self._images.popitem(last=False)[1].close()
        return self._images[key]

    def _bytes(self) -> int:
        return sum(len(upload) + image.size for (upload, _), image in self._images.items())

    def close(self) -> None:
        """Let go of all."""
        while self._images:
            self._images.popitem()[1].close()


def build(upload: bytes, filename: str, limits: Limits, make: MakeProcess) -> Image:
    """Have an image made in a process of its own. Raises Fault where it cannot be made, and ArenaFault."""
    process = make(replace(limits, output=IMAGE_LIMIT))
    try:
        process.enter()
        process.ask(limits.load, "build", filename=filename, size=len(upload))
        for at in range(0, len(upload), REQUEST_LIMIT):
            process.send(upload[at : at + REQUEST_LIMIT])
        if not process.answer().done:
            raise process.nonsense()
        descriptor = os.dup(process.output)
    finally:
        process.end()
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    image = Image(descriptor)
    if not image.size:
        image.close()
        raise Fault("protocol", "no program came of it", stage="parse")
    return image
