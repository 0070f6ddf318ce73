"""``arena bot``: manage uploaded bots, and list uploads."""

import click

from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.names import managed_bot_id
from arena.remote.options import Result, page_option, part, prints
from arena.remote.texts import table


@click.group()
def bot() -> None:
    """Manage uploaded bots by name: your own, or as an administrator all; and list uploads."""


@bot.command()
@click.argument("name")
@click.argument("new_name")
@prints
def rename(arena: Remote, name: str, new_name: str) -> Result:
    """Rename the bot NAME. Its links and results stay; the old name is reserved for its owner for 30 days."""
    number = managed_bot_id(arena, name)
    arena.change(f"/bots/{number}", {"name": new_name})
    return Result(arena.get(f"/bots/{number}"), [f"{name} is now called {new_name}"])


_bot = Thing(bot, "/bots", "NAME", managed_bot_id)
_bot.act(
    "archive", "Take a bot out of all lists and of everything new. Its results and replays stay.", "{} is archived"
)
_bot.act("restore", "Bring an archived bot back, inactive.", "{} is back; its owner can activate it")
_bot.delete("Delete a bot that never played, with its versions and sources.", "{} is deleted")
_bot.act(
    "disable", "Disable the bot NAME: it enters nothing new, and its owner cannot undo it.", "{} is disabled",
    reason="The reason, which the owner reads.",
)  # fmt: skip
_bot.act("enable", "Enable the disabled bot NAME.", "{} is enabled")


@bot.command()
@click.option("--state", type=click.Choice(["pending", "invalid", "infra_failed"]), help="Only uploads in this state.")
@page_option
@prints
def uploads(arena: Remote, state: str | None, page: int) -> Result:
    """List uploads that wait for validation, were rejected, or could not be validated, newest first."""
    rows = part(arena, "/administration/uploads", page, state=state or "")
    head = ("bot", "version", "owner", "state", "seconds", "verdict")
    shown = [(*(row[name] for name in head[:4]), round(row["age"]), row["verdict"]) for row in rows]
    return Result(rows, table(head, shown))
