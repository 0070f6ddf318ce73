"""Attacks on how much memory there is, and on memory never holding code that a bot has made."""

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

MEMORY: Final = (
    Attack(
        "one large object",
        "twice the memory that it is allowed",
        "return PROOF if len(bytearray(128 << 20)) else ''",
        ("rlimits",),
        ends="memory",
        limits=SMALL,
    ),
    Attack(
        "many small objects",
        "the same, in small pieces",
        "pieces = [bytearray(1 << 16) for _ in range(2000)]\nreturn PROOF",
        ("rlimits",),
        ends="memory",
        limits=SMALL,
    ),
    Attack(
        "memory past Python",
        "the same, from the kernel",
        "checked('mmap', None, 128 << 20, 3, 0x22, -1, 0)\nreturn PROOF",
        ("rlimits",),
        limits=SMALL,
    ),
    Attack(
        "memory that is only reserved",
        "the same, without asking for it to be there",
        "checked('mmap', None, 128 << 20, 3, 0x4022, -1, 0)\nreturn PROOF",
        ("rlimits",),
        limits=SMALL,
    ),
    Attack(
        "memory by stretching",
        "the same, by making a small mapping larger",
        "libc.mremap.restype = ctypes.c_void_p\n"
        "address = ctypes.c_void_p(checked('mmap', None, 4096, 3, 0x22, -1, 0))\n"
        "checked('mremap', address, 4096, 128 << 20, 1)\nreturn PROOF",
        ("rlimits",),
        limits=SMALL,
    ),
    Attack(
        "memory in files",
        "memory that is in no process, but in files of memory",
        "file = checked('memfd_create', b'x', 0)\nfor _ in range(32): os.write(file, bytes(1 << 16))\nreturn PROOF",
        ("seccomp", "rlimits"),
        ends="crash",
    ),
    Attack(
        "memory in pipes",
        "memory that is in no process, but in the kernel",
        "pipes = [os.pipe() for _ in range(40)]\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "memory in queues",
        "the same, in a queue that outlives the bot",
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
        "memory that is never swapped",
        "memory that the kernel may not take back",
        "checked('mlock', ctypes.c_void_p(buffer('x' * 4096)), 4096)\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "raise its own limit",
        "more memory than it is allowed, by changing what is allowed",
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
        "new executable memory",
        "running machine code of its own, in memory that can be written and run",
        _EXECUTE.format(protection=7, then=""),
        ("seccomp",),
    ),
    Attack(
        "memory made executable",
        "the same, in memory that is first written and then run",
        _EXECUTE.format(protection=3, then="checked('mprotect', ctypes.c_void_p(address), 4096, 5)"),
        ("seccomp",),
    ),
    Attack(
        "memory made executable with a key",
        "the same, by the call with protection keys",
        _EXECUTE.format(protection=3, then="checked('pkey_mprotect', ctypes.c_void_p(address), 4096, 5, -1)"),
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "an executable file mapping",
        "the same, from what it has printed",
        """
        os.write(1, CODE)
        address = checked("mmap", None, 4096, 5, 2, 1, 0)
        return PROOF if run_code(address) == 42 else ""
        """,
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "an executable file in memory",
        "the same, from a file in memory",
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
        "memory of another personality",
        "the same, with the kernel told that all that can be read can be run",
        _EXECUTE.format(protection=3, then="").replace("address", "checked('personality', 0x400000)\naddress", 1),
        ("seccomp",),
        ends="crash",
        needs=("x86_64",),
        host_may_refuse=True,
    ),
    Attack(
        "a callback from C",
        "code that libffi makes for a Python function",
        """
        told, kind = [], ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        callback = kind(lambda a, b: told.append(PROOF) or 0)
        libc.qsort((ctypes.c_int * 2)(), 2, 4, callback)
        return told[0]
        """,
        ("seccomp",),
        ends="crash",
    ),
)
