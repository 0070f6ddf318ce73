"""Two bots of one author at one table who want to tell each other what they hold.

The other seat goes first and leaves a message; the attacker reads it; or the attacker signals, and the other seat
notices. What they can tell each other by how long they think is another matter: see the page on the sandbox.
"""

from typing import Final

from tests.sandbox.attacks.attack import Attack

SEATS: Final = (
    Attack(
        "tell by a file",
        "a message in a file",
        "return open(FOLDER + '/message').read()",
        ("seccomp", "chroot", "landlock"),
        ("open_folder",),
        seat="open(FOLDER + '/message', 'w').write(held.value.decode())\nos.chmod(FOLDER + '/message', 0o644)",
    ),
    Attack(
        "tell by a lock",
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
        "tell by a name",
        "one bit: whether a name is taken, among those of sockets",
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
        "tell by a socket",
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
        "tell by shared memory",
        "a message in a System V segment that both can name",
        "return ctypes.string_at(checked('shmat', checked('shmget', SEAT, 0, 0), None, 0), SEAT_SIZE).decode()",
        ("seccomp",),
        seat="""
        segment = checked("shmget", os.getpid(), 4096, 0o1666)
        ctypes.memmove(checked("shmat", segment, None, 0), held.value, len(held.value))
        """,
        seat_then="libc.shmctl(libc.shmget(os.getpid(), 0, 0), 0, None)\nreturn 'alive'",
    ),
    Attack(
        "tell by a queue",
        "a message in a POSIX queue that both can name",
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
        "tell by a signal",
        "one bit: a signal",
        "os.kill(SEAT, signal.SIGUSR1)",
        ("seccomp", "uid", "landlock:6"),
        seat="import signal\nglobal told\ntold = []\nsignal.signal(signal.SIGUSR1, lambda *a: told.append(PROOF))",
        seat_then="return ''.join(told)",
    ),
    Attack(
        "tell by a number of process",
        "the same, to see whether the other one is there",
        "checked('kill', SEAT, 0)\nreturn PROOF",
        ("seccomp", "uid", "landlock:6"),
        seat="",
    ),
    Attack(
        "tell by a group of processes",
        "which group the other one has made for itself",
        "return PROOF if checked('getpgid', SEAT) == SEAT and checked('getsid', SEAT) != SEAT else ''",
        ("seccomp", "session"),
        seat="checked('setpgid', 0, 0)",
    ),
    Attack(
        "tell by a priority",
        "which priority the other one has given itself",
        "return PROOF if checked('getpriority', 0, SEAT) == 7 else ''",
        ("seccomp",),
        seat="os.nice(7)",
    ),
    Attack(
        "tell by a scheduler",
        "which rules of scheduling the other one has chosen",
        "return PROOF if os.sched_getscheduler(SEAT) == os.SCHED_BATCH else ''",
        ("seccomp",),
        seat="os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
    ),
    Attack(
        "tell by a limit",
        "which limit the other one has given itself",
        "import resource\nreturn PROOF if resource.prlimit(SEAT, resource.RLIMIT_CPU)[0] == 777 else ''",
        ("seccomp", "uid"),
        seat="import resource\nresource.setrlimit(resource.RLIMIT_CPU, (777, 777))",
    ),
    Attack(
        "tell by what is counted for a user",
        "whether the other one has used up what their user may have: signals that wait",
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
        "tell by a clock",
        "how long the other one has computed, by the clock of its process",
        "return PROOF if time.clock_gettime(~SEAT << 3 | 2) > 0 else ''",
        ("seccomp",),
        seat="",
    ),
    Attack(
        "tell by a name of a process",
        "what the other one calls itself, in /proc/PID/comm",
        "return open(f'/proc/{SEAT}/comm').read() + PROOF",
        ("seccomp", "chroot", "landlock"),
        seat="",
    ),
    Attack(
        "tell by a keyring",
        "a message in the keyring that all bots have from the engine",
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
        "tell by the load of the machine",
        "how busy this machine is, which another seat can change",
        "checked('sysinfo', ctypes.create_string_buffer(256))\nreturn PROOF",
        ("seccomp",),
    ),
)
