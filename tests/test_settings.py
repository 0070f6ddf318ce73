"""Settings: defaults, values from the environment, and messages about invalid ones."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network
from pathlib import Path

import pytest

from arena.games.errors import Misconfigured
from arena.sdk.upload import UploadBounds
from arena.settings import SETTINGS, Settings, unknown, usable_cores


def test_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the data is in .arena of the current folder, and the server listens on this machine only."""
    monkeypatch.chdir(tmp_path)
    settings = Settings.from_env({})

    assert settings.home == tmp_path / ".arena"
    assert settings.database_url == f"sqlite:///{tmp_path}/.arena/arena.db"
    assert settings.broker_url is None
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.workers == usable_cores() == len(os.sched_getaffinity(0))
    assert (settings.sandbox_minimum, settings.lease) == ("both", 15)
    assert settings.upload_bounds == UploadBounds(10 << 20, 50 << 20, 200)
    assert not settings.home.exists()


def test_every_setting_is_read_from_its_variable() -> None:
    """Each variable in the table sets its own field."""
    environ = {
        "ARENA_HOME": "/srv/arena",
        "ARENA_DATABASE_URL": "postgresql+psycopg://arena:pw@db/arena",
        "ARENA_DEMO": "no",
        "ARENA_BROKER_URL": "redis://queue:6379/0",
        "ARENA_SECRET_KEY": "sixteen letters!",
        "ARENA_HOST": "::",
        "ARENA_PORT": "8080",
        "ARENA_WORKERS": "3",
        "ARENA_UPLOAD_LIMIT": "2048",
        "ARENA_QUOTA": "2.5",
        "ARENA_WEBHOOK_NETWORKS": "10.0.0.0/8, fd00::/8",
        "ARENA_API_REQUESTS": "60",
        "ARENA_REGISTRATION": "invitation",
        "ARENA_SANDBOX_MINIMUM": "ONE",
        "ARENA_BOT_MEMORY": "512",
        "ARENA_BOT_PACKAGES": "scipy, scipy.special",
        "ARENA_LIVE_TABLES": "7",
        "ARENA_STOP_BRACKET": "Yes",
        "ARENA_LEASE": "2.5",
        "ARENA_DISK_RESERVE": "50",
        "ARENA_LOG_LEVEL": "debug",
        "ARENA_LOG_FORMAT": "json",
        "ARENA_METRICS_TOKEN": "sixteen letters.",
        "ARENA_RATINGS_ESTIMATE": "auto",
        "ARENA_LADDER_SIGMA": "1.5",
        "ARENA_PROXIES": "1",
        "ARENA_HOSTS": "Arena.example, cards.example",
        "ARENA_CONTACT": "security@arena.example",
        "ARENA_URL": "https://Arena.Example:8443/",
        "ARENA_SMTP_URL": "smtps://arena:p%40ss@mail.example:465",
        "ARENA_MAIL_FROM": "arena@arena.example",
        "ARENA_OIDC_ISSUER": "https://login.example.org/realm/",
        "ARENA_OIDC_CLIENT": "arena",
        "ARENA_OIDC_SECRET": "s3cret",
        "ARENA_OIDC_NAME": "Example University",
    }
    settings = Settings.from_env(environ)

    assert list(environ) == [setting.name for setting in SETTINGS]
    assert settings == Settings(
        home=Path("/srv/arena"),
        database_url="postgresql+psycopg://arena:pw@db/arena",
        demo=False,
        broker_url="redis://queue:6379/0",
        given_secret="sixteen letters!",
        host="::",
        port=8080,
        workers=3,
        upload_limit=2048,
        quota=2.5,
        webhook_networks=(ip_network("10.0.0.0/8"), ip_network("fd00::/8")),
        api_requests=60,
        registration="invitation",
        sandbox_minimum="one",
        bot_memory=512,
        bot_packages=("scipy", "scipy.special"),
        live_tables=7,
        stop_bracket=True,
        lease=2.5,
        disk_reserve=50,
        log_level="debug",
        log_format="json",
        metrics_token="sixteen letters.",
        ratings_estimate="auto",
        ladder_sigma=1.5,
        proxies=1,
        hosts="arena.example,cards.example",
        contact="mailto:security@arena.example",
        url="https://arena.example:8443",
        smtp_url="smtps://arena:p%40ss@mail.example:465",
        mail_from="arena@arena.example",
        oidc_issuer="https://login.example.org/realm",
        oidc_client="arena",
        oidc_secret="s3cret",
        oidc_name="Example University",
    )
    assert Settings.from_env(settings.environ()) == settings


@pytest.mark.parametrize("url", ["postgres://u:p@h/d", "postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d"])
def test_postgresql_url_spellings(url: str) -> None:
    """All common spellings of a PostgreSQL URL select the installed driver."""
    assert Settings.from_env({"ARENA_DATABASE_URL": url}).database_url == "postgresql+psycopg://u:p@h/d"


@pytest.mark.parametrize("issuer", ["http://login.example.org", "login.example.org", "https://h/?realm=a", "https://"])
def test_issuer_is_encrypted(issuer: str) -> None:
    """A provider that is reached over plain HTTP is accepted only on this machine."""
    client = {"ARENA_OIDC_CLIENT": "arena", "ARENA_OIDC_SECRET": "s3cret"}

    with pytest.raises(Misconfigured, match="ARENA_OIDC_ISSUER cannot be"):
        Settings.from_env(client | {"ARENA_OIDC_ISSUER": issuer})
    assert Settings.from_env(client | {"ARENA_OIDC_ISSUER": "http://localhost:81"}).oidc_issuer == "http://localhost:81"


def test_issuer_needs_a_client() -> None:
    """The message names what is missing, and a secret is not shown in messages."""
    with pytest.raises(Misconfigured, match="needs ARENA_OIDC_CLIENT and ARENA_OIDC_SECRET"):
        Settings.from_env({"ARENA_OIDC_ISSUER": "https://login.example.org"})
    with pytest.raises(Misconfigured, match="ARENA_OIDC_NAME cannot be"):
        Settings.from_env({"ARENA_OIDC_NAME": "a" * 41})


def test_relative_sqlite_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena's processes run in other folders than the operator."""
    monkeypatch.chdir(tmp_path)

    assert Settings.from_env({"ARENA_DATABASE_URL": "sqlite:///a.db"}).database_url == f"sqlite:///{tmp_path}/a.db"


def test_empty_variable_counts_as_unset() -> None:
    """`ARENA_PORT=` in a file of variables selects the default."""
    assert Settings.from_env({"ARENA_PORT": " "}).port == 8000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARENA_PORT", "0"),
        ("ARENA_PORT", "65536"),
        ("ARENA_PORT", "http"),
        ("ARENA_WORKERS", "0"),
        ("ARENA_WORKERS", "two"),
        ("ARENA_UPLOAD_LIMIT", "1"),
        ("ARENA_QUOTA", "0"),
        ("ARENA_SANDBOX_MINIMUM", "some"),
        ("ARENA_BOT_MEMORY", "16"),
        ("ARENA_BOT_PACKAGES", "scipy==1.0"),
        ("ARENA_STOP_BRACKET", "maybe"),
        ("ARENA_LEASE", "nan"),
        ("ARENA_LEASE", "-1"),
        ("ARENA_LOG_LEVEL", "loud"),
        ("ARENA_URL", "arena.example"),
        ("ARENA_URL", "ftp://arena.example"),
        ("ARENA_URL", "https://ann@arena.example"),
        ("ARENA_URL", "https://arena.example/path"),
        ("ARENA_URL", "https://arena.example:99999"),
        ("ARENA_URL", "https://"),
        ("ARENA_URL", "https://arena.example:0"),
        ("ARENA_MAIL_FROM", "arena"),
        ("ARENA_MAIL_FROM", "a b@arena.example"),
        ("ARENA_LOG_FORMAT", "xml"),
    ],
)
def test_invalid_value_is_explained(name: str, value: str) -> None:
    """The message has the variable, its value, and the allowed values."""
    allowed = next(setting.allowed for setting in SETTINGS if setting.name == name)
    with pytest.raises(Misconfigured) as caught:
        Settings.from_env({name: value})

    assert str(caught.value) == f"{name} cannot be {value!r}; allowed: {allowed}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARENA_SECRET_KEY", "hunter2"),
        ("ARENA_DATABASE_URL", "mysql://root:hunter2@db/arena"),
        ("ARENA_DATABASE_URL", "sqlite:///:memory:"),
        ("ARENA_DATABASE_URL", "sqlite://relative"),
        ("ARENA_BROKER_URL", "amqp://guest:hunter2@queue"),
        ("ARENA_BROKER_URL", "nonsense"),
        ("ARENA_SMTP_URL", "smtp://arena:hunter2@mail.example"),
        ("ARENA_SMTP_URL", "smtps://arena:hunter2@mail.example/path"),
        ("ARENA_SMTP_URL", "mail.example"),
    ],
)
def test_invalid_secret_is_not_shown(name: str, value: str) -> None:
    """A value that may contain a password does not appear in the error."""
    with pytest.raises(Misconfigured, match=f"^{name} cannot be its present value .*; allowed: ") as caught:
        Settings.from_env({name: value})

    assert value not in str(caught.value)


@pytest.mark.parametrize("given", [{}, {"ARENA_URL": "https://arena.example"}, {"ARENA_MAIL_FROM": "a@b"}])
def test_mail_needs_an_address_and_the_url_of_the_arena(given: dict[str, str]) -> None:
    """Links in mail never come from the Host header of a request."""
    with pytest.raises(Misconfigured, match="ARENA_SMTP_URL needs ARENA_URL, for links in mail, and ARENA_MAIL_FROM"):
        Settings.from_env({"ARENA_SMTP_URL": "smtp://127.0.0.1:25", **given})


def test_secrets_are_not_in_the_repr() -> None:
    """Settings can be printed safely."""
    secrets = {"ARENA_SECRET_KEY": "sixteen letters!", "ARENA_DATABASE_URL": "postgresql://u:hunter2@h/d"}
    secrets |= {"ARENA_SMTP_URL": "smtps://u:hunter2@h", "ARENA_URL": "https://h", "ARENA_MAIL_FROM": "u@h"}
    shown = repr(Settings.from_env(secrets))

    assert "sixteen" not in shown
    assert "hunter2" not in shown


def test_secret_key_is_generated_once_and_private(tmp_path: Path) -> None:
    """The key survives restarts, which keeps everyone logged in."""
    environ = {"ARENA_HOME": str(tmp_path / "home")}
    first = Settings.from_env(environ).secret_key

    assert len(first) == 64
    assert Settings.from_env(environ).secret_key == first
    assert stat.S_IMODE((tmp_path / "home" / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_concurrent_processes_get_one_secret(tmp_path: Path) -> None:
    """All processes see the first secret, and no draft is left."""
    environ = {"ARENA_HOME": str(tmp_path)}
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: Settings.from_env(environ).secret_key, range(32)))

    assert len(found) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_misspelt_variable_is_reported() -> None:
    """A variable with our prefix that is not a setting is reported with the closest name or the reason."""
    names = ["ARENA_KEEP_TRIALS", "ARENA_PORT", "ARENA_QUOTA_BOTS", "ARENA_WORKER", "ARENA_XYZZY", "PATH"]

    assert unknown(dict.fromkeys(names, "1")) == [
        "ARENA_KEEP_TRIALS is not a setting any more; its value is fixed",
        "ARENA_QUOTA_BOTS is not a setting any more; ARENA_QUOTA scales all quotas",
        "ARENA_WORKER is not a setting; did you mean ARENA_WORKERS?",
        "ARENA_XYZZY is not a setting",
    ]
