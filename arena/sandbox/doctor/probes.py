"""Attempts by bots to get through one layer, one limit, or the whole cage."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from textwrap import dedent, indent
from typing import Final

from arena.sandbox.cage import group_limits
from arena.sandbox.doctor.host import NAMESPACES
from arena.sandbox.inside.syscalls import ARCHITECTURES
from arena.sandbox.limits import DEFAULT_LIMITS, MIB, Limits
from arena.sandbox.zygote import CGROUP, CLOCKS, EMPTY_BOT

DONE: Final = "done"
"""Answer of a bot that got through. An attack may also bring a secret, or harm a target."""
LIMITS: Final = replace(DEFAULT_LIMITS, memory=64 * MIB, load=10.0, idle=2.0)
CALLS: Final[Mapping[str, int]] = ARCHITECTURES.get(os.uname().machine, (0, {}))[1]
_QUEUES: Final = {"x86_64": (240, 241), "aarch64": (180, 181)}.get(os.uname().machine, (-1, -1))
"""Numbers of mq_open(2) and mq_unlink(2)."""

_TOOLS: Final = """
import ctypes, json, os, resource, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
nonces = []

def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def syscall(number, *arguments):
    return check(libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in (number, *arguments))))

def drop():
    try:  # another user than root, whom several limits do not bind
        os.setresuid(65534, 65534, 65534)
    except OSError:
        pass
    libc.capset(struct.pack("Ii", 0x20080522, 0), bytes(24))
"""


@dataclass(frozen=True)
class Probe:
    """A bot's attempt to get through."""

    name: str
    layer: str
    """Layer or namespace that must stop it alone; empty if the whole cage is attacked."""
    aim: str
    """What it reaches if it gets through."""
    body: str
    """Body of the bot's `act`, in which `_TOOLS` and the constants of the targets are defined."""
    limits: Limits = LIMITS
    moves: int = 1
    slow: bool = False
    """Whether it takes long enough to let others run meanwhile."""

    def source(self, known: Mapping[str, object]) -> bytes:
        """Return the source of the bot, given constants by name."""
        constants = "".join(f"{name} = {value!r}\n" for name, value in known.items())
        return f"{_TOOLS}{constants}\ndef act(view):\n{indent(dedent(self.body), '    ')}".encode()


def _if(condition: str) -> str:
    return f"return 'done' if {condition} else ''"


_MAP: Final = """
import mmap
def fits(size, protection):
    try:
        mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, protection).close()
    except OSError:
        return False
    return True
"""
RLIMITS: Final[dict[str, str]] = {
    # Unwritable memory is not data.
    "RLIMIT_AS": f"{_MAP}{_if(f'fits({4 * LIMITS.memory}, mmap.PROT_READ)')}",
    # Files that become writable are data, but no more address space: what fits as address space is too much data.
    "RLIMIT_DATA": f"""{_MAP}
for line in open("/proc/self/maps").readlines():
    span, rights, _, _, inode, *_ = line.split()
    if rights == "r--p" and inode != "0":
        start, end = (int(at, 16) for at in span.split("-"))
        check(libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(end - start), 3))
size = next(size for size in range({LIMITS.memory}, 0, -(1 << 16)) if fits(size, mmap.PROT_READ))
{_if("fits(size, mmap.PROT_READ | mmap.PROT_WRITE)")}""",
    # The kernel counts ticks, and on a busy machine a process may get fewer of them than it computes.
    "RLIMIT_CPU": "import time\nwhile time.process_time() < 4: pass\nreturn 'done'",
    # The kernel does not count the processes of root.
    "RLIMIT_NPROC": """
        drop()
        if os.getuid() == 0:
            return ""
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)
        return "done"
        """,
    "RLIMIT_FSIZE": f"os.pwrite(os.memfd_create('probe'), b'x', {4 * LIMITS.output})\nreturn 'done'",
    # Not tried: a core dump would stay on this machine, or not be limited because it goes to a program.
    "RLIMIT_CORE": _if("resource.getrlimit(resource.RLIMIT_CORE) != (0, 0)"),
    "RLIMIT_STACK": """
        stack = next(line for line in open("/proc/self/maps").readlines() if "[stack]" in line)
        drop()
        libc.setrlimit(resource.RLIMIT_STACK, struct.pack("QQ", 64 << 20, 64 << 20))
        ctypes.c_char.from_address(int(stack.split()[0].split("-")[1], 16) - (12 << 20)).value
        return "done"
        """,
    "RLIMIT_MEMLOCK": "drop()\ncheck(libc.mlock(ctypes.create_string_buffer(1), 1))\nreturn 'done'",
    "RLIMIT_MSGQUEUE": f"""
        name = b"arena-doctor-%d" % os.getpid()
        syscall({_QUEUES[0]}, name, os.O_CREAT | os.O_RDWR, 0o600, 0)
        syscall({_QUEUES[1]}, name)
        return "done"
        """,
    "RLIMIT_SIGPENDING": """
        import signal
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMAX})
        for _ in range(64):
            check(libc.sigqueue(os.getpid(), signal.SIGRTMAX, ctypes.c_void_p()))
        return "done"
        """,
    "RLIMIT_NOFILE": "[os.dup(1) for _ in range(8)]\nreturn 'done'",
}
"""Bodies that exceed one resource limit and no other, by its name in setrlimit(2)."""
_ONE_SECOND: Final = replace(LIMITS, cpu=1)

PROBES: Final = (
    *(
        Probe(
            name, "rlimits", name, body, _ONE_SECOND if name == "RLIMIT_CPU" else LIMITS,
            slow=name == "RLIMIT_CPU",
        )
        for name, body in RLIMITS.items()
    ),
    Probe("session", "session", "the engine's session", _if("os.getsid(0) != os.getpid()")),
    Probe(
        "descriptors", "descriptors", "a file of the engine",
        """
        for number in [0, *range(4, 64)]:
            try:
                os.fstat(number)
            except OSError:
                continue
            return "done"
        return ""
        """,
    ),
    Probe("chroot", "chroot", "a file of this machine", "open(FILE).close()\nreturn 'done'"),
    Probe("uid", "uid", "a file of the engine's user", "open(PRIVATE).close()\nreturn 'done'"),
    Probe("no_new_privs", "no_new_privs", "the privileges of programs", _if("libc.prctl(39, 0, 0, 0, 0) != 1")),
    Probe("capabilities", "capabilities", "a capability", "os.setgroups([])\nreturn 'done'"),
    Probe(
        "parent_death", "parent_death", "a life after its parent's death",
        f"number = ctypes.c_int()\nlibc.prctl(2, ctypes.byref(number), 0, 0, 0)\n{_if('number.value != 9')}",
    ),
    Probe("not_dumpable", "not_dumpable", "memory that other seats may read", _if("libc.prctl(3, 0, 0, 0, 0)")),
    Probe("landlock", "landlock", "a file of this machine", "open(FILE).close()\nreturn 'done'"),
    Probe("seccomp", "seccomp", "executable memory", "syscall(CALL['mmap'], 0, 4096, 7, 0x22, -1, 0)\nreturn 'done'"),
    *(
        Probe(name, name, f"the engine's {name} namespace", _if(f"os.readlink('/proc/self/ns/{kind}') in OURS"))
        for name, kind in NAMESPACES.items()
    ),
    Probe(
        CLOCKS, CLOCKS, "the time",
        """
        import mmap, time
        if time.time() > 1e9:
            return "done"
        code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
        code.write(bytes.fromhex("0f31c3"))  # rdtsc; ret
        ctypes.CFUNCTYPE(ctypes.c_uint)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
        return "done"
        """,
    ),
    Probe(CGROUP, CGROUP, "the engine's control group", _if("open('/proc/self/cgroup').read().strip() == GROUP")),
    Probe(
        "memory.max", CGROUP, "more memory than the control group of its seat allows",
        f"b'x' * {MIB + LIMITS.output + EMPTY_BOT}\nreturn 'done'", replace(LIMITS, memory=MIB),
    ),
    Probe(
        "pids.max", CGROUP, "more threads than the control group allows",
        f"""
        import _thread
        _thread.stack_size(1 << 16)
        lock = _thread.allocate_lock()
        lock.acquire()
        for _ in range({group_limits(LIMITS).processes + 32}):
            _thread.start_new_thread(lock.acquire, ())
        return "done"
        """,
    ),
)  # fmt: skip
"""Probes of each layer and limit. Each gets through unless its layer holds, whatever the kernel reports about it."""

ATTACKS: Final = (
    Probe("read a file", "", "a file that every user of this machine may read", "return open(FILE).read()"),
    Probe(
        "write a file", "", "a folder in which every user of this machine may write",
        "open(WRITABLE, 'w').write('was here')\nreturn 'done'",
    ),
    Probe(
        "read the environment", "", "the secret key in the environment of another process",
        "return open(f'/proc/{VICTIM}/environ').read().partition('=')[2]",
    ),
    Probe(
        "read another process", "", "the secret key in the memory of another process",
        """
        found = ctypes.create_string_buffer(SIZE)
        here, there = (struct.pack("QQ", at, SIZE) for at in (ctypes.addressof(found), ADDRESS))
        try:
            syscall(CALL["process_vm_readv"], VICTIM, here, 1, there, 1, 0)
        except OSError:
            syscall(CALL["ptrace"], 16, VICTIM, 0, 0)
            os.waitpid(VICTIM, 0x40000000)
            file = os.open(f"/proc/{VICTIM}/mem", os.O_RDONLY)
            found.raw = os.pread(file, SIZE, ADDRESS)
            syscall(CALL["ptrace"], 17, VICTIM, 0, 0)
        return found.raw.decode()
        """,
    ),
    Probe(
        "connect to the network", "", "a server that listens on the loopback address",
        """
        import socket
        with socket.socket() as client:
            client.settimeout(0.5)
            client.connect(("127.0.0.1", PORT))
        return "done"
        """,
    ),
    Probe(
        "start a process", "", "a second process of its own",
        "pid = os.fork()\nif not pid: os._exit(0)\nreturn 'done'",
    ),
    Probe(
        "fill the memory", "", "four times its memory limit", f"bytearray({4 * LIMITS.memory})\nreturn 'done'",
    ),
    Probe(
        "create executable memory", "", "writable and executable memory",
        "syscall(CALL['mmap'], 0, 4096, 7, 0x22, -1, 0)\nreturn 'done'",
    ),
    Probe(
        "forge an answer", "", "an answer with the nonce of an earlier request",
        """
        frame = sys._getframe()
        while "nonce" not in frame.f_locals:
            frame = frame.f_back
        nonces.append(frame.f_locals["nonce"])
        if len(nonces) > 1:
            os.write(3, json.dumps({"nonce": nonces[0], "action": "done"}).encode())
        return "first"
        """,
        moves=2,
    ),
    Probe("kill a process", "", "the life of another process", "os.kill(VICTIM, 9)\nreturn 'done'"),
)  # fmt: skip
"""Attacks on the whole cage. The last one comes last because it may leave no victim for others."""
