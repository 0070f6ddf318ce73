"""``arena audit``: show what organisers and administrators have done."""

import click

from arena.cli.database import opened
from arena.remote.options import page_option
from arena.remote.texts import json_option, say_json, say_rows
from arena.services.administration import pages


@click.command()
@click.option("--actor", default="", help="A part of the actor's name.")
@click.option("--subject", default="", help="A part of the subject, such as 'member ann' or 'tournament 7'.")
@page_option
@json_option
def audit(actor: str, subject: str, page: int, as_json: bool) -> None:
    """Show the audit log, newest first."""
    with opened() as arena:
        found = pages.log(arena, page, actor=actor, subject=subject)
    if as_json:
        return say_json(found)
    rows = [(f"{row.at:%Y-%m-%d %H:%M}", row.actor, row.action, row.subject, row.detail) for row in found.rows]
    return say_rows(("when", "actor", "action", "subject", "detail"), rows)
