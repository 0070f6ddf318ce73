"""Attacks through sockets of every family."""

from typing import Final

from tests.sandbox.attacks.attack import Attack

_CONNECT: Final = """
import socket
with socket.socket({family}) as client:
    client.settimeout(1)
    client.connect({address})
"""
_NEW: Final = "import socket\nsocket.socket({}).close()\nreturn PROOF"

NETWORK: Final = (
    Attack(
        "connect",
        "a server on the loopback address",
        _CONNECT.format(family="socket.AF_INET", address='("127.0.0.1", PORT)'),
        ("seccomp", "network", "landlock:4"),
        ("tcp",),
    ),
    Attack(
        "connect by IPv6",
        "a server on the loopback address of IPv6",
        _CONNECT.format(family="socket.AF_INET6", address='("::1", PORT)'),
        ("seccomp", "network", "landlock:4"),
        ("tcp6",),
        needs=("IPv6",),
    ),
    Attack(
        "send a datagram",
        "a socket on the loopback address, or any host on the internet",
        "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
        ("seccomp", "network"),
        ("udp",),
    ),
    Attack(
        "connect to a path",
        "a server on a path, such as a database or a container's engine",
        _CONNECT.format(family="socket.AF_UNIX", address="PATH"),
        ("seccomp", "chroot"),
        ("unix",),
    ),
    Attack(
        "connect to a name",
        "a server on an abstract name, such as a desktop's",
        _CONNECT.format(family="socket.AF_UNIX", address="NAME"),
        ("seccomp", "network", "landlock:6"),
        ("abstract",),
    ),
    Attack(
        "receive a descriptor",
        "a file that a server sends to every client (SCM_RIGHTS)",
        """
        import socket
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            client.connect(NAME)
            _, descriptors, _, _ = socket.recv_fds(client, 1, 1)
        return os.pread(descriptors[0], 99, 0).decode()
        """,
        ("seccomp", "network", "landlock:6"),
        ("giver",),
    ),
    Attack(
        "listen",
        "a port of this machine",
        "import socket\nsocket.create_server(('127.0.0.1', 0)).close()\nreturn PROOF",
        ("seccomp", "landlock:4"),
    ),
    Attack(
        "query the kernel about the network",
        "the addresses of this machine (netlink)",
        """
        import socket
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as client:
            client.send(struct.pack("=IHHIIB3xi", 24, 22, 0x301, 1, 0, socket.AF_INET, 0))
            return PROOF if socket.inet_aton("127.0.0.1") in client.recv(1 << 16) else ""
        """,
        ("seccomp", "network"),
    ),
    Attack(
        "capture packets",
        "packets of others on the network (packet sockets)",
        """
        import socket
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as ear:
            ear.settimeout(1)
            for _ in range(1000):
                heard = ear.recv(1 << 16)
                if b"canary" in heard:
                    return heard[-SIZE:].decode()
        """,
        ("seccomp", "network", "uid", "capabilities"),
        ("talk",),
        host_may_refuse=True,
    ),
    Attack(
        "create raw packets",
        "forged packets (raw sockets)",
        _NEW.format("socket.AF_INET, socket.SOCK_RAW, 1"),
        ("seccomp", "uid", "capabilities"),
        host_may_refuse=True,
    ),
    Attack(
        "use the kernel's ciphers",
        "a large and rarely used part of the kernel (alg)",
        """
        import socket
        with socket.socket(38, socket.SOCK_SEQPACKET) as maker:
            maker.bind(("hash", "sha256"))
            working, _ = maker.accept()
            working.send(b"x")
            return PROOF if len(working.recv(32)) == 32 else ""
        """,
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "call the host of a virtual machine",
        "the hypervisor of this machine (vsock)",
        _NEW.format("socket.AF_VSOCK, socket.SOCK_STREAM"),
        ("seccomp",),
        host_may_refuse=True,
    ),
    Attack(
        "create pairs of sockets",
        "kernel memory outside of the memory limits",
        "import socket\npairs = [socket.socketpair() for _ in range(40)]\nreturn PROOF",
        ("seccomp", "rlimits"),
    ),
    Attack(
        "try every family",
        "a socket of any family and type",
        """
        import socket
        for family in range(64):
            for kind in (1, 2, 3, 5):
                try: socket.socket(family, kind).close()
                except OSError: continue
                return PROOF
        return ""
        """,
        ("seccomp",),
        ends="answer",
    ),
)
