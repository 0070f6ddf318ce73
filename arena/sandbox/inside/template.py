"""Template processes, from which bots are forked. Nothing in them depends on earlier bots.

Boards recur within a table, so any information that passes from one match to the next is worth a whole deal. A process
that reaps children learns how they ended; therefore the warden reaps them (see `zygote`), and a template does nothing
but fork. It reads one byte, which is always the same, and forks a process that is the warden's child: the template sees
no exit status, usage or process id. Only the child reads the order. The memory of a template is the same, byte for
byte, whatever earlier bots did.

Each seat has a template, in the control group of the seat if there is one, so that a bot's memory is limited from the
start. These templates are themselves forked in the same way from the first one, the root.
"""

import json
import mmap
import os
import signal
import socket
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

from . import layers, libc

REFUSED: Final = 77
"""Exit status of a child that could not apply a layer."""
PACKET: Final = 4096
"""Maximum length of an order in bytes."""
_PROBE_BOUNDS: Final = layers.KernelLimits(memory=256 << 20, image=0, output=1 << 16, cpu=60)


class Ends(NamedTuple):
    """A template's ends of its connections to the warden."""

    go: int
    """Pipe with one byte for each child to fork."""
    orders: socket.socket
    """JSON packets, one for each child, with descriptors.

    Only the child reads its packet; it answers with its process id, or with 0 if it could not start.
    """


class Template(NamedTuple):
    """Data that a template's children share."""

    prepared: layers.Prepared
    serve: Any
    """Module `arena.sdk.serve`."""
    warden: int
    """Process id of the warden."""
    groups: str
    """Folder with a control group for each seat; empty if there are no control groups."""


def serve_forks(template: Template, ends: Ends) -> NoReturn:
    """Fork a child for each byte that arrives, until the warden closes the connection."""
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.read(ends.go, 1):
        if libc.fork_sibling():
            _carry_out_order(template, ends)
    os._exit(0)


def _carry_out_order(template: Template, ends: Ends) -> NoReturn:
    """Read the order, report the process id, close the connection, and carry out the order."""
    status = 1
    try:
        packet, descriptors, _, _ = socket.recv_fds(ends.orders, PACKET, 3)
        order = json.loads(packet)
        moved = order["op"] != "template" or _enter_group(template, order["seat"])
        ends.orders.send((os.getpid() if moved else 0).to_bytes(4, "little"))
        os.close(ends.go)
        ends.orders.close()
        status = _ORDERS[order["op"]](template, order, descriptors)
    finally:
        os._exit(status)


def _enter_group(template: Template, seat: int) -> bool:
    """Move this process into the control group of a seat, if there is one. Return whether that succeeded."""
    try:
        if template.groups:
            libc.write(f"{template.groups}/seat-{seat}/cgroup.procs", "0")
    except OSError:
        return False
    return True


def _become_template(template: Template, order: dict[str, Any], descriptors: Sequence[int]) -> NoReturn:
    go, orders = descriptors
    serve_forks(template, Ends(go, socket.socket(fileno=orders)))


def _become_bot(template: Template, order: dict[str, Any], descriptors: Sequence[int]) -> int:
    channel, output, *image = descriptors
    program = memoryview(mmap.mmap(image[0], 0, mmap.MAP_PRIVATE, mmap.PROT_READ)) if image else None
    wanted = frozenset(order["layers"])
    bounds = layers.KernelLimits(order["memory"], len(program) if program else 0, order["output"], order["cpu"])
    child = layers.Child(template.prepared, order["seat"], template.warden, channel, output, bounds, "chroot" in wanted)
    return _apply_layers(child, wanted) or _serve(template.serve, child, "descriptors" in wanted, program)


def _apply_layers(child: layers.Child, wanted: frozenset[str]) -> int:
    try:
        layers.apply(child, wanted)
    except layers.Refusal as refusal:
        moved = "descriptors" in wanted and refusal.args[0] not in ("session", "descriptors")
        os.write(layers.CHANNEL if moved else child.channel, json.dumps({"refused": refusal.args}).encode())
        return REFUSED
    return 0


def _serve(serve: Any, child: layers.Child, moved: bool, program: memoryview | None) -> int:
    channel = layers.CHANNEL if moved else child.channel
    os.write(channel, b'{"caged":true}')
    serve.capture(1 if moved else child.output, child.bounds.output)
    serve.Service(channel, program).run()
    return 0


def _become_probe(template: Template, order: dict[str, Any], descriptors: Sequence[int]) -> int:
    channel, output = descriptors
    child = layers.Child(template.prepared, order["seat"], template.warden, channel, output, _PROBE_BOUNDS, True)
    found = layers.attempt(child)
    os.write(child.channel if found["descriptors"] else layers.CHANNEL, json.dumps(found).encode())
    return 0


_ORDERS: Final = {"template": _become_template, "fork": _become_bot, "probe": _become_probe}
