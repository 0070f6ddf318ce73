"""Run commands as on a system that is not Linux: ``python -m tests.cli.elsewhere "check bot.py" "doctor"``.

What only Linux or POSIX has is removed from the standard library, after its modules and other packages were imported.
"""

import json
import multiprocessing.connection
import os
import shutil
import signal
import socket
import subprocess  # noqa: F401 -- imported before it cannot be
import sys
from typing import Any, Final

import click.testing
import requests
import rich.progress
import rich.table

USED = (click.testing, multiprocessing.connection, requests, rich.progress, rich.table, shutil)
"""Packages that have their own ways on other systems."""
MODULES: Final[Any] = ("fcntl", "grp", "pwd", "resource", "termios", "tty")
NAMES = {
    os: ("fork", "geteuid", "getuid", "killpg", "memfd_create", "pidfd_open", "register_at_fork", "sched_getaffinity",
         "sched_setaffinity", "setsid", "sysconf", "wait4", "waitid"),
    signal: ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGUSR1", "SIGXCPU", "SIGXFSZ",
             "alarm", "pidfd_send_signal", "pthread_sigmask", "setitimer"),
    socket: ("AF_UNIX", "SOCK_SEQPACKET", "recv_fds", "send_fds"),
}  # fmt: skip


def leave_linux() -> None:
    """Remove what other systems lack."""
    sys.platform = "win32"
    sys.modules.update(dict.fromkeys(MODULES))
    for module, names in NAMES.items():
        for name in names:
            delattr(module, name)


def run(words: str) -> None:
    """Run a command, and print its exit status."""
    from arena.cli import main  # what it imports must not need Linux

    try:
        main(words.split())
    except SystemExit as end:
        print(json.dumps([words, end.code]))


if __name__ == "__main__":
    leave_linux()
    for command in sys.argv[1:]:
        run(command)
