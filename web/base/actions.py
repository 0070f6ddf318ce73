"""Actions with a confirmation page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import flash, redirect, render_template
from flask.typing import ResponseReturnValue

from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.words import _
from web.base.forms import Form
from web.serving.session import arena, member


@dataclass(frozen=True)
class Action:
    """An action on a row, such as a tournament."""

    title: str
    """Its name; like the other texts it is marked with `N_`, and translated when it is shown."""
    says: tuple[str, ...]
    """Sentences that describe the consequences."""
    done: str
    """Message after success."""
    act: Callable[[Arena, Account, int, Any], object]
    """Carry out the action on an id with a validated form. Raises `Refused` or `NotFound`."""
    grave: bool = False
    """Whether the action cannot be undone."""


def simple(verb: Callable[[Arena, Account, int], object]) -> Callable[[Arena, Account, int, Any], object]:
    """Adapt a service that needs only an id to `Action.act`."""
    return lambda arena, account, number, form: verb(arena, account, number)


def confirm(action: Action, form: Form, number: int, name: str, back: str, after: str) -> ResponseReturnValue:
    """Show the confirmation page of an action, or carry it out and redirect to `after`.

    `number` and `name` are the ID and the name of the row; `back` is its page.
    """
    if form.validate_on_submit():
        with form.refusals(NotFound):
            action.act(arena(), member(), number, form)
            flash(_(action.done), "success")
            return redirect(after)
    return render_template("base/confirm.html", action=action, form=form, name=name, back=back), form.status
