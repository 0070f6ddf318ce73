"""Numbers of system calls, from the kernel's headers, and the list of hostile ones.

Calls that are neither hostile nor in `allowed` fail with "operation not permitted", so a bot that tries to open a file
gets an understandable exception.
"""

from typing import Final

HOSTILE: Final = (
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "bpf", "perf_event_open", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "userfaultfd", "add_key", "request_key", "keyctl", "mount", "umount2", "pivot_root",
    "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "chroot", "unshare",
    "setns", "memfd_create", "memfd_secret", "execve", "execveat", "init_module", "finit_module", "delete_module",
    "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "iopl",
    "ioperm", "modify_ldt", "personality", "name_to_handle_at", "open_by_handle_at", "fanotify_init", "settimeofday",
    "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "syslog", "vhangup", "rt_sigreturn",
)  # fmt: skip
"""Calls that no bot makes by accident; they kill the process."""

_X86_64: Final = {
    "read": 0, "write": 1, "mmap": 9, "munmap": 11, "brk": 12, "madvise": 28, "futex": 202,
    "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "getrandom": 318, "getpid": 39, "gettid": 186, "sched_yield": 24, "close": 3, "exit_group": 231,
    "writev": 20, "tgkill": 234,
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "process_madvise": 440, "process_mrelease": 448,
    "kcmp": 312, "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "bpf": 321, "perf_event_open": 298,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 323, "add_key": 248,
    "request_key": 249, "keyctl": 250, "mount": 165, "umount2": 166, "pivot_root": 155, "move_mount": 429,
    "open_tree": 428, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
    "chroot": 161, "unshare": 272, "setns": 308, "memfd_create": 319, "memfd_secret": 447, "execve": 59,
    "execveat": 322, "init_module": 175, "finit_module": 313, "delete_module": 176, "kexec_load": 246,
    "kexec_file_load": 320, "reboot": 169, "swapon": 167, "swapoff": 168, "acct": 163, "quotactl": 179,
    "quotactl_fd": 443, "iopl": 172, "ioperm": 173, "modify_ldt": 154, "personality": 135, "name_to_handle_at": 303,
    "open_by_handle_at": 304, "fanotify_init": 300, "settimeofday": 164, "clock_settime": 227, "clock_adjtime": 305,
    "adjtimex": 159, "sethostname": 170, "setdomainname": 171, "syslog": 103, "vhangup": 153, "clone": 56,
    "rt_sigreturn": 15,
}  # fmt: skip
_AARCH64: Final = {
    "read": 63, "write": 64, "mmap": 222, "munmap": 215, "brk": 214, "madvise": 233, "futex": 98,
    "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "getrandom": 278,
    "getpid": 172, "gettid": 178, "sched_yield": 124, "close": 57, "exit_group": 94, "ptrace": 117,
    "writev": 66, "tgkill": 131,
    "process_vm_readv": 270, "process_vm_writev": 271, "process_madvise": 440, "process_mrelease": 448, "kcmp": 272,
    "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "bpf": 280, "perf_event_open": 241,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 282, "add_key": 217,
    "request_key": 218, "keyctl": 219, "mount": 40, "umount2": 39, "pivot_root": 41, "move_mount": 429,
    "open_tree": 428, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "chroot": 51,
    "unshare": 97, "setns": 268, "memfd_create": 279, "memfd_secret": 447, "execve": 221, "execveat": 281,
    "init_module": 105, "finit_module": 273, "delete_module": 106, "kexec_load": 104, "kexec_file_load": 294,
    "reboot": 142, "swapon": 224, "swapoff": 225, "acct": 89, "quotactl": 60, "quotactl_fd": 443, "personality": 92,
    "name_to_handle_at": 264, "open_by_handle_at": 265, "fanotify_init": 262, "settimeofday": 170, "clock_settime": 112,
    "clock_adjtime": 266, "adjtimex": 171, "sethostname": 161, "setdomainname": 162, "syslog": 116, "vhangup": 58,
    "clone": 220, "rt_sigreturn": 139,
}  # fmt: skip

ARCHITECTURES: Final = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}
"""Audit number of the 64-bit system calls, and their numbers by name, for each machine."""


def calls_of(machine: str) -> tuple[int, dict[str, int]]:
    """Return the audit number and the calls of a machine, given its name in uname(2).

    Raises `OSError` if it is unknown.
    """
    if machine not in ARCHITECTURES:
        raise OSError(0, f"no table of system calls for {machine}, only for {' and '.join(ARCHITECTURES)}")
    return ARCHITECTURES[machine]
