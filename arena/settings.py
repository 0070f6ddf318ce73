"""Settings of an operator: environment variables that start with ``ARENA_``, read once when a process starts.

`SETTINGS` is the only list of them: the operating page of the docs is checked against it, and `Settings.from_env`
reads nothing else. An empty value counts as unset.
"""

import os
import re
import secrets
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import SplitResult, urlsplit

from arena.games.errors import Misconfigured
from arena.sdk.upload import UploadBounds

PREFIX = "ARENA_"
MIB = 1024 * 1024
DATABASE_DRIVERS = {
    "sqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
"""Drivers by the URL schemes that people write."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
BROKER_SCHEMES = ("redis", "rediss", "redis+socket")
SMTP_SCHEMES = ("smtp", "smtp+starttls", "smtps")
_ADDRESS = re.compile(r"[!#-'*+\-./0-9=?A-Z^-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class Settings:
    """Settings of one process. The repr omits secrets: URLs and keys."""

    home: Path
    """Absolute path of the folder for all data on this machine. It may not exist yet."""
    database_url: str = field(repr=False)
    """Database URL in SQLAlchemy's form."""
    broker_url: str | None = field(repr=False)
    """Broker URL in Celery's form; None if `arena up` starts an embedded broker."""
    given_secret: str | None = field(repr=False)
    host: str
    port: int
    workers: int
    """Number of worker processes; each plays one table at a time."""
    upload_limit: int
    """Largest upload, in bytes."""
    upload_unpacked: int
    """Largest total size of an archive's files, in bytes."""
    upload_files: int
    """Largest number of files in an archive."""
    upload_queue: int
    """Number of uploads per owner that may wait for validation."""
    quota_bots: int
    """Number of bots that a member may own, without archived ones."""
    quota_versions: int
    """Number of versions of a bot that may be uploaded in 24 hours."""
    quota_storage: int
    """Space, in MiB, for the sources of the bots that a member owns."""
    quota_validations: int
    """Number of validations that a member may ask for in 24 hours."""
    quota_trials: int
    """Number of unrated matches that a member may ask for in 24 hours."""
    quota_new: int
    """Share of these quotas, in per cent, for accounts less than a day old."""
    keep_trials: float
    """Days after which a trial is deleted with its matches."""
    keep_events: float
    """Days for which events and their deliveries are kept."""
    webhook_networks: tuple[IPv4Network | IPv6Network, ...]
    """Networks that webhooks may reach besides public addresses."""
    keep_rejected: float
    """Days after which the source of a rejected version is deleted."""
    validation_time: float
    """CPU and idle time, in seconds, that an upload may use in all its test matches together."""
    queue_limit: int
    """Number of tables that may wait in the whole arena."""
    comparison_limit: int
    """Number of comparisons that a member may run at a time."""
    api_requests: int
    """Number of requests that a program may send to the API per minute."""
    registration: str
    """``open``, ``invitation`` or ``closed``: who may create an account."""
    sandbox_minimum: str
    """``both`` or ``one`` of Landlock and a distinct uid that the cage must have; ``none`` runs bots in any case."""
    bot_memory: int
    """Memory that a bot may use in addition to that of an empty bot, in MiB."""
    bot_packages: tuple[str, ...]
    """Modules that bots can import besides numpy."""
    stop_bracket: bool
    """Whether bots are stopped while it is not their turn."""
    """Interval, in milliseconds after a request, at whose multiples answers are delivered; 0 delivers immediately."""
    lease: float
    """Seconds until an unrenewed claim on a table expires."""
    disk_reserve: int
    """Free space, in MiB, on the disk of a SQLite database below which workers take no more work."""
    log_level: str
    """``debug``, ``info``, ``warning`` or ``error``."""
    log_format: str
    """``text`` or ``json``."""
    metrics_token: str | None = field(repr=False)
    """Token with which programs may read the metrics; None if only administrators may."""
    ratings_estimate: str
    """``never`` or ``auto``: whether rating parameters are re-estimated as tables come in."""
    ladder_sigma: float
    """Sigma of a rating that needs no more tables of a ladder; 0 if no ladder starts by itself and none rests."""
    proxies: int
    """Number of reverse proxies whose X-Forwarded headers the web server trusts."""
    hosts: str
    """Names of the site, separated by commas; empty for this machine's name and its addresses."""
    contact: str | None
    """URI to which people report holes in the site's security."""
    session_idle: float
    """Hours without use after which a session ends."""
    session_length: float
    """Hours after which a session ends in any case."""
    url: str | None
    """Public URL of the arena, without a slash at the end; None if it is not known."""
    smtp_url: str | None = field(repr=False)
    """URL of the mail server; None if no mail is sent."""
    mail_from: str | None
    """Address that mail is sent from."""
    oidc_issuer: str | None
    """URL of the OpenID Connect provider; None if members log in with passwords only."""
    oidc_client: str | None
    """Client ID that the provider knows this arena by."""
    oidc_secret: str | None = field(repr=False)
    """Secret of that client."""
    oidc_name: str
    """Name of the provider, for pages."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Self:
        """Read the settings of this process.

        Raises `Misconfigured` with the variable, its value and the allowed values if one is invalid.
        """
        environ = os.environ if environ is None else environ
        values = {setting.field: setting.read(environ) for setting in SETTINGS}
        home = values["home"]
        values["database_url"] = values["database_url"] or f"sqlite:///{home / 'arena.db'}"
        if values["smtp_url"] and not (values["url"] and values["mail_from"]):
            raise Misconfigured("ARENA_SMTP_URL needs ARENA_URL, for links in mail, and ARENA_MAIL_FROM")
        if values["oidc_issuer"] and not (values["oidc_client"] and values["oidc_secret"]):
            raise Misconfigured("ARENA_OIDC_ISSUER needs ARENA_OIDC_CLIENT and ARENA_OIDC_SECRET")
        return cls(**values)

    @cached_property
    def secret_key(self) -> str:
        """Key that signs sessions: the operator's, or one generated once and kept in the home folder."""
        return self.given_secret or _kept_secret(self.secret_file)

    @property
    def secret_file(self) -> Path:
        """File with the generated key."""
        return self.home / "secret"

    @property
    def insecure(self) -> bool:
        """Whether bots run even on a machine that cannot cage them."""
        return self.sandbox_minimum == "none"

    def environ(self) -> dict[str, str]:
        """Return the variables that make another process read these settings. Contains secrets."""
        values = {setting.name: getattr(self, setting.field) for setting in SETTINGS}
        return {name: _written(value) for name, value in values.items() if value is not None}

    @property
    def upload_bounds(self) -> UploadBounds:
        """Size limits of an upload."""
        return UploadBounds(self.upload_limit, self.upload_unpacked, self.upload_files)

    @property
    def logs(self) -> Path:
        """Folder for the logs of the parts that `arena up` runs."""
        return self.home / "logs"

    @property
    def run(self) -> Path:
        """Folder for files of a running arena: the broker's socket, the clock's schedule."""
        return self.home / "run"

    @property
    def workers_ready(self) -> Path:
        """File that exists once this machine's workers take work."""
        return self.run / "workers.ready"

    @property
    def broker_socket(self) -> Path:
        """Socket of the broker that `arena up` runs, or a link to it."""
        return self.run / "valkey.sock"

    @property
    def beat_schedule(self) -> Path:
        """File of the clock. Its database library may add suffixes to the name."""
        return self.run / "beat-schedule"


def _written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _kept_secret(path: Path) -> str:
    """Return the secret in a file, generating it if necessary. Safe for concurrent processes."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        with suppress(FileExistsError):  # another process was first, and its secret is kept
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()


class Setting(NamedTuple):
    """A variable: its parser and its documentation."""

    name: str
    """Name of the environment variable."""
    field: str
    """Name of the field of `Settings`."""
    default: str
    """Description of the value when the variable is unset."""
    allowed: str
    help: str
    parse: Callable[[str], Any]
    """Converts a non-empty text to the value. Raises `ValueError` if it is not allowed."""
    fallback: Callable[[], Any]
    """Returns the value when the variable is unset."""

    def read(self, environ: Mapping[str, str]) -> Any:
        """Return the value in `environ`. Raises `Misconfigured` if it is not allowed."""
        text = environ.get(self.name, "").strip()
        if not text:
            return self.fallback()
        try:
            return self.parse(text)
        except ValueError:
            raise Misconfigured(f"{self.name} cannot be {_shown(self, text)}; allowed: {self.allowed}") from None


def _shown(setting: Setting, text: str) -> str:
    secret = ("given_secret", "database_url", "broker_url", "metrics_token", "smtp_url", "oidc_secret")
    hidden = setting.field in secret
    return "its present value (not shown: it may contain a password)" if hidden else repr(text)


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _database(text: str) -> str:
    scheme, found, rest = text.partition("://")
    if not found or not rest or scheme not in DATABASE_DRIVERS:
        raise ValueError(text)
    return _sqlite(rest) if scheme == "sqlite" else f"{DATABASE_DRIVERS[scheme]}://{rest}"


def _sqlite(rest: str) -> str:
    """Return the URL of a database file, made absolute because the arena's processes run in several folders."""
    path = rest.removeprefix("/")
    if path in ("", ":memory:") or path == rest:
        raise ValueError(rest)
    return f"sqlite:///{_folder(path)}"


def _broker(text: str) -> str:
    scheme, found, rest = text.partition("://")
    if not found or not rest or scheme not in BROKER_SCHEMES:
        raise ValueError(text)
    return text


def _hosts(text: str) -> str:
    names = [name.strip().lower() for name in text.split(",")]
    if not all(re.fullmatch(r"[\w-]+(\.[\w-]+)*|[\da-f:]+", name, re.ASCII) for name in names):
        raise ValueError(text)
    return ",".join(names)


def _contact(text: str) -> str:
    uri = text if ":" in text else f"mailto:{text}"
    if not re.fullmatch(r"mailto:[^\s@]+@[^\s@]+|https://\S+", uri):
        raise ValueError(text)
    return uri


def _issuer(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(text)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ValueError(text)
    return text.rstrip("/")


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(one.strip()) for one in text.split(","))


def _modules(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if not all(part.isidentifier() and part.isascii() for name in names for part in name.split(".")):
        raise ValueError(text)
    return names


def _short(text: str) -> str:
    if len(text) > 40 or not text.isprintable():
        raise ValueError(text)
    return text


def _secret(text: str) -> str:
    if len(text) < 16:
        raise ValueError(text)
    return text


def _origin(text: str) -> str:
    """Return the URL of a site, without the slash at its end."""
    parts = _site(text, ("http", "https"))
    if parts.username is not None:
        raise ValueError(text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _smtp(text: str) -> str:
    parts = _site(text, SMTP_SCHEMES)
    if parts.username and parts.scheme == "smtp":  # the password would be readable on its way
        raise ValueError(text)
    return text


def _site(text: str, schemes: Collection[str]) -> SplitResult:
    """Return the parts of a URL that has a host, perhaps a port, and no path."""
    parts = urlsplit(text)
    if parts.scheme not in schemes or not parts.hostname or parts.port == 0:  # reading an invalid port raises, too
        raise ValueError(text)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(text)
    return parts


def _address(text: str) -> str:
    if not is_address(text):
        raise ValueError(text)
    return text


def is_address(text: str) -> bool:
    """Return whether this looks like an e-mail address. Only mail that arrives proves that it is one."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


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
    """Return the number of cores this process may run on."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "ARENA_HOME", "home", "`.arena` in the current folder", "a path",
        "Folder for the arena's data on this machine: the SQLite database, the secret, the logs.",
        _folder, lambda: _folder(".arena"),
    ),
    Setting(
        "ARENA_DATABASE_URL", "database_url", "SQLite, `arena.db` in the home folder",
        "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME",
        "The database. It holds all data worth keeping.",
        _database, lambda: None,
    ),
    Setting(
        "ARENA_BROKER_URL", "broker_url", "an embedded Valkey, started by `arena up`",
        "redis://HOST:PORT/0, rediss://HOST:PORT/0 or redis+socket:///PATH",
        "The message broker. It carries only doorbells and may be emptied at any time.",
        _broker, lambda: None,
    ),
    Setting(
        "ARENA_SECRET_KEY", "given_secret", "generated once, kept in `secret` in the home folder",
        "at least 16 characters",
        "Key that signs sessions. Web servers on several machines need the same one.",
        _secret, lambda: None,
    ),
    Setting(
        "ARENA_HOST", "host", "127.0.0.1", "a host name or address of this machine",
        "Address that the web server listens on. 0.0.0.0 means every address of this machine.",
        str, lambda: "127.0.0.1",
    ),
    Setting(
        "ARENA_PORT", "port", "8000", "a whole number from 1 to 65535",
        "Port that the web server listens on.",
        _whole(1, 65535), lambda: 8000,
    ),
    Setting(
        "ARENA_WORKERS", "workers", "one per usable core", "a whole number from 1 to 512",
        "Number of worker processes on this machine. Each plays one table at a time.",
        _whole(1, 512), usable_cores,
    ),
    Setting(
        "ARENA_UPLOAD_LIMIT", "upload_limit", "10485760 (10 MiB)", "bytes, a whole number from 1024 to 16777216",
        "Largest upload: a Python file or a packed zip.",
        _whole(1024, 16 * MIB), lambda: 10 * MIB,
    ),
    Setting(
        "ARENA_UPLOAD_UNPACKED", "upload_unpacked", "52428800 (50 MiB)",
        "bytes, a whole number from 1024 to 104857600",
        "Largest total size of the unpacked files of a zip.",
        _whole(1024, 100 * MIB), lambda: 50 * MIB,
    ),
    Setting(
        "ARENA_UPLOAD_FILES", "upload_files", "200", "a whole number from 1 to 1000",
        "Largest number of files in a zip. Folders and hidden files do not count.",
        _whole(1, 1000), lambda: 200,
    ),
    Setting(
        "ARENA_UPLOAD_QUEUE", "upload_queue", "10", "a whole number from 1 to 1000",
        "Number of uploads per owner that may wait for validation.",
        _whole(1, 1000), lambda: 10,
    ),
    Setting(
        "ARENA_QUOTA_BOTS", "quota_bots", "30", "a whole number from 1 to 100000",
        "Number of bots that a member may own. Archived bots do not count.",
        _whole(1, 100_000), lambda: 30,
    ),
    Setting(
        "ARENA_QUOTA_VERSIONS", "quota_versions", "100", "a whole number from 1 to 100000",
        "Number of versions of one bot that may be uploaded in 24 hours.",
        _whole(1, 100_000), lambda: 100,
    ),
    Setting(
        "ARENA_QUOTA_STORAGE", "quota_storage", "250", "MiB, a whole number from 1 to 1048576",
        "Space for the sources of all bots that a member owns.",
        _whole(1, 1 << 20), lambda: 250,
    ),
    Setting(
        "ARENA_QUOTA_VALIDATIONS", "quota_validations", "200", "a whole number from 1 to 100000",
        "Number of validations that a member may ask for in 24 hours: one for each upload.",
        _whole(1, 100_000), lambda: 200,
    ),
    Setting(
        "ARENA_QUOTA_TRIALS", "quota_trials", "1000", "a whole number from 1 to 1000000",
        "Number of unrated matches that a member may ask for in 24 hours.",
        _whole(1, 1_000_000), lambda: 1000,
    ),
    Setting(
        "ARENA_QUOTA_NEW", "quota_new", "25", "per cent, a whole number from 1 to 100",
        "Share of these five quotas for accounts less than 24 hours old that no organiser has put in a group.",
        _whole(1, 100), lambda: 25,
    ),
    Setting(
        "ARENA_KEEP_TRIALS", "keep_trials", "7", "days, a number from 1 to 3650",
        "Time after which a trial is deleted with its matches. Nothing follows from them.",
        _number(1, 3650), lambda: 7.0,
    ),
    Setting(
        "ARENA_KEEP_REJECTED", "keep_rejected", "7", "days, a number from 0 to 3650",
        "Time after which the source of a rejected version is deleted. Its report, size and hash stay.",
        _number(0, 3650), lambda: 7.0,
    ),
    Setting(
        "ARENA_KEEP_EVENTS", "keep_events", "30", "days, a number from 1 to 3650",
        "Time for which events, from which programs follow the arena, and their deliveries to webhooks are kept.",
        _number(1, 3650), lambda: 30.0,
    ),
    Setting(
        "ARENA_WEBHOOK_NETWORKS", "webhook_networks", "none: public addresses over https only",
        "networks separated by commas, such as 10.1.0.0/16,fd00::/8",
        "Networks of your own that webhooks may reach as well, also over http. Everybody with an account can send "
        "requests into them.",
        _networks, lambda: (),
    ),
    Setting(
        "ARENA_VALIDATION_TIME", "validation_time", "600", "seconds, a number from 10 to 3600",
        "CPU and idle time that an upload may use in all its test matches together, summed over its seats.",
        _number(10, 3600), lambda: 600.0,
    ),
    Setting(
        "ARENA_QUEUE_LIMIT", "queue_limit", "1000000", "a whole number from 1000 to 1000000000",
        "Number of tables that may wait in all tournaments together. Placements of uploads are always accepted.",
        _whole(1000, 10**9), lambda: 10**6,
    ),
    Setting(
        "ARENA_COMPARISON_LIMIT", "comparison_limit", "3", "a whole number from 1 to 1000",
        "Number of comparisons that a member may run at a time.",
        _whole(1, 1000), lambda: 3,
    ),
    Setting(
        "ARENA_API_REQUESTS", "api_requests", "600", "a whole number from 1 to 1000000",
        "Number of requests that a token, or an address without one, may send to the API per minute.",
        _whole(1, 10**6), lambda: 600,
    ),
    Setting(
        "ARENA_REGISTRATION", "registration", "open", "open, invitation or closed",
        "Who may create an account: anybody, people with an invitation link, or nobody.",
        _one_of("open", "invitation", "closed"), lambda: "open",
    ),
    Setting(
        "ARENA_SANDBOX_MINIMUM", "sandbox_minimum", "both", "both, one or none",
        "Which of Landlock and a distinct uid the sandbox must have; below it no bot runs. With none, bots run with "
        "only the layers that this machine has: an insecure run.",
        _one_of("both", "one", "none"), lambda: "both",
    ),
    Setting(
        "ARENA_BOT_MEMORY", "bot_memory", "256", "MiB, a whole number from 32 to 65536",
        "Memory that a bot may use in addition to that of an empty bot, as address space.",
        _whole(32, 1 << 16), lambda: 256,
    ),
    Setting(
        "ARENA_BOT_PACKAGES", "bot_packages", "none", "modules separated by commas, such as scipy,scipy.special",
        "Python modules that bots can import besides numpy. They must be installed beside the arena; those that start "
        "threads or make executable memory are refused.",
        _modules, lambda: (),
    ),
    Setting(
        "ARENA_STOP_BRACKET", "stop_bracket", "no", "yes or no",
        "Whether a bot's process is stopped while it is not the bot's turn.",
        _yes_or_no, lambda: False,
    ),
    Setting(
        "ARENA_LEASE", "lease", "15", "seconds, a number from 2 to 3600",
        "Time until an unrenewed claim on a table expires and another worker may claim it.",
        _number(2, 3600), lambda: 15.0,
    ),
    Setting(
        "ARENA_DISK_RESERVE", "disk_reserve", "200", "MiB, a whole number from 0 to 1048576",
        "Free space on the disk of a SQLite database below which workers take no more tables and uploads.",
        _whole(0, 1 << 20), lambda: 200,
    ),
    Setting(
        "ARENA_LOG_LEVEL", "log_level", "info", "debug, info, warning or error",
        "Lowest level that is logged.",
        _one_of("debug", "info", "warning", "error"), lambda: "info",
    ),
    Setting(
        "ARENA_LOG_FORMAT", "log_format", "text", "text or json",
        "Format of the logs of all parts: lines for people, or a JSON object per line.",
        _one_of("text", "json"), lambda: "text",
    ),
    Setting(
        "ARENA_METRICS_TOKEN", "metrics_token", "none: only administrators may", "at least 16 characters",
        "Token with which Prometheus may read `/metrics`, sent as `Authorization: Bearer TOKEN`.",
        _secret, lambda: None,
    ),
    Setting(
        "ARENA_RATINGS_ESTIMATE", "ratings_estimate", "never", "never or auto",
        "Whether a variant's rating parameters are re-estimated whenever the number of its tables doubles. With "
        "auto, they apply to the tables that follow.",
        _one_of("never", "auto"), lambda: "never",
    ),
    Setting(
        "ARENA_LADDER_SIGMA", "ladder_sigma", "2", "a number from 0 to 8",
        "Sigma at which a rating is precise enough. Each variant gets a ladder, which plays on idle workers until all "
        "ratings are. With 0, ladders are started by organisers only and play without end.",
        _number(0, 8), lambda: 2.0,
    ),
    Setting(
        "ARENA_PROXIES", "proxies", "0", "a whole number from 0 to 8",
        "Number of reverse proxies in front of the web server. Their X-Forwarded headers are trusted.",
        _whole(0, 8), lambda: 0,
    ),
    Setting(
        "ARENA_HOSTS", "hosts", "that of `ARENA_URL`, or else this machine's name and any IP address",
        "host names separated by commas",
        "Names under which people reach the site, without ports. Requests under other names are refused.",
        _hosts, lambda: "",
    ),
    Setting(
        "ARENA_CONTACT", "contact", "none", "an e-mail address, or a URI that begins with mailto: or https://",
        "Where people report holes in the site's security; published in `/.well-known/security.txt`.",
        _contact, lambda: None,
    ),
    Setting(
        "ARENA_SESSION_IDLE", "session_idle", "168 (a week)", "hours, a number from 1 to 8760",
        "Time without use after which members must log in again.",
        _number(1, 8760), lambda: 168.0,
    ),
    Setting(
        "ARENA_SESSION_LENGTH", "session_length", "720 (30 days)", "hours, a number from 1 to 8760",
        "Time after which members must log in again in any case.",
        _number(1, 8760), lambda: 720.0,
    ),
    Setting(
        "ARENA_URL", "url", "none", "https://HOST or http://HOST, with a port if necessary",
        "Public URL of the arena, for links that leave it.",
        _origin, lambda: None,
    ),
    Setting(
        "ARENA_SMTP_URL", "smtp_url", "none: no mail is sent",
        "smtps://USER:PASSWORD@HOST:PORT, smtp+starttls://USER:PASSWORD@HOST:PORT or smtp://HOST:PORT",
        "Mail server for links that reset a password; needs the next setting and `ARENA_URL`. `smtp:` is not encrypted "
        "and takes no password.",
        _smtp, lambda: None,
    ),
    Setting(
        "ARENA_MAIL_FROM", "mail_from", "none", "an e-mail address",
        "Address that mail is sent from.",
        _address, lambda: None,
    ),
    Setting(
        "ARENA_OIDC_ISSUER", "oidc_issuer", "none: members log in with passwords",
        "https://HOST/PATH; with http only for this machine",
        "Issuer of an OpenID Connect provider with whose accounts people may register and log in, whatever "
        "`ARENA_REGISTRATION` is. Needs the next two settings.",
        _issuer, lambda: None,
    ),
    Setting(
        "ARENA_OIDC_CLIENT", "oidc_client", "none", "the ID that the provider gave this arena",
        "Client ID. Register `/login/provider/callback` of this site as its redirect URI.",
        str, lambda: None,
    ),
    Setting(
        "ARENA_OIDC_SECRET", "oidc_secret", "none", "the secret that belongs to the client ID",
        "Client secret.",
        str, lambda: None,
    ),
    Setting(
        "ARENA_OIDC_NAME", "oidc_name", "your organisation", "up to 40 characters",
        "Name of the provider, as in “Log in with …”.",
        _short, lambda: "your organisation",
    ),
)  # fmt: skip
"""All settings, in the order of the docs."""

OTHERS = frozenset({"ARENA_TEST_COMPLETE", "ARENA_TOKEN"})
"""Variables with our prefix that are not settings: those of the test run, and the token of the client."""


_FORMER = {"ARENA_DELIVERY_GRID": " any more: it has no use, because bots have no clock of real time"}
"""Ends of the sentences about settings of earlier releases."""


def unknown(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable with our prefix that is not a setting, such as a spelling mistake."""
    names = [setting.name for setting in SETTINGS]
    unknown_names = sorted(name for name in environ if name.startswith(PREFIX) and name not in OTHERS.union(names))
    return [f"{name} is not a setting{_FORMER.get(name) or _suggestion(name, names)}" for name in unknown_names]


def _suggestion(name: str, names: list[str]) -> str:
    close = get_close_matches(name.removeprefix(PREFIX), [one.removeprefix(PREFIX) for one in names], n=1)
    return f"; did you mean {PREFIX}{close[0]}?" if close else ""
