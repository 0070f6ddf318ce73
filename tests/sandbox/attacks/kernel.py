"""Attacks on privileges and on parts of the kernel that no bot needs."""

from typing import Final

from tests.sandbox.attacks.attack import Attack

UNPRIVILEGED: Final = ("seccomp", "uid", "capabilities")
"""Layers that keep a bot of a root zygote from root's privileges."""

KERNEL: Final = (
    Attack(
        "become root",
        "the privileges of root",
        "try: os.setresuid(0, 0, 0)\nexcept OSError: pass\nreturn ''",
        ("uid",),
        ("no_root",),
        ends="answer",
        needs=("root",),
    ),
    Attack(
        "become another user",
        "the user of another seat",
        "os.setresuid(54321, 54321, 54321)\nreturn PROOF",
        UNPRIVILEGED,
        needs=("root",),
    ),
    Attack(
        "raise its priority",
        "the processor, by a higher priority than any other process",
        "os.nice(-5)\nreturn PROOF",
        UNPRIVILEGED,
        needs=("root",),
        host_may_refuse=True,
    ),
    Attack(
        "change the root",
        "another root directory",
        "checked('chroot', b'/')\nreturn PROOF",
        UNPRIVILEGED,
        ends="crash",
        needs=("root",),
    ),
    Attack(
        "rename the machine",
        "this machine's host name",
        "import socket\nsocket.sethostname('owned')",
        (*UNPRIVILEGED, "uts"),
        ("host_name",),
        ends="crash",
        needs=("own host name",),
    ),
    Attack(
        "mount",
        "the content of a folder as others see it",
        """
        place = FOLDER.encode()
        checked("mount", b"none", place, b"tmpfs", 0, None)
        checked("umount2", place, 2)
        return PROOF
        """,
        (*UNPRIVILEGED, "chroot", "landlock"),
        ("full_folder",),
        ends="crash",
        needs=("root",),
        host_may_refuse=True,
    ),
    Attack(
        "enter a new user namespace",
        "all capabilities in its own namespace, and with them most of the kernel",
        "checked('unshare', 0x10000000)\nreturn PROOF",
        ("seccomp", "chroot"),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "start a process in new namespaces",
        "all capabilities, in a new process",
        "if call('clone', 0x10000011, 0, 0, 0, 0) == 0:\n    os.write(1, PROOF.encode())\n    os._exit(0)\n"
        "os.waitpid(-1, 0x40000000)",
        ("seccomp", "chroot", "rlimits"),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "enter the engine's namespaces",
        "the engine's network, from a cage without one",
        "checked('setns', os.open(f'/proc/{VICTIM}/ns/net', os.O_RDONLY), 0)\nreturn PROOF",
        (*UNPRIVILEGED, "chroot", "landlock"),
        ("victim",),
        needs=("root",),
        host_may_refuse=True,
    ),
    Attack(
        "load programs into the kernel",
        "code in the kernel (bpf)",
        "order = (ctypes.c_uint32 * 32)()\n"
        "try: call('bpf', 11, order, ctypes.c_size_t(128))\n"
        "except PermissionError: raise\n"
        "except OSError: pass\n"
        "return PROOF",
        UNPRIVILEGED,
        ends="crash",
        needs=("root",),
        host_may_refuse=True,
    ),
    Attack(
        "read counters of the processor",
        "the processor's activity, also for others (perf)",
        "order = struct.pack('IIQ', 1, 128, 0) + bytes(24) + struct.pack('Q', 1 << 5 | 1 << 6) + bytes(80)\n"
        "call('perf_event_open', order, 0, ctypes.c_long(-1), ctypes.c_long(-1), 0)\nreturn PROOF",
        ("seccomp",),
        needs=("counters",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "create a ring of calls",
        "system calls that no filter sees (io_uring)",
        "call('io_uring_setup', 8, (ctypes.c_uint32 * 30)())\nreturn PROOF",
        ("seccomp", "rlimits"),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "handle page faults",
        "a pause of the kernel in the middle of a copy (userfaultfd)",
        "call('userfaultfd', 1)\nreturn PROOF",
        ("seccomp",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "read the kernel's keys",
        "a secret in the engine's keyring",
        """
        found = call("request_key", b"user", NAME, None, 0)
        secret = ctypes.create_string_buffer(64)
        call("keyctl", 11, found, secret, ctypes.c_size_t(64), 0)
        return secret.value.decode()
        """,
        ("seccomp",),
        ("key",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "compare processes",
        "resources that another seat shares with others (kcmp)",
        "call('kcmp', os.getpid(), SEAT, 1, 0, 0)\nreturn PROOF",
        ("seccomp", "uid", "landlock", "not_dumpable"),
        ends="crash",
        seat="",
        needs=("tracing", "kcmp"),
    ),
    Attack(
        "attach shared memory",
        "a System V segment of another program",
        "return ctypes.string_at(checked('shmat', checked('shmget', KEY, 0, 0), None, 0), SIZE).decode()",
        ("seccomp", "ipc"),
        ("shared_memory",),
    ),
    Attack(
        "read a message queue",
        "a message in a System V queue of another program",
        """
        message = ctypes.create_string_buffer(8 + SIZE)
        checked("msgrcv", checked("msgget", KEY, 0), message, ctypes.c_size_t(SIZE), ctypes.c_long(0), 0o4000)
        return message.raw[8:].decode()
        """,
        ("seccomp", "ipc"),
        ("message_queue",),
    ),
    Attack(
        "remove a semaphore",
        "a System V semaphore that another program uses",
        "checked('semctl', checked('semget', KEY, 1, 0), 0, 0)",
        ("seccomp", "ipc", "uid"),
        ("semaphore",),
    ),
    Attack(
        "open POSIX shared memory",
        "a segment of another program, a file in /dev/shm",
        "return os.read(checked('shm_open', NAME.encode(), 0, 0), 99).decode()",
        ("seccomp", "chroot", "landlock"),
        ("posix_memory",),
    ),
    Attack(
        "read a POSIX queue",
        "a message in a queue of another program",
        """
        message = ctypes.create_string_buffer(8192)
        queue = checked("mq_open", NAME, os.O_RDONLY | os.O_NONBLOCK)
        checked("mq_receive", queue, message, ctypes.c_size_t(8192), None)
        return message.value.decode()
        """,
        ("seccomp", "ipc", "landlock"),
        ("posix_queue",),
    ),
    Attack(
        "make x32 calls",
        "call numbers that a filter may have missed",
        "call(0x40000000 + 39)\nreturn PROOF",
        ("seccomp",),
        ends="crash",
        needs=("x86_64",),
        host_may_refuse=True,
    ),
    Attack(
        "read the time that the kernel maps",
        "the time at which a match begins, from functions that need no system call",
        "return PROOF if time.time() > 1e9 else ''",
        ("clocks",),
        ends="answer",
    ),
    Attack(
        "read the processor's counter",
        "the time at which a match begins, from an instruction",
        """
        place = checked("mmap", None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))
        ctypes.memmove(place, bytes.fromhex("0f31c3"), 3)
        run_code(place)
        return PROOF
        """,
        ("clocks", "seccomp"),
        needs=("x86_64",),
    ),
    Attack(
        "ask for the time",
        "the time at which a match begins, from a system call",
        "call('clock_gettime', 0, (ctypes.c_long * 2)())\nreturn PROOF",
        ("seccomp",),
    ),
    Attack(
        "wait for a moment",
        "the time at which a match begins: whether a wait until that time fails for lack of time",
        """
        # Without a deadline the kernel complains, if the call reaches it.
        try: call("clock_nanosleep", 0, 1, None, None)
        except OSError: return PROOF
        return ""
        """,
        ("seccomp",),
        ends="answer",
    ),
    Attack(
        "change its processor",
        "a processor reserved for others",
        "os.sched_setaffinity(0, os.sched_getaffinity(0))\nreturn PROOF",
        ("seccomp",),
    ),
)
