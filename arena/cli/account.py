"""``arena account``: manage people's accounts on the machine that holds the database."""

import click

from arena.cli.database import opened
from arena.services.people import accounts, quotas, resets
from arena.settings import Settings


@click.command()
@click.argument("name")
@click.option("--new-password", is_flag=True, help="Set a random new password and show it once.")
@click.option("--reset-link", is_flag=True, help="Make a link with which its holder chooses a new password, once.")
@click.option("--admin/--no-admin", default=None, help="Grant or revoke administrator rights.")
@click.option("--quota", type=click.FloatRange(*quotas.FACTORS), help="Multiply the limits of what it may upload.")
def account(name: str, new_password: bool, reset_link: bool, admin: bool | None, quota: float | None) -> None:
    """Change the account NAME: reset its password, grant or revoke administrator rights, or change its quotas.

    A new password ends all sessions of the account. A reset link does so when it is used, once within a day; nobody but
    its holder knows the password then.
    """
    if not (new_password or reset_link) and admin is None and quota is None:
        raise click.UsageError("nothing to do: give --new-password, --reset-link, --admin, --no-admin or --quota")
    with opened(Settings.from_env()) as arena:
        if admin is not None:
            accounts.set_admin(arena, name, admin)
            click.echo(f"{name} is now {'an administrator' if admin else 'an ordinary account'}.")
        if quota is not None:
            quotas.set_factor(arena, accounts.operator(arena), name, quota)
            click.echo(f"{name} may now upload {quota:g} times as much as others.")
        if new_password:
            click.echo(f"The new password of {name} is {accounts.reset_password(arena, name)} (shown this once)")
        if reset_link:
            link = resets.make_link(arena, None, name)
            where = "" if arena.settings.url else " at your arena (ARENA_URL is not set)"
            click.echo(f"With this link, once within a day, {name} chooses a new password{where}: {link}")
