"""No clock of real time: every clock that a bot can read is the CPU time of its own process.

Boards recur within a table. A bot that can read real time can end a match at a moment that tells its next match where
the cards lie, and two seats can talk by their thinking times. The filter refuses all system calls that read real time
or wait for it. This layer removes the sources that need no call, once, before the processes that fork bots:

- The clocks that the kernel maps into each process (vdso(7)) are replaced by calls for the CPU clock.
- The pages with the time that they read are unmapped.
- The processor's counter (`rdtsc`) is switched off; reading it ends the process.

A bot can undo none of it with the calls that the filter allows.
"""

import ctypes
import mmap
import os
from collections.abc import Iterator
from typing import Final

from . import libc

_GETTIME: Final = (
    "bf 03 00 00 00"  # mov edi, CLOCK_THREAD_CPUTIME_ID
    "b8 e4 00 00 00"  # mov eax, clock_gettime
    "0f 05"  # syscall
)
_STUBS: Final = {
    "__vdso_clock_gettime": _GETTIME + "c3",  # ret
    "__vdso_clock_getres": (
        "bf 03 00 00 00"  # mov edi, CLOCK_THREAD_CPUTIME_ID
        "b8 e5 00 00 00"  # mov eax, clock_getres
        "0f 05"  # syscall
        "c3"  # ret
    ),
    "__vdso_gettimeofday": (
        "48 85 ff"  # test rdi, rdi
        "74 21"  # jz to the last line
        "48 89 fe" + _GETTIME +  # mov rsi, rdi
        "48 8b 46 08"  # mov rax, [rsi + 8]
        "31 d2"  # xor edx, edx
        "b9 e8 03 00 00"  # mov ecx, 1000
        "48 f7 f1"  # div rcx
        "48 89 46 08"  # mov [rsi + 8], rax
        "31 c0 c3"  # xor eax, eax; ret
    ),
    "__vdso_time": (
        "57"  # push rdi
        "48 83 ec 10"  # sub rsp, 16
        "48 89 e6" + _GETTIME +  # mov rsi, rsp
        "58 5a 5f"  # pop rax, the seconds; pop rdx; pop rdi
        "48 85 ff"  # test rdi, rdi
        "74 03"  # jz to the last line
        "48 89 07"  # mov [rdi], rax
        "c3"  # ret
    ),
    "__vdso_getrandom": (
        "49 ff c0"  # inc r8, which is -1 when a program asks for the size of its state
        "74 08"  # jz past the first ret
        "b8 3e 01 00 00"  # mov eax, getrandom
        "0f 05"  # syscall
        "c3"  # ret
        "48 c7 c0 da ff ff ff"  # mov rax, -ENOSYS
        "c3"  # ret
    ),
}  # fmt: skip
"""Machine code for x86-64 of the functions that the kernel maps, by name; `getcpu` stays."""
_LIBRARY: Final = "linux-vdso.so.1"
_FUNCTIONS: Final = "[vdso]"
_DATA: Final = "[vvar"
"""Names of the mapped functions and of the two mappings with their data; the second is newer."""


def remove() -> str:
    """Remove the clocks from this process and all that it forks. Return the reason if that failed, or an empty text."""
    try:
        if os.uname().machine != "x86_64":
            return "only x86-64 processors have a switch for their counter"
        functions, data = _mapped()
        libc.prctl(libc.PR_SET_TSC, libc.PR_TSC_SIGSEGV)
        try:
            _replace(functions, list(_code()))
        except OSError:
            libc.prctl(libc.PR_SET_TSC, libc.PR_TSC_ENABLE)  # or reading a clock would end the process
            raise
        for pages in data:
            libc.unmap(pages)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _mapped() -> tuple[range, list[range]]:
    """Return the addresses of the kernel's functions and of their data. Raises `OSError` if there are none."""
    found: dict[str, list[range]] = {}
    for line in libc.read("/proc/self/maps").splitlines():
        name = line.split()[-1]
        if name == _FUNCTIONS or name.startswith(_DATA):
            low, high = line.split()[0].split("-")
            found.setdefault(name, []).append(range(int(low, 16), int(high, 16)))
    if _FUNCTIONS not in found:
        raise OSError(0, "the kernel maps no functions into this process")
    (functions,) = found.pop(_FUNCTIONS)
    return functions, [pages for each in found.values() for pages in each]


def _code() -> Iterator[tuple[int, bytes]]:
    """Yield the address of each of the kernel's functions and its new code. Raises `OSError` if it does not fit."""
    library = ctypes.CDLL(_LIBRARY)
    found = {name: getattr(library, name) for name in _STUBS if hasattr(library, name)}
    addresses = sorted((ctypes.cast(function, ctypes.c_void_p).value or 0, name) for name, function in found.items())
    for (address, name), (following, _) in zip(addresses, [*addresses[1:], (1 << 64, "")], strict=True):
        code = bytes.fromhex(_STUBS[name])
        if address + len(code) > following:
            raise OSError(0, f"the kernel's {name} is too short to be replaced")
        yield address, code


def _replace(functions: range, code: list[tuple[int, bytes]]) -> None:
    """Write code into the kernel's functions. Raises `OSError` if they are sealed."""
    libc.protect(functions, mmap.PROT_READ | mmap.PROT_WRITE)
    for address, new in code:
        ctypes.memmove(address, new, len(new))
    libc.protect(functions, mmap.PROT_READ | mmap.PROT_EXEC)
