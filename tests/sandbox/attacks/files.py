"""Attacks on files, folders and /proc."""

from typing import Final

from tests.sandbox.attacks.attack import Attack

CLOSED: Final = ("seccomp", "chroot", "landlock")
"""Layers that stop access to any path."""
LESS: Final = ("uid", "capabilities:root")
"""Layers that make a bot less privileged than the engine; a process cannot inspect a more privileged one."""

FILES: Final = (
    Attack(
        "read a file",
        "a file that every user may read",
        "return open(FILE).read()",
        CLOSED,
        ("plain_file",),
    ),
    Attack(
        "read a file by a direct system call",
        "a file that every user may read, bypassing Python",
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
        "a file, by a path with many leading ..",
        "return open('../' * 40 + FILE).read()",
        CLOSED,
        ("plain_file",),
    ),
    Attack(
        "break out of the root",
        "a file, by a nested chroot",
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
        "a file outside of the root, by its handle (a container escape)",
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
        "a folder in which every user may write",
        "open(FOLDER + '/file', 'w').write('I was here')",
        CLOSED,
        ("open_folder",),
    ),
    Attack(
        "leave a link behind",
        "a folder in which every user may write, by a symbolic link",
        "os.symlink('/etc/shadow', FOLDER + '/link')",
        CLOSED,
        ("open_folder",),
    ),
    Attack(
        "leave a pipe behind",
        "a folder in which every user may write, by a named pipe",
        "os.mkfifo(FOLDER + '/pipe')",
        CLOSED,
        ("open_folder",),
    ),
    Attack(
        "fill the disk",
        "disk space far beyond a bot's output limit",
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
        "a file of the engine's user, by its content",
        "open(FILE, 'w').write('lead')",
        (*CLOSED, "uid"),
        ("treasure",),
    ),
    Attack(
        "replace a file",
        "a file of the engine's user, by its name",
        "os.rename(FILE, FILE + '.old')",
        (*CLOSED, "uid"),
        ("treasure",),
    ),
    Attack(
        "print past the limit",
        "memory that the engine holds for a bot's output",
        "return PROOF if sum(os.write(1, bytes(1 << 16)) for _ in range(4)) > 1 << 16 else ''",
        ("rlimits",),
    ),
    Attack(
        "extend the output",
        "memory for a bot's output, by setting the file size",
        "os.ftruncate(1, 1 << 30)\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "read the environment of another process",
        "keys in the engine's environment, in /proc/PID/environ",
        "return open(f'/proc/{VICTIM}/environ').read()",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "read the arguments of another process",
        "the command line of a program, in /proc/PID/cmdline",
        "return open(f'/proc/{VICTIM}/cmdline').read().split(chr(0))[-2]",
        CLOSED,
        ("victim",),
    ),
    Attack(
        "read the memory of another process",
        "a secret in /proc/PID/mem",
        "return os.pread(os.open(f'/proc/{VICTIM}/mem', os.O_RDONLY), 23, ADDRESS).decode()",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "read the memory map of another process",
        "addresses in its memory, in /proc/PID/maps",
        "return PROOF if '[stack]' in open(f'/proc/{VICTIM}/maps').read() else ''",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "read the open files of another process",
        "a memory file that another process has open, in /proc/PID/fd",
        "return open(f'/proc/{VICTIM}/fd/{KEPT}').read()",
        (*CLOSED, *LESS),
        ("victim",),
    ),
    Attack(
        "read the memory of another seat by /proc",
        "the thoughts of a bot at the same table, in /proc/PID/mem",
        "return os.pread(os.open(f'/proc/{SEAT}/mem', os.O_RDONLY), SEAT_SIZE, SEAT_ADDRESS).decode()",
        (*CLOSED, "uid", "not_dumpable"),
        seat="",
    ),
    Attack(
        "read the memory map of its parent",
        "addresses in the process that starts all bots, in /proc/PPID/maps",
        "return PROOF if '[stack]' in open(f'/proc/{os.getppid()}/maps').read() else ''",
        (*CLOSED, *LESS),
    ),
    Attack(
        "list sockets",
        "names of listening sockets of this machine, in /proc/self/net/unix",
        "return ' '.join(word for word in open('/proc/self/net/unix').read().split() if 'canary' in word)[:80]",
        (*CLOSED, "network"),
        ("listed",),
    ),
    Attack(
        "read its own arguments",
        "the arena's installation path, in /proc/self/cmdline",
        "return PROOF if 'inside.zygote' in open('/proc/self/cmdline').read() else ''",
        CLOSED,
    ),
    Attack(
        "watch a folder",
        "other programs' use of files",
        "checked('inotify_add_watch', checked('inotify_init'), FOLDER.encode(), 0x100)\nreturn PROOF",
        ("seccomp", "chroot"),
        ("full_folder",),
    ),
)
