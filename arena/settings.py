"""What an operator may set: environment variables that start with ``ARENA_``, read once at the start of a process.

`SETTINGS` is the one table of them. The operating page of the docs is checked against it, and `Settings.from_env` reads
nothing that is not in it. An empty value counts as not set.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

from arena.games.errors import OptionError
from arena.sdk.upload import Bounds

PREFIX = "ARENA_"
MIB = 1024 * 1024
DATABASE_DRIVERS = {
    "sqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
"""Schemes that people write, and the driver that each of them means here."""
BROKER_SCHEMES = ("redis", "rediss", "redis+socket")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class Settings:
    """The settings of one process. Never printed with secrets: URLs and keys are left out of the repr."""

    home: Path
    """Folder of everything that the arena keeps on this machine; absolute. It may not exist yet."""
    database_url: str = field(repr=False)
    """As SQLAlchemy takes it."""
    broker_url: str | None = field(repr=False)
    """As Celery takes it; None where `arena up` is to start a broker of its own."""
    given_secret: str | None = field(repr=False)
    host: str
    port: int
    workers: int
    """Worker processes; each plays one table at a time."""
    upload_limit: int
    """The largest upload, in bytes."""
    upload_unpacked: int
    """Bytes of all files of an archive together."""
    upload_files: int
    """The most files of an archive."""
    upload_queue: int
    """So many uploads of one owner may wait to be validated."""
    queue_limit: int
    """So many tables may wait in the whole arena."""
    comparison_limit: int
    """So many comparisons of one member may run at a time."""
    sandbox_minimum: str
    """``both`` or ``one``: of Landlock and a distinct uid, what the cage must have; ``none``: bots run anyway."""
    bot_memory: int
    """What a bot may use, in MiB, beyond what an empty bot has."""
    stop_bracket: bool
    """Whether bots are stopped while they are not asked."""
    delivery_grid: float
    """Answers go on at multiples of so many milliseconds after the question; 0 for at once."""
    lease: float
    """Seconds that a claim on a table lasts without being renewed."""
    log_level: str
    """``debug``, ``info``, ``warning`` or ``error``."""
    proxies: int
    """How many reverse proxies stand before the web server and are believed about who asks."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Self:
        """Read the settings of this process. Raises OptionError naming the variable, its value and what is allowed."""
        environ = os.environ if environ is None else environ
        values = {setting.field: setting.read(environ) for setting in SETTINGS}
        home = values["home"]
        values["database_url"] = values["database_url"] or f"sqlite:///{home / 'arena.db'}"
        return cls(**values)

    @cached_property
    def secret_key(self) -> str:
        """The key that signs sessions: the operator's, or one made once and kept in the home folder."""
        return self.given_secret or _kept_secret(self.home / "secret")

    @property
    def insecure(self) -> bool:
        """Whether bots are to run on a machine that cannot hold them, too."""
        return self.sandbox_minimum == "none"

    def environ(self) -> dict[str, str]:
        """The variables that make another process read these very settings. Has secrets in it."""
        values = {setting.name: getattr(self, setting.field) for setting in SETTINGS}
        return {name: str(value) for name, value in values.items() if value is not None}

    @property
    def upload_bounds(self) -> Bounds:
        """How large an upload may be."""
        return Bounds(self.upload_limit, self.upload_unpacked, self.upload_files)

    @property
    def logs(self) -> Path:
        """Folder of the logs of what `arena up` runs."""
        return self.home / "logs"


def _kept_secret(path: Path) -> str:
    """The secret in the file at `path`, made now where there is none. Safe against two processes at once."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        with suppress(FileExistsError):  # another process was first: its secret stands
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()


class Setting(NamedTuple):
    """One variable: how it is read, and what the docs say about it."""

    name: str
    """Of the environment variable."""
    field: str
    """Of `Settings`."""
    default: str
    """What happens without it, for people."""
    allowed: str
    help: str
    parse: Callable[[str], Any]
    """The value from a text that is not empty. Raises ValueError where it is not allowed."""
    fallback: Callable[[], Any]
    """The value where the variable is not set."""

    def read(self, environ: Mapping[str, str]) -> Any:
        """The value in `environ`. Raises OptionError."""
        text = environ.get(self.name, "").strip()
        if not text:
            return self.fallback()
        try:
            return self.parse(text)
        except ValueError:
            raise OptionError(f"{self.name} cannot be {_shown(self, text)}; allowed: {self.allowed}") from None


def _shown(setting: Setting, text: str) -> str:
    hidden = setting.field in ("given_secret", "database_url", "broker_url")
    return "the value it has (not shown: it may hold a password)" if hidden else repr(text)


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _database(text: str) -> str:
    scheme, found, rest = text.partition("://")
    if not found or not rest or scheme not in DATABASE_DRIVERS:
        raise ValueError(text)
    return _sqlite(rest) if scheme == "sqlite" else f"{DATABASE_DRIVERS[scheme]}://{rest}"


def _sqlite(rest: str) -> str:
    """Absolute, because not every process of the arena runs in the same folder; a file, because they are several."""
    path = rest.removeprefix("/")
    if path in ("", ":memory:") or path == rest:
        raise ValueError(rest)
    return f"sqlite:///{_folder(path)}"


def _broker(text: str) -> str:
    scheme, found, rest = text.partition("://")
    if not found or not rest or scheme not in BROKER_SCHEMES:
        raise ValueError(text)
    return text


def _secret(text: str) -> str:
    if len(text) < 16:
        raise ValueError(text)
    return text


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return parse


def _number(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(text)
        return text.lower()

    return parse


def _yes_or_no(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise ValueError(text)
    return _TRUTH[text.lower()]


def usable_cores() -> int:
    """How many cores this process may run on."""
    return len(os.sched_getaffinity(0))


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "ARENA_HOME", "home", "`.arena` in the current folder", "a path",
        "Folder of what the arena keeps on this machine: the SQLite database, the secret, the logs.",
        _folder, lambda: _folder(".arena"),
    ),
    Setting(
        "ARENA_DATABASE_URL", "database_url", "SQLite, `arena.db` in the home folder",
        "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME",
        "The database. Everything that must not be lost is in it.",
        _database, lambda: None,
    ),
    Setting(
        "ARENA_BROKER_URL", "broker_url", "a Valkey of its own, started by `arena up`",
        "redis://HOST:PORT/0, rediss://HOST:PORT/0 or redis+socket:///PATH",
        "The message broker. It carries doorbells only; it may be emptied at any time.",
        _broker, lambda: None,
    ),
    Setting(
        "ARENA_SECRET_KEY", "given_secret", "made once, kept in `secret` in the home folder", "at least 16 characters",
        "Signs sessions. Web servers on several machines need the same one.",
        _secret, lambda: None,
    ),
    Setting(
        "ARENA_HOST", "host", "127.0.0.1", "a host name or address of this machine",
        "Where the web server listens. 0.0.0.0 is every address of this machine.",
        str, lambda: "127.0.0.1",
    ),
    Setting(
        "ARENA_PORT", "port", "8000", "a whole number from 1 to 65535",
        "The port that the web server listens on.",
        _whole(1, 65535), lambda: 8000,
    ),
    Setting(
        "ARENA_WORKERS", "workers", "one per usable core", "a whole number from 1 to 512",
        "Worker processes on this machine. Each plays one table at a time.",
        _whole(1, 512), usable_cores,
    ),
    Setting(
        "ARENA_UPLOAD_LIMIT", "upload_limit", "10485760 (10 MiB)", "bytes, a whole number from 1024 to 16777216",
        "The largest bot that is taken: a Python file, or a zip as it is packed.",
        _whole(1024, 16 * MIB), lambda: 10 * MIB,
    ),
    Setting(
        "ARENA_UPLOAD_UNPACKED", "upload_unpacked", "52428800 (50 MiB)",
        "bytes, a whole number from 1024 to 104857600",
        "How large the files of a zip may be together, unpacked.",
        _whole(1024, 100 * MIB), lambda: 50 * MIB,
    ),
    Setting(
        "ARENA_UPLOAD_FILES", "upload_files", "200", "a whole number from 1 to 1000",
        "How many files a zip may have. Folders and hidden files do not count.",
        _whole(1, 1000), lambda: 200,
    ),
    Setting(
        "ARENA_UPLOAD_QUEUE", "upload_queue", "10", "a whole number from 1 to 1000",
        "How many uploads of one owner may wait to be validated.",
        _whole(1, 1000), lambda: 10,
    ),
    Setting(
        "ARENA_QUEUE_LIMIT", "queue_limit", "1000000", "a whole number from 1000 to 1000000000",
        "How many tables may wait to be played, of all tournaments together. Placements of uploads are always taken.",
        _whole(1000, 10**9), lambda: 10**6,
    ),
    Setting(
        "ARENA_COMPARISON_LIMIT", "comparison_limit", "3", "a whole number from 1 to 1000",
        "How many comparisons of one member may run at a time.",
        _whole(1, 1000), lambda: 3,
    ),
    Setting(
        "ARENA_SANDBOX_MINIMUM", "sandbox_minimum", "both", "both, one or none",
        "What the sandbox must have of Landlock and a distinct uid. Below it no bot is run. With none bots run with "
        "whatever this machine has: an insecure run.",
        _one_of("both", "one", "none"), lambda: "both",
    ),
    Setting(
        "ARENA_BOT_MEMORY", "bot_memory", "256", "MiB, a whole number from 32 to 65536",
        "What a bot may use beyond what an empty bot has, counted as address space.",
        _whole(32, 1 << 16), lambda: 256,
    ),
    Setting(
        "ARENA_STOP_BRACKET", "stop_bracket", "no", "yes or no",
        "Whether a bot's process is stopped while it is not its turn.",
        _yes_or_no, lambda: False,
    ),
    Setting(
        "ARENA_DELIVERY_GRID", "delivery_grid", "0", "milliseconds, a number from 0 to 1000",
        "Answers are delivered only at multiples of this time after the question; 0 is at once.",
        _number(0, 1000), lambda: 0.0,
    ),
    Setting(
        "ARENA_LEASE", "lease", "15", "seconds, a number from 2 to 3600",
        "How long a worker's claim on a table lasts without being renewed; then another worker may take it.",
        _number(2, 3600), lambda: 15.0,
    ),
    Setting(
        "ARENA_LOG_LEVEL", "log_level", "info", "debug, info, warning or error",
        "How much is logged.",
        _one_of("debug", "info", "warning", "error"), lambda: "info",
    ),
    Setting(
        "ARENA_PROXIES", "proxies", "0", "a whole number from 0 to 8",
        "How many reverse proxies stand before the web server. Their X-Forwarded headers are believed.",
        _whole(0, 8), lambda: 0,
    ),
)  # fmt: skip
"""Every setting, in the order of the docs."""

OTHERS = frozenset({"ARENA_TEST_COMPLETE"})
"""Variables with our prefix that are not settings of the arena: the test run's."""


def unknown(environ: Mapping[str, str]) -> list[str]:
    """A sentence about every variable with our prefix that no setting has: a spelling mistake is not left unsaid."""
    names = [setting.name for setting in SETTINGS]
    strangers = sorted(name for name in environ if name.startswith(PREFIX) and name not in OTHERS.union(names))
    return [f"{name} is not a setting{_meant(name, names)}" for name in strangers]


def _meant(name: str, names: list[str]) -> str:
    close = get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]}?" if close else ""
