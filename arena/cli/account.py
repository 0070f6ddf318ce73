"""``arena account``: manage people's accounts on the machine that holds the database."""

import click

from arena.cli.database import operated
from arena.services.administration import members
from arena.services.people import accounts, quotas, resets


@click.command()
@click.argument("name")
@click.option("--new-password", is_flag=True, help="Set a random new password and show it once.")
@click.option("--reset-link", is_flag=True, help="Make a link with which its holder chooses a new password, once.")
@click.option("--admin/--no-admin", default=None, help="Grant or revoke administrator rights.")
@click.option("--organiser/--no-organiser", default=None, help="Grant or revoke the right to run tournaments.")
@click.option("--quota", type=click.FloatRange(*quotas.FACTORS), help="Multiply the limits of what it may upload.")
def account(
    name: str, new_password: bool, reset_link: bool, admin: bool | None, organiser: bool | None, quota: float | None
) -> None:
    """Change the account NAME: reset its password, change its rights or its quotas, as the first administrator.

    A new password ends all sessions of the account. A reset link does so when it is used, once within a day; nobody but
    its holder knows the password then.
    """
    if not (new_password or reset_link) and admin is None and organiser is None and quota is None:
        raise click.UsageError(
            "nothing to do: give --new-password, --reset-link, --[no-]admin, --[no-]organiser or --quota"
        )
    with operated() as (arena, actor):
        if admin is not None or organiser is not None:
            role = members.set_rights(arena, actor, accounts.id_of(arena, name), admin=admin, organiser=organiser)
            click.echo(f"{name} is now {ROLES[role]}.")
        if quota is not None:
            quotas.set_factor(arena, actor, name, quota)
            click.echo(f"{name} may now upload {quota:g} times as much as others.")
        if new_password:
            password = accounts.reset_password(arena, actor, name)
            click.echo(f"The new password of {name} is {password} (shown this once)")
        if reset_link:
            link = resets.make_link(arena, actor, name)
            where = "" if arena.settings.url else " at your arena (ARENA_URL is not set)"
            click.echo(f"With this link, once within a day, {name} chooses a new password{where}: {link}")


ROLES = {"administrator": "an administrator", "organiser": "an organiser", "member": "an ordinary account"}
