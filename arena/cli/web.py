"""``arena web``: the web server, where the parts are started one by one."""

import click

from arena.cli import parts
from arena.settings import Settings


@click.command()
def web() -> None:
    """Run the web server alone, as `arena up` would."""
    settings = Settings.from_env()
    parts.require_broker(settings)
    parts.become(parts.web(settings))
