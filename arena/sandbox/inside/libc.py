"""System calls that Python has no function for."""

import ctypes
import os
from typing import Final

_libc: Final = ctypes.CDLL(None, use_errno=True)
_prctl: Final = _libc.prctl
_prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
_syscall: Final = _libc.syscall
_syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_SECCOMP: Final = 22
PR_CAPBSET_DROP: Final = 24
PR_SET_NO_NEW_PRIVS: Final = 38
_CLOSE_RANGE: Final = 436
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000


def _raise() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))


def prctl(option: int, *arguments: int) -> int:
    """prctl(2). Raises OSError."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result: int = _prctl(option, *padded)
    if result < 0:
        _raise()
    return result


def syscall(number: int, *arguments: object) -> int:
    """Any system call; arguments are ctypes values or Python integers that fit an int. Raises OSError."""
    result: int = _syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        _raise()
    return result


def unshare(flags: int) -> None:
    """unshare(2). Raises OSError."""
    if _libc.unshare(ctypes.c_int(flags)) < 0:
        _raise()


def set_host_name(name: str) -> None:
    """sethostname(2). Raises OSError."""
    if _libc.sethostname(name.encode(), ctypes.c_size_t(len(name))) < 0:
        _raise()


def close_from(lowest: int) -> None:
    """Close every descriptor from this one on. Raises OSError."""
    syscall(_CLOSE_RANGE, ctypes.c_uint(lowest), ctypes.c_uint(0xFFFFFFFF), ctypes.c_uint(0))


def read(path: str) -> str:
    """The text of a file of the kernel's. Raises OSError."""
    with open(path) as file:  # noqa: PTH123 - what pathlib imports would make every fork dearer
        return file.read()


def write(path: str, text: str) -> None:
    """Write to a file of the kernel's. Raises OSError."""
    with open(path, "w") as file:  # noqa: PTH123 - as above
        file.write(text)


class _CapHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapData(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


_CAP_VERSION_3: Final = 0x20080522


_HEADER: Final = ctypes.byref(_CapHeader(_CAP_VERSION_3, 0))
_NONE: Final = ctypes.byref((_CapData * 2)())
_capset: Final = _libc.capset


def capset_none() -> None:
    """Give up every capability of this process, the ambient ones included. Raises OSError."""
    if _capset(_HEADER, _NONE) < 0:
        _raise()


def effective_capabilities() -> int:
    """The effective capabilities of this process as a bit mask. Raises OSError."""
    data = (_CapData * 2)()
    if _libc.capget(_HEADER, ctypes.byref(data)) < 0:
        _raise()
    mask: int = data[0].effective | data[1].effective << 32
    return mask
