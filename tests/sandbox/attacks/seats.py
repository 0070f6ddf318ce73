"""Attacks by two bots of one author that try to exchange information at a table.

The other seat moves first and leaves a message for the attacker, or the attacker sends a signal that the other seat
notices. The sandbox page covers communication by thinking time.
"""

from typing import Final

from tests.sandbox.attacks.attack import Attack

_PLACE: Final = "place = ctypes.cast(libc.printf, ctypes.c_void_p).value & -4"
"""Address in code that all bots share, the same for all bots of a zygote."""

SEATS: Final = (
    Attack(
        "signal by a file",
        "a message in a file",
        "return open(FOLDER + '/message').read()",
        ("seccomp", "chroot", "landlock"),
        ("open_folder",),
        seat="open(FOLDER + '/message', 'w').write(held.value.decode())\nos.chmod(FOLDER + '/message', 0o644)",
    ),
    Attack(
        "signal by a lock",
        "one bit: whether a file is locked",
        """
        import fcntl
        try: fcntl.flock(os.open(FILE, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError: return PROOF
        """,
        ("seccomp", "chroot", "landlock"),
        ("plain_file",),
        seat="import fcntl\nfcntl.flock(os.open(FILE, os.O_RDONLY), fcntl.LOCK_EX)",
    ),
    Attack(
        "signal by a name",
        "one bit: whether the name of a socket is taken",
        """
        import socket
        try: socket.socket(socket.AF_UNIX).bind("\\0arena-" + str(SEAT))
        except PermissionError: raise
        except OSError: return PROOF
        """,
        ("seccomp",),
        seat="""
        import socket
        global kept
        kept = socket.socket(socket.AF_UNIX)
        kept.bind("\\0arena-" + str(os.getpid()))
        """,
    ),
    Attack(
        "signal by a socket",
        "a connection between two seats, on an abstract name",
        "import socket\nwith socket.socket(socket.AF_UNIX) as s:\n    s.connect('\\0arena-' + str(SEAT))\nreturn PROOF",
        ("seccomp", "landlock:6"),
        seat="""
        import socket
        global kept
        kept = socket.socket(socket.AF_UNIX)
        kept.bind("\\0arena-" + str(os.getpid()))
        kept.listen()
        """,
    ),
    Attack(
        "signal by shared memory",
        "a message in a System V segment with a known key",
        "return ctypes.string_at(checked('shmat', checked('shmget', SEAT, 0, 0), None, 0), SEAT_SIZE).decode()",
        ("seccomp",),
        seat="""
        segment = checked("shmget", os.getpid(), 4096, 0o1666)
        ctypes.memmove(checked("shmat", segment, None, 0), held.value, len(held.value))
        """,
        seat_then="libc.shmctl(libc.shmget(os.getpid(), 0, 0), 0, None)\nreturn 'alive'",
    ),
    Attack(
        "signal by a queue",
        "a message in a POSIX queue with a known name",
        """
        name, message = f"/arena-{SEAT}".encode(), ctypes.create_string_buffer(8192)
        queue = checked("mq_open", name, os.O_RDONLY | os.O_NONBLOCK)
        checked("mq_receive", queue, message, ctypes.c_size_t(8192), None)
        return message.value.decode()
        """,
        ("seccomp", "rlimits", "landlock"),
        seat="""
        name = f"/arena-{os.getpid()}".encode()
        os.umask(0)
        queue = checked("mq_open", name, os.O_CREAT | os.O_RDWR, 0o666, None)
        checked("mq_send", queue, held.value, ctypes.c_size_t(len(held.value)), 0)
        """,
        seat_then="libc.mq_unlink(f'/arena-{os.getpid()}'.encode())\nreturn 'alive'",
    ),
    Attack(
        "signal by a signal",
        "one bit: a signal",
        "os.kill(SEAT, signal.SIGUSR1)",
        ("seccomp", "uid", "landlock:6"),
        seat="import signal\nglobal heard\nheard = []\nsignal.signal(signal.SIGUSR1, lambda *a: heard.append(PROOF))",
        seat_then="return ''.join(heard)",
    ),
    Attack(
        "signal by the existence of a process",
        "one bit: whether the other seat's process exists",
        "checked('kill', SEAT, 0)\nreturn PROOF",
        ("seccomp", "uid", "landlock:6"),
        seat="",
    ),
    Attack(
        "signal by a process group",
        "the process group that the other seat has created",
        "return PROOF if checked('getpgid', SEAT) == SEAT and checked('getsid', SEAT) != SEAT else ''",
        ("seccomp", "session"),
        seat="checked('setpgid', 0, 0)",
    ),
    Attack(
        "signal by a priority",
        "the priority that the other seat has set",
        "return PROOF if checked('getpriority', 0, SEAT) > checked('getpriority', 0, 0) else ''",
        ("seccomp",),
        seat="os.nice(7)",
    ),
    Attack(
        "signal by a scheduler",
        "the scheduling policy that the other seat has set",
        "return PROOF if os.sched_getscheduler(SEAT) == os.SCHED_BATCH else ''",
        ("seccomp",),
        seat="os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
    ),
    Attack(
        "signal by a limit",
        "the resource limit that the other seat has set",
        "import resource\nreturn PROOF if resource.prlimit(SEAT, resource.RLIMIT_CPU)[0] == 777 else ''",
        ("seccomp", "uid"),
        seat="import resource\nresource.setrlimit(resource.RLIMIT_CPU, (777, 777))",
    ),
    Attack(
        "signal by the limit on a user's queued signals",
        "one bit: whether the other seat has used up their user's queued signals",
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, [40])
        try: checked("sigqueue", os.getpid(), 40, None)
        except BlockingIOError: return PROOF
        """,
        ("seccomp", "uid"),
        seat="""
        signal.pthread_sigmask(signal.SIG_BLOCK, [40])
        while libc.sigqueue(os.getpid(), 40, None) == 0: pass
        """,
    ),
    Attack(
        "signal by a clock",
        "the CPU time of the other seat's process",
        """
        time = ctypes.create_string_buffer(16)
        call("clock_gettime", ~SEAT << 3 | 2, time)
        return PROOF if any(time.raw) else ''
        """,
        ("seccomp",),
        seat="",
    ),
    Attack(
        "signal by the name of a process",
        "the name of the other seat's process, in /proc/PID/comm",
        "return open(f'/proc/{SEAT}/comm').read() + PROOF",
        ("seccomp", "chroot", "landlock"),
        seat="",
    ),
    Attack(
        "signal by a keyring",
        "a message in the keyring that all bots inherit from the engine",
        """
        found = call("request_key", b"user", f"arena-{SEAT}".encode(), None, 0)
        secret = ctypes.create_string_buffer(64)
        call("keyctl", 11, found, secret, ctypes.c_size_t(64), 0)
        return secret.value.decode()
        """,
        ("seccomp",),
        ends="crash",
        seat="call('add_key', b'user', f'arena-{os.getpid()}'.encode(), held.value, len(held.value), -3)",
        needs=("keys",),
    ),
    Attack(
        "signal by a futex",
        "the one of 4096 words of libc's code on which the other seat waits: twelve bits",
        f"""
        {_PLACE}
        end = time.monotonic() + 2
        while time.monotonic() < end:
            if call("futex", ctypes.c_void_p(place), 1, 1, None, None, 0):
                return PROOF
        """,
        ("seccomp",),
        seat=f"""
        {_PLACE}
        read, value = os.read, ctypes.c_uint32.from_address(place).value
        patience = ctypes.create_string_buffer(struct.pack("qq", 3, 0))
        def wait(*arguments):  # until woken; only then for the next question
            os.read = read
            libc.syscall(NUMBERS["futex"], ctypes.c_void_p(place), 0, ctypes.c_uint32(value), patience, None, 0)
            return read(*arguments)
        os.read = wait
        """,
    ),
    Attack(
        "signal by merged pages",
        "whether another seat has a page with the same bytes, by letting the kernel merge the two",
        """
        checked("madvise", ctypes.c_void_p(checked("mmap", None, 4096, 3, 0x22, -1, 0)), 4096, 12)
        return PROOF
        """,
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "signal by the load of the machine",
        "the load of this machine, which another seat can change",
        "checked('sysinfo', ctypes.create_string_buffer(256))\nreturn PROOF",
        ("seccomp",),
    ),
)
