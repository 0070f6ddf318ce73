"""Attacks on the memory, descriptors and lives of other processes, and on the limit on processes."""

from typing import Final

from arena.sandbox.zygote import DEFAULT_GROUP_LIMITS
from tests.sandbox.attacks.attack import Attack

APART: Final = ("seccomp", "uid", "capabilities:root", "landlock", "pid")
"""Layers that protect the memory of the engine's processes."""
SEATS_APART: Final = ("seccomp", "uid", "landlock", "not_dumpable")
"""Layers that protect the memory of other seats, which are in the same namespaces."""
UNSIGNALLED: Final = ("seccomp", "uid", "landlock:6", "pid")
SEATS_UNSIGNALLED: Final = ("seccomp", "uid", "landlock:6")

_READ: Final = """
def vector(address, size):
    return (ctypes.c_void_p * 2)(address, size)
mine = ctypes.create_string_buffer(23)
call("process_vm_readv", {pid}, vector(ctypes.addressof(mine), 23), 1, vector({address}, 23), 1, 0)
return mine.raw.decode()
"""
_TRACE: Final = """
libc.ptrace.restype = ctypes.c_long
def ptrace(request, address=0, data=0):
    ctypes.set_errno(0)
    result = libc.ptrace(*map(ctypes.c_long, (request, {pid}, address, data)))
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
ptrace(16)
os.waitpid({pid}, 0x40000000)
words = [ptrace(2, {address} + at) for at in (0, 8, 16)]
ptrace(17)
return struct.pack("3q", *words)[:23].decode()
"""
_FORKED: Final = """
if {how} == 0:
    os.write(1, PROOF.encode())
    os._exit(0)
os.waitpid(-1, 0x40000000)
"""

PROCESSES: Final = (
    Attack(
        "read another process",
        "a secret in the memory of a process of the engine's user",
        _READ.format(pid="VICTIM", address="ADDRESS"),
        APART,
        ("victim",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "write to another process",
        "data in the memory of a process of the engine's user",
        """
        forged = ctypes.create_string_buffer(b"forged")
        vectors = [(ctypes.c_void_p * 2)(address, 6) for address in (ctypes.addressof(forged), ADDRESS)]
        call("process_vm_writev", VICTIM, vectors[0], 1, vectors[1], 1, 0)
        """,
        APART,
        ("victim",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "trace another process",
        "a secret in the memory of another process, as a debugger",
        _TRACE.format(pid="VICTIM", address="ADDRESS"),
        APART,
        ("victim",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "take a descriptor of another process",
        "a memory file that another process has open",
        """
        taken = call("pidfd_getfd", call("pidfd_open", VICTIM, 0), KEPT, 0)
        return os.pread(taken, 99, 0).decode()
        """,
        APART,
        ("victim",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "read another seat",
        "the thoughts of a bot at the same table",
        _READ.format(pid="SEAT", address="SEAT_ADDRESS"),
        SEATS_APART,
        ends="crash",
        seat="",
        needs=("tracing", "reading processes"),
    ),
    Attack(
        "trace another seat",
        "a secret in the memory of another process, as a debugger",
        _TRACE.format(pid="SEAT", address="SEAT_ADDRESS"),
        SEATS_APART,
        ends="crash",
        seat="",
        needs=("tracing",),
    ),
    Attack(
        "be traced by another seat",
        "an accomplice that controls this bot and sees its views",
        "checked('ptrace', 0, 0, 0, 0)\nreturn PROOF",
        ("seccomp",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "kill another process",
        "the life of a process of the engine's user",
        "os.kill(VICTIM, signal.SIGKILL)",
        UNSIGNALLED,
        ("victim",),
    ),
    Attack(
        "kill by a descriptor",
        "the life of a process of the engine's user, by a pidfd",
        "call('pidfd_send_signal', call('pidfd_open', VICTIM, 0), 9, 0, 0)",
        UNSIGNALLED,
        ("victim",),
        ends="crash",
    ),
    Attack(
        "kill by a queued signal",
        "the life of a process of the engine's user, by a signal with a value",
        "checked('sigqueue', VICTIM, 9, None)",
        UNSIGNALLED,
        ("victim",),
    ),
    Attack(
        "kill the zygote",
        "the life of the process that starts all bots",
        "os.kill(os.getppid(), signal.SIGKILL)",
        UNSIGNALLED,
        ("zygote",),
    ),
    Attack(
        "kill another seat",
        "the life of a bot at the same table",
        "os.kill(SEAT, signal.SIGKILL)",
        SEATS_UNSIGNALLED,
        seat="",
    ),
    Attack(
        "kill another seat's thread",
        "the life of a bot at the same table, by the call for threads",
        "checked('tgkill', SEAT, SEAT, signal.SIGKILL)",
        SEATS_UNSIGNALLED,
        seat="",
    ),
    Attack(
        "abort another seat",
        "the life of a bot at the same table, by the signal that a bot may send to itself",
        "checked('tgkill', SEAT, SEAT, signal.SIGABRT)",
        SEATS_UNSIGNALLED,
        seat="",
    ),
    Attack(
        "stop another seat",
        "the time of a bot at the same table",
        "os.kill(SEAT, signal.SIGSTOP)\nos.kill(SEAT, signal.SIGCONT)\nreturn PROOF",
        SEATS_UNSIGNALLED,
        seat="",
    ),
    Attack(
        "kill its group",
        "the lives of all bots of the same zygote, as one group",
        "os.kill(0, signal.SIGKILL)",
        ("seccomp", "uid", "landlock:6", "session"),
        seat="",
    ),
    Attack(
        "signal all processes",
        "all processes that it may signal (with signal 0, because they are this machine's)",
        "checked('kill', -1, 0)\nreturn PROOF",
        ("seccomp",),
    ),
    Attack("fork", "a second process", _FORKED.format(how="os.fork()"), ("seccomp", "rlimits")),
    Attack(
        "vfork",
        "a second process, with a suspended parent",
        _FORKED.format(how="call('clone', 0x4011, 0, 0, 0, 0)"),
        ("seccomp", "rlimits"),
    ),
    Attack(
        "clone",
        "a second process, by the underlying call",
        _FORKED.format(how="call('clone', 17, 0, 0, 0, 0)"),
        ("seccomp", "rlimits"),
    ),
    Attack(
        "clone3",
        "a second process, by the newest call",
        "order = (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17)" + _FORKED.format(how="call('clone3', order, 64)"),
        ("seccomp", "rlimits"),
        host_may_refuse=True,
    ),
    Attack(
        "start a thread",
        "a second thread that computes after the first one has answered",
        """
        import threading
        done = []
        thread = threading.Thread(target=lambda: done.append(PROOF))
        thread.start()
        thread.join()
        return done[0]
        """,
        ("seccomp", "rlimits"),
    ),
    Attack(
        "fork without end",
        "enough processes to keep others from starting any",
        f"""
        children = []
        try:
            while len(children) < {2 * DEFAULT_GROUP_LIMITS.processes}:
                children.append(os.fork())
                if not children[-1]:
                    time.sleep(20)
                    os._exit(0)
            return PROOF
        finally:
            for child in children:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        """,
        ("seccomp", "rlimits", "cgroup"),
    ),
    # A program begins with a new stack, for which the limit has no room.
    Attack(
        "start a program",
        "any program of this machine",
        "os.execve('/bin/sh', ['sh', '-c', f'echo {PROOF}'], {})",
        ("seccomp", "chroot", "landlock", "rlimits"),
        ends="crash",
    ),
    Attack(
        "start a program from memory",
        "its own program, from a memory file",
        """
        program = call("memfd_create", b"program", 0)
        os.write(program, b"#!/bin/echo " + PROOF.encode())
        os.execve(program, ["program"], {})
        """,
        ("seccomp", "chroot", "landlock", "rlimits"),
        ends="crash",
    ),
    Attack(
        "start a program with privileges",
        "a file that only a setuid program may read",
        "os.execve(PROGRAM, ['cat', FILE], {})",
        ("seccomp", "chroot", "landlock", "rlimits", "no_new_privs"),
        ("setuid_program",),
        ends="crash",
        needs=("setuid",),
    ),
    Attack(
        "outlive the arena",
        "CPU time after the process that starts bots was killed",
        "return 'here'",
        ("parent_death", "pid"),
        ("orphan",),
        ends="answer",
    ),
    Attack(
        "refuse to die with the arena",
        "CPU time after the process that starts bots was killed, by cancelling the parent-death signal",
        "checked('prctl', 1, 0, 0, 0, 0)",
        ("seccomp", "pid"),
        ("orphan",),
    ),
    Attack(
        "become dumpable",
        "inspection by other processes of the same user",
        "checked('prctl', 4, 1, 0, 0, 0)\nreturn PROOF if checked('prctl', 3, 0, 0, 0, 0) == 1 else ''",
        ("seccomp",),
    ),
    Attack(
        "use inherited descriptors",
        "descriptors of the zygote or the engine",
        """
        found = []
        for number in [0, *range(4, 4096)]:
            try: os.read(number, 0)
            except OSError: continue
            found.append(number)
        return PROOF if found else ""
        """,
        ("descriptors",),
        ends="answer",
    ),
)
