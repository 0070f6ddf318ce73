"""``arena config``: print the settings in force and their sources."""

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

import click
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from arena.settings import SETTINGS, Setting, Settings, unknown

HIDDEN = "***"
"""Text in place of a secret."""
_WORDS = {None: "", True: "yes", False: "no"}


class Line(NamedTuple):
    """A setting in force."""

    name: str
    value: object
    """Value, without secrets; None if the default is not a value."""
    source: str
    """Source: environment, file or default."""
    meaning: str
    allowed: str
    default: str


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def config(as_json: bool) -> None:
    """Print each setting in force in this environment, its source (environment, file or default) and its meaning.

    Passwords and keys are hidden. A running arena has the settings of the environment that it was started in.
    """
    settings = Settings.from_env()
    lines = [_line(setting, settings, os.environ) for setting in SETTINGS]
    click.echo(json.dumps([line._asdict() for line in lines], indent=2) if as_json else "\n".join(map(_text, lines)))
    for notice in unknown(os.environ):
        click.echo(notice, err=True)


def _line(setting: Setting, settings: Settings, environ: Mapping[str, str]) -> Line:
    value = _visible(setting.field, getattr(settings, setting.field))
    source = "environment" if environ.get(setting.name, "").strip() else "default"
    if setting.field == "given_secret" and value is None and settings.secret_file.exists():
        value, source = HIDDEN, "file"
    return Line(setting.name, value, source, setting.help, setting.allowed, setting.default)


def _visible(field: str, value: object) -> object:
    if field == "given_secret":
        return value and HIDDEN
    if field in ("database_url", "broker_url", "smtp_url"):
        return value and _without_password(str(value))
    return value if isinstance(value, bool | int | float | None) else str(value)


def _without_password(url: str) -> str:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return HIDDEN
    secrets = [name for name in parsed.query if "password" in name]
    return parsed.difference_update_query(secrets).render_as_string(hide_password=True)


def _text(line: Line) -> str:
    shown = _WORDS[line.value] if isinstance(line.value, bool | None) else line.value
    source = f"default: {line.default}" if line.value is None else line.source
    return f"{line.name}={shown} ({source})\n    {line.meaning}"
