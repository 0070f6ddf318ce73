"""Actions that ask first: a page says what will happen, and its button does it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import flash, redirect, render_template
from flask.typing import ResponseReturnValue

from arena.games.errors import NotFound, Refused
from arena.services.context import Arena
from arena.services.shapes import Account
from web.forms import Form
from web.session import arena, member


@dataclass(frozen=True)
class Action:
    """Something that can be done to a tournament or a schedule."""

    title: str
    says: tuple[str, ...]
    """What will happen, in sentences."""
    done: str
    """What is said afterwards."""
    act: Callable[[Arena, Account, int, Any], object]
    """Does it, to the one with this id and as this form says. Raises Refused and NotFound."""
    grave: bool = False
    """Whether it cannot be undone."""


def simple(verb: Callable[[Arena, Account, int], object]) -> Callable[[Arena, Account, int, Any], object]:
    """A service that needs to know no more than the id, as the `act` of an action."""
    return lambda arena, account, number, _: verb(arena, account, number)


def confirm(action: Action, form: Form, number: int, name: str, back: str, after: str) -> ResponseReturnValue:
    """The page that asks, with the name of what it is about; and what its button does, which leads to `after`."""
    if form.validate_on_submit():
        try:
            action.act(arena(), member(), number, form)
        except (Refused, NotFound) as refusal:
            form.refuse(refusal)
        else:
            flash(action.done, "success")
            return redirect(after)
    return render_template("confirm.html", action=action, form=form, name=name, back=back), form.status
