"""``arena platform``: connect platforms for learning, such as Moodle and Canvas (LTI 1.3)."""

import click

from arena.cli.database import operated
from arena.remote.texts import json_option, say_json, say_rows
from arena.services.lti import platforms
from arena.services.lti.platforms import Terms


@click.group()
def platform() -> None:
    """Connect platforms for learning, such as Moodle and Canvas (LTI 1.3), as the first administrator."""


@platform.command()
@click.argument("name")
@click.option("--issuer", required=True, help="Its issuer, or platform ID.")
@click.option("--client-id", required=True, help="The client ID that it gave this arena.")
@click.option("--auth-url", required=True, help="Its authentication request URL.")
@click.option("--token-url", required=True, help="Its access token URL.")
@click.option("--jwks-url", required=True, help="Its public keyset URL.")
@click.option("--deployment", "deployments", required=True, multiple=True, help="A deployment ID; repeat for several.")
def add(deployments: tuple[str, ...], **given: str) -> None:
    """Register the platform NAME. What to enter there is on the page Platforms of the administration."""
    with operated() as (arena, actor):
        made = platforms.add(arena, actor, Terms(**given, deployments=deployments))
    click.echo(f"platform {made} is registered")


@platform.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the platforms."""
    with operated() as (arena, _):
        found = platforms.listed(arena)
    if as_json:
        say_json(found)
    else:
        say_rows(("id", "name", "issuer", "client ID"), [_columns(one) for one in found])


@platform.command()
@click.argument("platform_id", metavar="ID", type=click.IntRange(1))
def remove(platform_id: int) -> None:
    """Remove a platform with its courses. Accounts and groups stay."""
    with operated() as (arena, actor):
        platforms.remove(arena, actor, platform_id)
    click.echo(f"platform {platform_id} is removed")


def _columns(one: platforms.PlatformRow) -> tuple[str, ...]:
    return str(one.id), one.terms.name, one.terms.issuer, one.terms.client_id
