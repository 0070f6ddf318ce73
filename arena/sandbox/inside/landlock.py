"""Landlock without rules: no file access, no TCP ports, and no signals to processes outside."""

import ctypes
import os
from typing import Final

from .libc import syscall

CREATE_RULESET: Final = 444
RESTRICT_SELF: Final = 446
_VERSION: Final = 1

_FS_BY_ABI: Final = (0, 0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF)
_NET_SINCE: Final = 4
_SCOPES_SINCE: Final = 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


def abi() -> int:
    """Return the kernel's version of Landlock. Raises `OSError` if it has none."""
    return syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))


def restrict(version: int) -> None:
    """Remove every right that this version can remove from this process. Requires no_new_privs. Raises `OSError`."""
    ruleset, size = _Ruleset(_FS_BY_ABI[min(version, 5)], 0, 0), 8
    if version >= _NET_SINCE:
        ruleset.net, size = 0b11, 16
    if version >= _SCOPES_SINCE:
        ruleset.scoped, size = 0b11, 24
    descriptor = syscall(CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    syscall(RESTRICT_SELF, ctypes.c_int(descriptor), ctypes.c_uint32(0))
    os.close(descriptor)
