"""Settings of an operator: environment variables that start with ``ARENA_``, read once when a process starts.

The fields of `Settings` are the only list of them: the operating page of the docs is checked against it, and
`Settings.from_env` reads nothing else. An empty value counts as unset.
"""

import os
import re
import secrets
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
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


class _Kind(NamedTuple):
    """Values that a variable may have."""

    allowed: str
    parse: Callable[[str], Any]
    """Converts a non-empty text to the value. Raises `ValueError` if it is not allowed."""


def _whole(low: int, high: int, unit: str = "") -> _Kind:
    return _Kind(f"{unit}a whole number from {low} to {high}", lambda text: _within(low, int(text), high))


def _number(low: float, high: float, unit: str = "") -> _Kind:
    return _Kind(f"{unit}a number from {low:g} to {high:g}", lambda text: _within(low, float(text), high))


def _within(low: float, value: float, high: float) -> float:
    if not low <= value <= high:
        raise ValueError(value)
    return value


def _one_of(*words: str) -> _Kind:
    return _Kind(f"{', '.join(words[:-1])} or {words[-1]}", lambda text: words[words.index(text.lower())])


_YES_OR_NO = _Kind("yes or no", lambda text: _TRUTH[text.lower()])


@dataclass(frozen=True)
class Setting:
    """A variable: its values and its documentation."""

    field: str
    """Name of the field of `Settings`."""
    name: str
    """Name of the environment variable."""
    help: str
    kind: _Kind
    fallback: Any
    """Value if the variable is unset, or a function that returns it."""
    default: str
    """Description of that value."""
    secret: bool

    @property
    def allowed(self) -> str:
        """Description of the values that are allowed."""
        return self.kind.allowed

    def read(self, environ: Mapping[str, str]) -> Any:
        """Return the value in `environ`. Raises `Misconfigured` if it is not allowed."""
        text = environ.get(self.name, "").strip()
        if not text:
            return self.fallback() if callable(self.fallback) else self.fallback
        try:
            return self.kind.parse(text)
        except (ValueError, KeyError):
            raise Misconfigured(f"{self.name} cannot be {self._shown(text)}; allowed: {self.allowed}") from None

    def _shown(self, text: str) -> str:
        return "its present value (not shown: it may contain a password)" if self.secret else repr(text)


def _setting(meaning: str, kind: _Kind, fallback: Any, default: str = "", secret: bool = False, name: str = "") -> Any:
    """Declare a field of `Settings` that a variable sets. The repr omits secrets."""
    described = {"name": name, "help": meaning, "kind": kind, "fallback": fallback, "secret": secret}
    return field(repr=not secret, metadata=described | {"default": default or _written(fallback)})


def _written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).removesuffix(".0")


def usable_cores() -> int:
    """Return the number of cores this process may run on."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@dataclass(frozen=True)
class Settings:
    """Settings of one process. The repr omits secrets: URLs and keys."""

    home: Path = _setting(
        "Folder for the arena's data on this machine: the SQLite database, the secret, the logs.",
        _Kind("a path", _folder),
        None,
        default="`.arena` in the current folder; `.arena-demo` for a demo",
    )
    database_url: str = _setting(
        "The database. It holds all data worth keeping.",
        _Kind("sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME", _database),
        None,
        default="SQLite, `arena.db` in the home folder",
        secret=True,
    )
    demo: bool = _setting(
        "Whether this is a demo: visitors become organisers with one click, nothing is sent outside, and `arena up` "
        "deletes everything each night. `arena up --demo` sets it.",
        _YES_OR_NO,
        False,
        default="no",
    )
    broker_url: str | None = _setting(
        "The message broker. It carries only doorbells and may be emptied at any time.",
        _Kind("redis://HOST:PORT/0, rediss://HOST:PORT/0 or redis+socket:///PATH", _broker),
        None,
        default="an embedded Valkey, started by `arena up`",
        secret=True,
    )
    given_secret: str | None = _setting(
        "Key that signs sessions. Web servers on several machines need the same one.",
        _Kind("at least 16 characters", _secret),
        None,
        default="generated once, kept in `secret` in the home folder",
        secret=True,
        name="ARENA_SECRET_KEY",
    )
    host: str = _setting(
        "Address that the web server listens on. 0.0.0.0 means every address of this machine.",
        _Kind("a host name or address of this machine", str),
        "127.0.0.1",
    )
    port: int = _setting("Port that the web server listens on.", _whole(1, 65535), 8000)
    workers: int = _setting(
        "Number of worker processes on this machine. Each plays one table at a time.",
        _whole(1, 512),
        usable_cores,
        default="one per usable core",
    )
    upload_limit: int = _setting(
        "Largest upload: a Python file or a packed zip.",
        _whole(1024, 16 * MIB, "bytes, "),
        10 * MIB,
        default="10485760 (10 MiB)",
    )
    quota: float = _setting(
        "Factor of all members' quotas: 30 bots, 250 MiB of sources, and in 24 hours 100 versions of a bot, 200 "
        "validations and 1,000 unrated matches.",
        _number(0.01, 1000),
        1.0,
    )
    webhook_networks: tuple[IPv4Network | IPv6Network, ...] = _setting(
        "Networks of your own that webhooks and learning platforms may be in as well, also over http. Everybody with "
        "an account can send requests into them.",
        _Kind("networks separated by commas, such as 10.1.0.0/16,fd00::/8", _networks),
        (),
        default="none: public addresses over https only",
    )
    api_requests: int = _setting(
        "Number of requests that a token, or an address without one, may send to the API per minute; ten times as many "
        "for the questions and moves of programs at tables.",
        _whole(1, 10**6),
        600,
    )
    registration: str = _setting(
        "Who may create an account: anybody, people with an invitation link, or nobody.",
        _one_of("open", "invitation", "closed"),
        "open",
    )
    sandbox_minimum: str = _setting(
        "Which of Landlock and a distinct uid the sandbox must have; below it no bot runs. With none, bots run with"
        " only the layers that this machine has: an insecure run.",
        _one_of("both", "one", "none"),
        "both",
    )
    bot_memory: int = _setting(
        "Memory that a bot may use in addition to that of an empty bot, as address space.",
        _whole(32, 1 << 16, "MiB, "),
        256,
    )
    bot_packages: tuple[str, ...] = _setting(
        "Python modules that bots can import besides numpy. They must be installed beside the arena; those that "
        "start threads or make executable memory are refused.",
        _Kind("modules separated by commas, such as scipy,scipy.special", _modules),
        (),
        default="none",
    )
    live_tables: int = _setting(
        "Number of tables of people and bots that this machine plays at a time; each bot takes 3 to 8 MiB.",
        _whole(0, 1000),
        50,
    )
    stop_bracket: bool = _setting(
        "Whether a bot's process is stopped while it is not the bot's turn.", _YES_OR_NO, False, default="no"
    )
    lease: float = _setting(
        "Time until an unrenewed claim on a table expires and another worker may claim it.",
        _number(2, 3600, "seconds, "),
        15.0,
    )
    disk_reserve: int = _setting(
        "Free space on the disk of a SQLite database below which workers take no more tables and uploads.",
        _whole(0, 1 << 20, "MiB, "),
        200,
    )
    log_level: str = _setting("Lowest level that is logged.", _one_of("debug", "info", "warning", "error"), "info")
    log_format: str = _setting(
        "Format of the logs of all parts: lines for people, or a JSON object per line.", _one_of("text", "json"), "text"
    )
    metrics_token: str | None = _setting(
        "Token with which Prometheus may read `/metrics`, sent as `Authorization: Bearer TOKEN`.",
        _Kind("at least 16 characters", _secret),
        None,
        default="none: only administrators may",
        secret=True,
    )
    ratings_estimate: str = _setting(
        "Whether a variant's rating parameters are re-estimated whenever the number of its tables doubles. With "
        "auto, they apply to the tables that follow.",
        _one_of("never", "auto"),
        "never",
    )
    ladder_sigma: float = _setting(
        "Sigma at which a rating is precise enough. Each variant gets a ladder, which plays on idle workers until "
        "all ratings are. With 0, ladders are started by organisers only and play without end.",
        _number(0, 8),
        2.0,
    )
    proxies: int = _setting(
        "Number of reverse proxies in front of the web server. Their X-Forwarded headers are trusted.", _whole(0, 8), 0
    )
    hosts: str = _setting(
        "Names under which people reach the site, without ports. Requests under other names are refused.",
        _Kind("host names separated by commas", _hosts),
        "",
        default="that of `ARENA_URL`, or else this machine's name and any IP address",
    )
    contact: str | None = _setting(
        "Where people report holes in the site's security; published in `/.well-known/security.txt`.",
        _Kind("an e-mail address, or a URI that begins with mailto: or https://", _contact),
        None,
        default="none",
    )
    url: str | None = _setting(
        "Public URL of the arena, for links that leave it.",
        _Kind("https://HOST or http://HOST, with a port if necessary", _origin),
        None,
        default="none",
    )
    smtp_url: str | None = _setting(
        "Mail server for links that reset a password; needs the next setting and `ARENA_URL`. `smtp:` is not "
        "encrypted and takes no password.",
        _Kind("smtps://USER:PASSWORD@HOST:PORT, smtp+starttls://USER:PASSWORD@HOST:PORT or smtp://HOST:PORT", _smtp),
        None,
        default="none: no mail is sent",
        secret=True,
    )
    mail_from: str | None = _setting(
        "Address that mail is sent from.", _Kind("an e-mail address", _address), None, default="none"
    )
    oidc_issuer: str | None = _setting(
        "Issuer of an OpenID Connect provider with whose accounts people may register and log in, whatever "
        "`ARENA_REGISTRATION` is. Needs the next two settings.",
        _Kind("https://HOST/PATH; with http only for this machine", _issuer),
        None,
        default="none: members log in with passwords",
    )
    oidc_client: str | None = _setting(
        "Client ID. Register `/login/provider/callback` of this site as its redirect URI.",
        _Kind("the ID that the provider gave this arena", str),
        None,
        default="none",
    )
    oidc_secret: str | None = _setting(
        "Client secret.", _Kind("the secret that belongs to the client ID", str), None, default="none", secret=True
    )
    oidc_name: str = _setting(
        "Name of the provider, as in “Log in with …”.", _Kind("up to 40 characters", _short), "your organisation"
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Self:
        """Read the settings of this process.

        Raises `Misconfigured` with the variable, its value and the allowed values if one is invalid.
        """
        environ = os.environ if environ is None else environ
        values = {setting.field: setting.read(environ) for setting in SETTINGS}
        home = values["home"] = values["home"] or _folder(".arena-demo" if values["demo"] else ".arena")
        own = f"sqlite:///{home / 'arena.db'}"
        values["database_url"] = values["database_url"] or own
        if values["demo"]:
            if values["database_url"] != own:
                raise Misconfigured("A demo deletes its data each night; unset ARENA_DATABASE_URL or ARENA_DEMO")
            values |= {"registration": "open", "smtp_url": None, "oidc_issuer": None}
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
        return UploadBounds(self.upload_limit)

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
    def live_ready(self) -> Path:
        """File that exists once this machine's host of live tables takes tables."""
        return self.run / "live.ready"

    @property
    def broker_socket(self) -> Path:
        """Socket of the broker that `arena up` runs, or a link to it."""
        return self.run / "valkey.sock"

    @property
    def beat_schedule(self) -> Path:
        """File of the clock. Its database library may add suffixes to the name."""
        return self.run / "beat-schedule"


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


SETTINGS = tuple(
    Setting(**{**each.metadata, "field": each.name, "name": each.metadata["name"] or PREFIX + each.name.upper()})
    for each in fields(Settings)
)
"""All settings, in the order of the docs."""

OTHERS = frozenset({"ARENA_TEST_COMPLETE", "ARENA_TOKEN"})
"""Variables with our prefix that are not settings: those of the test run, and the token of the client."""

_FORMER = frozenset(
    PREFIX + name
    for name in (
        "COMPARISON_LIMIT", "DELIVERY_GRID", "KEEP_EVENTS", "KEEP_REJECTED", "KEEP_TRIALS", "QUEUE_LIMIT", "QUOTA_BOTS",
        "QUOTA_NEW", "QUOTA_STORAGE", "QUOTA_TRIALS", "QUOTA_VALIDATIONS", "QUOTA_VERSIONS", "SESSION_IDLE",
        "SESSION_LENGTH", "UPLOAD_FILES", "UPLOAD_QUEUE", "UPLOAD_UNPACKED", "VALIDATION_TIME",
    )
)  # fmt: skip
"""Variables that were settings. Those of quotas became one, `ARENA_QUOTA`; the other values are fixed."""


def unknown(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable with our prefix that is not a setting, such as a spelling mistake."""
    names = [setting.name for setting in SETTINGS]
    unknown_names = sorted(name for name in environ if name.startswith(PREFIX) and name not in OTHERS.union(names))
    return [f"{name} is not a setting{_suggestion(name, names)}" for name in unknown_names]


def _suggestion(name: str, names: list[str]) -> str:
    if name in _FORMER:
        return f" any more; {'ARENA_QUOTA scales all quotas' if 'QUOTA' in name else 'its value is fixed'}"
    close = get_close_matches(name.removeprefix(PREFIX), [one.removeprefix(PREFIX) for one in names], n=1)
    return f"; did you mean {PREFIX}{close[0]}?" if close else ""
