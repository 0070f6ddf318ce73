"""Attacks on files, on folders, and on what /proc tells."""

from typing import Final

from tests.sandbox.attacks.attack import Attack

CLOSED: Final = ("seccomp", "chroot", "landlock")
"""What keeps a bot from every path."""
LESS: Final = ("uid", "capabilities:root")
"""What makes a bot less than the engine: nobody looks into a process that may do more than himself."""

FILES: Final = (
    Attack(
        "read a file",
        "a file that everybody may read",
        "return open(FILE).read()",
        CLOSED,
        ("plain_file",),
    ),
    Attack(
        "read a file by a bare call",
        "a file that everybody may read, past Python",
        """
        how = (ctypes.c_uint64 * 3)()
        descriptor = call("openat2", -100, FILE.encode(), how, ctypes.c_size_t(24))
        return os.read(descriptor, 99).decode()
        """,
        CLOSED,
        ("plain_file",),
        host_may_refuse=True,
    ),
    Attack(
        "read a file of the engine's user",
        "a file that only the engine's user may read, such as its database",
        "return open(FILE).read()",
        (*CLOSED, "uid"),
        ("private_file",),
    ),
    Attack(
        "read a file of a third user",
        "a file that neither the bot's nor the engine's user may read",
        "return open(FILE).read()",
        (*CLOSED, "uid", "capabilities"),
        ("foreign_file",),
        needs=("root",),
    ),
    Attack(
        "list a folder",
        "the names of files",
        "return ' '.join(os.listdir(FOLDER))",
        CLOSED,
        ("full_folder",),
    ),
    Attack(
        "climb out of the root",
        "a file, by a path that starts with as many .. as it takes",
        "return open('../' * 40 + FILE).read()",
        CLOSED,
        ("plain_file",),
    ),
    Attack(
        "break out of the root",
        "a file, by a second root below the first one",
        """
        try:
            os.mkdir("below")
            os.chroot("below")
            os.chdir("../" * 40)
            os.chroot(".")
        except OSError:
            pass
        return open(FILE).read()
        """,
        CLOSED,
        ("plain_file",),
    ),
    Attack(
        "open a file by its handle",
        "a file outside of the root, from a directory inside (as container escapes do)",
        """
        try: mount = os.open(os.path.dirname(FILE), os.O_RDONLY)
        except OSError: mount = -100
        return os.read(call("open_by_handle_at", mount, HANDLE, 0), 99).decode()
        """,
        ("seccomp", "landlock", "uid", "capabilities"),
        ("handle",),
        needs=("root",),
        ends="crash",
        host_may_refuse=True,
    ),
    Attack(
        "leave a file behind",
        "a folder in which everybody may write",
        "open(FOLDER + '/file', 'w').write('I was here')",
        CLOSED,
        ("open_folder",),
    ),
    Attack(
        "leave a link behind",
        "the same, by a symbolic link",
        "os.symlink('/etc/shadow', FOLDER + '/link')",
        CLOSED,
        ("open_folder",),
    ),
    Attack(
        "leave a pipe behind",
        "the same, by a pipe with a name",
        "os.mkfifo(FOLDER + '/pipe')",
        CLOSED,
        ("open_folder",),
    ),
    Attack(
        "fill the disk",
        "a file much larger than anything that a bot may print",
        """
        with open(FOLDER + "/big", "wb", 0) as file:
            for _ in range(64):
                file.write(bytes(1 << 16))
        """,
        (*CLOSED, "rlimits"),
        ("disk",),
    ),
    Attack(
        "remove a file",
        "a file of the engine's user",
        "os.unlink(FILE)",
        (*CLOSED, "uid"),
        ("treasure",),
    ),
    Attack(
        "change a file",
        "the same, by its content",
        "open(FILE, 'w').write('lead')",
        (*CLOSED, "uid"),
        ("treasure",),
    ),
    Attack(
        "replace a file",
        "the same, by its name",
        "os.rename(FILE, FILE + '.old')",
        (*CLOSED, "uid"),
        ("treasure",),
    ),
    Attack(
        "print past the limit",
        "memory that the engine holds for what a bot prints",
        "return PROOF if sum(os.write(1, bytes(1 << 16)) for _ in range(4)) > 1 << 16 else ''",
        ("rlimits",),
    ),
    Attack(
        "stretch the output",
        "the same, by setting its size",
        "os.ftruncate(1, 1 << 30)\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "the environment of another process",
        "keys that the engine is given by its environment, in /proc/PID/environ",
        "return open(f'/proc/{VICTIM}/environ').read()",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "the arguments of another process",
        "what a program was started with, in /proc/PID/cmdline",
        "return open(f'/proc/{VICTIM}/cmdline').read().split(chr(0))[-2]",
        CLOSED,
        ("victim",),
    ),
    Attack(
        "the memory of another process",
        "a secret in /proc/PID/mem",
        "return os.pread(os.open(f'/proc/{VICTIM}/mem', os.O_RDONLY), 23, ADDRESS).decode()",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "the map of another process",
        "where things lie in its memory, in /proc/PID/maps",
        "return PROOF if '[stack]' in open(f'/proc/{VICTIM}/maps').read() else ''",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "the files of another process",
        "a file in memory that another process holds open, in /proc/PID/fd",
        "return open(f'/proc/{VICTIM}/fd/{KEPT}').read()",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "the memory of another seat",
        "what a bot at the same table thinks, in /proc/PID/mem",
        "return os.pread(os.open(f'/proc/{SEAT}/mem', os.O_RDONLY), SEAT_SIZE, SEAT_ADDRESS).decode()",
        (*CLOSED, "uid", "not_dumpable"),
        seat="",
    ),
    Attack(
        "the map of its parent",
        "where things lie in the process that starts all bots, in /proc/PPID/maps",
        "return PROOF if '[stack]' in open(f'/proc/{os.getppid()}/maps').read() else ''",
        (*CLOSED, *LESS),
    ),
    Attack(
        "the list of sockets",
        "the names on which programs of this machine listen, in /proc/self/net/unix",
        "return ' '.join(word for word in open('/proc/self/net/unix').read().split() if 'canary' in word)[:80]",
        (*CLOSED, "network"),
        ("listed",),
    ),
    Attack(
        "its own arguments",
        "where the arena is installed, in /proc/self/cmdline",
        "return PROOF if 'inside.zygote' in open('/proc/self/cmdline').read() else ''",
        CLOSED,
    ),
    Attack(
        "watch a folder",
        "what other programs do with files",
        "checked('inotify_add_watch', checked('inotify_init'), FOLDER.encode(), 0x100)\nreturn PROOF",
        ("seccomp", "chroot"),
        ("full_folder",),
    ),
)
