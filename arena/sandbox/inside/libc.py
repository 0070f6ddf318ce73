"""System calls without a Python function."""

import ctypes
import os
import signal
from typing import Final

from .syscalls import calls_of

_libc: Final = ctypes.CDLL(None, use_errno=True)
_prctl: Final = _libc.prctl
_prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
_syscall: Final = _libc.syscall
_syscall.restype = ctypes.c_long

_NO_ARGUMENTS: Final = (ctypes.c_long(0),) * 4
PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_SECCOMP: Final = 22
PR_CAPBSET_DROP: Final = 24
PR_SET_TSC: Final = 26
PR_TSC_ENABLE: Final = 1
PR_TSC_SIGSEGV: Final = 2
PR_SET_NO_NEW_PRIVS: Final = 38
PR_SET_THP_DISABLE: Final = 41
_CLOSE_RANGE: Final = 436
_CLONE_PARENT: Final = 0x00008000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000


def _raise() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))


def prctl(option: int, *arguments: int) -> int:
    """Call prctl(2). Raises `OSError`."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result: int = _prctl(option, *padded)
    if result < 0:
        _raise()
    return result


def syscall(number: int, *arguments: object) -> int:
    """Make a system call. Arguments are ctypes values or integers that fit an int. Raises `OSError`."""
    result: int = _syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        _raise()
    return result


_syscall_with_gil: Final = ctypes.PyDLL(None).syscall
_syscall_with_gil.restype = None


def fork_sibling() -> bool:
    """Fork a process whose parent is this process's parent. Return whether this is the new process.

    Only for processes with one thread: fork handlers of Python and the C library do not run. The caller keeps no trace
    of the new process, not even its id; its memory is the same after each call. A failed call goes unnoticed here, and
    the new process is expected to report to its parent. Raises `OSError` on an unknown machine.
    """
    pid = os.getpid()
    clone = calls_of(os.uname().machine)[1]["clone"]
    _syscall_with_gil(ctypes.c_long(clone), ctypes.c_long(_CLONE_PARENT | signal.SIGCHLD), *_NO_ARGUMENTS)
    return os.getpid() != pid


def unshare(flags: int) -> None:
    """Call unshare(2). Raises `OSError`."""
    if _libc.unshare(ctypes.c_int(flags)) < 0:
        _raise()


def set_host_name(name: str) -> None:
    """Call sethostname(2). Raises `OSError`."""
    if _libc.sethostname(name.encode(), ctypes.c_size_t(len(name))) < 0:
        _raise()


def protect(pages: range, access: int) -> None:
    """Call mprotect(2) for these addresses. Raises `OSError`."""
    if _libc.mprotect(ctypes.c_void_p(pages.start), ctypes.c_size_t(len(pages)), ctypes.c_int(access)) < 0:
        _raise()


def unmap(pages: range) -> None:
    """Call munmap(2) for these addresses. Raises `OSError`."""
    if _libc.munmap(ctypes.c_void_p(pages.start), ctypes.c_size_t(len(pages))) < 0:
        _raise()


def close_from(lowest: int) -> None:
    """Close every descriptor from this number on. Raises `OSError`."""
    syscall(_CLOSE_RANGE, ctypes.c_uint(lowest), ctypes.c_uint(0xFFFFFFFF), ctypes.c_uint(0))


def read(path: str) -> str:
    """Return the text of a kernel file. Raises `OSError`."""
    with open(path) as file:  # noqa: PTH123 - importing pathlib would slow down every fork
        return file.read()


def write(path: str, text: str) -> None:
    """Write text to a kernel file. Raises `OSError`."""
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
    """Drop every capability of this process, including the ambient ones. Raises `OSError`."""
    if _capset(_HEADER, _NONE) < 0:
        _raise()


def effective_capabilities() -> int:
    """Return the effective capabilities of this process as a bit mask. Raises `OSError`."""
    data = (_CapData * 2)()
    if _libc.capget(_HEADER, ctypes.byref(data)) < 0:
        _raise()
    mask: int = data[0].effective | data[1].effective << 32
    return mask
