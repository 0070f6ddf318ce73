"""``arena account``: what an operator does for people, from the machine that holds the database."""

import click

from arena.cli.database import opened
from arena.services import accounts
from arena.settings import Settings


@click.command()
@click.argument("name")
@click.option("--new-password", is_flag=True, help="Give the account a new password, and show it once.")
@click.option("--admin/--no-admin", default=None, help="Make it an administrator's account, or an ordinary one.")
def account(name: str, new_password: bool, admin: bool | None) -> None:
    """Change the account NAME: a lost password, or who may start tournaments."""
    if not new_password and admin is None:
        raise click.UsageError("nothing to do: give --new-password, --admin or --no-admin")
    with opened(Settings.from_env()) as arena:
        if admin is not None:
            accounts.set_admin(arena, name, admin)
            click.echo(f"{name} is {'an administrator' if admin else 'an ordinary account'} now.")
        if new_password:
            click.echo(f"The new password of {name} is {accounts.set_password(arena, name)} (shown this once)")
