"""Attacks on the memory limits, and attempts to execute code in writable memory."""

from typing import Final

from arena.sandbox import Limits
from tests.sandbox.attacks.attack import Attack

SMALL: Final = Limits(memory=64 << 20)
_EXECUTE: Final = """
address = checked("mmap", None, 4096, {protection}, 0x22, -1, 0)
ctypes.memmove(address, CODE, len(CODE))
{then}
return PROOF if run_code(address) == 42 else ""
"""
_STACK: Final = """
        page = ctypes.c_void_p.in_dll(libc, "__libc_stack_end").value & -4096
        page -= 1 << 19  # below all frames
        ctypes.memset(ctypes.c_void_p(page - (1 << 20)), 1, 1 << 20)
"""

MEMORY: Final = (
    Attack(
        "allocate one large object",
        "twice its memory limit",
        "return PROOF if len(bytearray(128 << 20)) else ''",
        ("rlimits",),
        ends="memory",
        limits=SMALL,
    ),
    Attack(
        "allocate many small objects",
        "twice its memory limit, in small pieces",
        "pieces = [bytearray(1 << 16) for _ in range(2000)]\nreturn PROOF",
        ("rlimits",),
        ends="memory",
        limits=SMALL,
    ),
    Attack(
        "allocate memory without Python",
        "twice its memory limit, from the kernel",
        "checked('mmap', None, 128 << 20, 3, 0x22, -1, 0)\nreturn PROOF",
        ("rlimits",),
        limits=SMALL,
    ),
    Attack(
        "reserve memory",
        "twice its memory limit, without committing it",
        "checked('mmap', None, 128 << 20, 3, 0x4022, -1, 0)\nreturn PROOF",
        ("seccomp", "rlimits"),
        limits=SMALL,
    ),
    Attack(
        "extend a mapping",
        "twice its memory limit, by enlarging a small mapping",
        "libc.mremap.restype = ctypes.c_void_p\n"
        "address = ctypes.c_void_p(checked('mmap', None, 4096, 3, 0x22, -1, 0))\n"
        "checked('mremap', address, 4096, 128 << 20, 1)\nreturn PROOF",
        ("seccomp", "rlimits"),
        limits=SMALL,
    ),
    Attack(
        "enlarge pages of the stack",
        "memory that is not counted as data, because it was moved out of the stack",
        _STACK
        + """
        libc.mremap.restype = ctypes.c_void_p
        address = checked("mremap", ctypes.c_void_p(page - (1 << 20)), 4096, 4 << 20, 1)
        return PROOF if ctypes.memset(ctypes.c_void_p(address), 1, 4 << 20) else ""
        """,
        ("seccomp",),
    ),
    Attack(
        "grow the stack in pieces",
        "three stacks, by cutting off the lowest page again and again",
        _STACK
        + """
        for _ in range(3):
            page -= 7 << 20
            ctypes.memset(ctypes.c_void_p(page), 1, 7 << 20)
            libc.munmap(ctypes.c_void_p(page + 4096), 4096)
        return PROOF
        """,
        ("rlimits",),
        ends="crash",
    ),
    Attack(
        "fill page tables",
        "memory outside of all limits: two page tables for each page, by mappings far apart",
        """
        for number in range(4000):
            place = ctypes.c_void_p((1 << 40) + (number << 30))
            ctypes.memset(ctypes.c_void_p(checked("mmap", place, 4096, 3, 0x22, -1, 0)), 1, 1)
        return "all"
        """,
        ("seccomp",),
        ("page_tables",),
        limits=SMALL,
    ),
    Attack(
        "fragment huge pages",
        "2 MiB for each remaining page of a huge one, until the machine runs short of memory",
        """
        address = checked("mmap", None, 4 << 20, 3, 0x22, -1, 0)
        checked("madvise", ctypes.c_void_p(address), 4 << 20, 14)
        return PROOF
        """,
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "fill memory files",
        "memory outside of any process, in memory files",
        "file = checked('memfd_create', b'x', 0)\nfor _ in range(32): os.write(file, bytes(1 << 16))\nreturn PROOF",
        ("seccomp", "rlimits"),
        ends="crash",
    ),
    Attack(
        "fill pipes",
        "memory outside of any process, in the kernel",
        "pipes = [os.pipe() for _ in range(40)]\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "fill queues",
        "memory in the kernel, in a queue that outlives the bot",
        """
        name = f"/arena-attack-{PROOF}".encode()
        try:
            checked("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None)
        finally:
            libc.mq_unlink(name)  # Landlock alone lets it be made, only not opened
        return PROOF
        """,
        ("seccomp", "rlimits", "landlock"),
    ),
    Attack(
        "lock memory",
        "memory that the kernel cannot reclaim",
        "checked('mlock', ctypes.c_void_p(buffer('x' * 4096)), 4096)\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "raise its own limit",
        "more memory, by raising the limit",
        """
        import resource
        for limit in (1 << 40, -1):
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        return PROOF if len(bytearray(128 << 20)) else ""
        """,
        ("seccomp", "uid", "capabilities"),
        host_may_refuse=True,
        limits=SMALL,
    ),
    Attack(
        "map executable memory",
        "its own machine code, in writable and executable memory",
        _EXECUTE.format(protection=7, then=""),
        ("seccomp",),
    ),
    Attack(
        "make memory executable",
        "its own machine code, in memory written first and executed later",
        _EXECUTE.format(protection=3, then="checked('mprotect', ctypes.c_void_p(address), 4096, 5)"),
        ("seccomp",),
    ),
    Attack(
        "make memory executable with a key",
        "its own machine code, by the call for protection keys",
        _EXECUTE.format(protection=3, then="checked('pkey_mprotect', ctypes.c_void_p(address), 4096, 5, -1)"),
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "map a file as executable",
        "its own machine code, from its output",
        """
        os.write(1, CODE)
        address = checked("mmap", None, 4096, 5, 2, 1, 0)
        return PROOF if run_code(address) == 42 else ""
        """,
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "map a memory file as executable",
        "its own machine code, from a memory file",
        """
        file = checked("memfd_create", b"code", 0)
        os.write(file, CODE)
        address = checked("mmap", None, 4096, 5, 2, file, 0)
        return PROOF if run_code(address) == 42 else ""
        """,
        ("seccomp",),
        ends="crash",
    ),
    Attack(
        "make readable memory executable",
        "its own machine code, by a personality in which readable memory is executable",
        _EXECUTE.format(protection=3, then="").replace("address", "checked('personality', 0x400000)\naddress", 1),
        ("seccomp",),
        ends="crash",
        needs=("x86_64",),
        host_may_refuse=True,
    ),
    Attack(
        "create a callback from C",
        "code that libffi generates for a Python function",
        """
        heard, kind = [], ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        callback = kind(lambda a, b: heard.append(PROOF) or 0)
        libc.qsort((ctypes.c_int * 2)(), 2, 4, callback)
        return heard[0]
        """,
        ("seccomp",),
        ends="crash",
        needs=("generated callbacks",),
    ),
)
