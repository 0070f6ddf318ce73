"""Helpers at the start of every hostile bot's source."""

import os
from typing import Final

from arena.sandbox.inside.syscalls import ARCHITECTURES

MACHINE: Final = os.uname().machine

TOOLS: Final = '''
import ctypes, errno, os, signal, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
for function in (libc.mmap, libc.shmat):
    function.restype = ctypes.c_void_p

def checked(function, *arguments):
    """Call a function of libc; raises OSError."""
    result = getattr(libc, function)(*arguments)
    if result in (-1, 2**64 - 1):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def call(name, *arguments):
    """A bare system call; raises OSError."""
    number = name if isinstance(name, int) else NUMBERS[name]
    return checked("syscall", *(ctypes.c_long(a) if isinstance(a, int) else a for a in (number, *arguments)))

def request():
    """The request that is being answered, found by walking the frames."""
    frame = sys._getframe()
    while frame:
        for value in frame.f_locals.values():
            if isinstance(value, dict) and "nonce" in value and "op" in value:
                return value
        frame = frame.f_back

def send(packet):
    os.write(3, packet if isinstance(packet, bytes) else packet.encode())

held = None

def buffer(text):
    """Where this text lies in memory, for as long as this process lives."""
    global held
    held = ctypes.create_string_buffer(text.encode())
    return ctypes.addressof(held)

def run_code(address):
    """What machine code at an address returns."""
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()

'''

_RETURN_42: Final = {"x86_64": "b82a000000c3", "aarch64": "40058052c0035fd6"}
NEW_CALLS: Final = {"clone3": 435, "openat2": 437}
"""Calls unknown to the filter; their numbers are the same on every machine."""


def tools(**names: object) -> str:
    """Return the tools and these constants as source."""
    numbers = ARCHITECTURES[MACHINE][1] | NEW_CALLS
    constants = {"MACHINE": MACHINE, "NUMBERS": numbers, "CODE": bytes.fromhex(_RETURN_42[MACHINE]), **names}
    return TOOLS + "".join(f"{name} = {value!r}\n" for name, value in constants.items())
