"""Parse one upload in a process of its own, caged but without a zygote. Started by `arena.sandbox.first_look`."""

import os
import sys

from . import layers

FOUND = 65
"""Exit status if the upload cannot be parsed; the reason is on the standard output."""
_BOUNDS = layers.KernelLimits(memory=256 << 20, image=0, output=0, cpu=2)
_WANTED = frozenset(layers.LAYERS) - {"descriptors", "chroot", "uid"}
"""Layers that need neither privileges nor a connection to an engine."""


def main(parent: int) -> None:
    """Read an upload from the standard input, enter the cage, and parse it. Raises `layers.Refusal`."""
    from arena.sdk import bundle
    from arena.sdk.faults import Fault

    upload = sys.stdin.buffer.read()
    prepared = layers.prepare(os.getpid())
    child = layers.Child(prepared, 0, parent, layers.CHANNEL, 1, _BOUNDS, False)
    layers.apply(child, _WANTED if prepared.landlock else _WANTED - {"landlock"})
    status = 0
    try:
        for _ in bundle.build(upload):
            pass
    except Fault as fault:
        if fault.kind == "error":
            os.write(1, fault.detail.encode())
            status = FOUND
    finally:
        os._exit(status)
