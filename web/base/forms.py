"""Base class of the forms, forms that create something once, a validator, and the fields of a new password."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final

from flask import make_response, redirect, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response
from wtforms import Field, PasswordField, SelectChoice, SubmitField
from wtforms.form import BaseForm
from wtforms.validators import EqualTo, InputRequired, StopValidation, ValidationError

from arena.games.errors import Forbidden, NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.languages import locale
from arena.services.people import repeats
from arena.services.people.repeats import InWork
from arena.words import ENGLISH, N_, _, number, spoken
from web.serving.session import arena, viewer
from web.serving.session import token as session_token

View = Callable[..., ResponseReturnValue]
PATIENCE: Final = 5.0
"""Seconds for which the second of two equal forms waits for the first."""
PAUSE: Final = 0.1


@contextmanager
def beside_field() -> Iterator[None]:
    """Show a service's refusal beside the field that is being validated. Raises `ValidationError`."""
    try:
        yield
    except Refused as refusal:
        raise ValidationError(str(refusal)) from None


class Form(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types
    """A form that can show a service's refusal, in the language of the page.

    Labels, descriptions, choices and messages of its class are marked with `N_`. Choices that a view sets are not
    translated here.
    """

    class Meta(FlaskForm.Meta):  # type: ignore[misc]
        """How the form is made."""

        @property
        def locales(self) -> list[str] | bool:
            """Languages of the messages of WTForms itself; False for English."""
            return False if spoken() == ENGLISH else [str(locale(spoken().tag))]

        def bind_field(self, form: FlaskForm, unbound_field: Any, options: Mapping[str, Any]) -> Field:
            """Make a field of the form."""
            return _translated(unbound_field.bind(form=form, **options))

    def refuse(self, refusal: Refused | NotFound) -> None:
        """Show the refusal above the fields. Raises it if the account has no right to the form."""
        if isinstance(refusal, Forbidden):
            raise refusal
        self.form_errors.append(str(refusal))

    @contextmanager
    def refusals(self, *others: type[NotFound]) -> Iterator[None]:
        """Show a service's refusal, or one of `others`, above the fields instead of raising it."""
        caught: tuple[type[Refused | NotFound], ...] = (Refused, *others)
        try:
            yield
        except caught as refusal:
            self.refuse(refusal)

    @property
    def status(self) -> int:
        """HTTP status of the page that shows the form: 400 if it has errors, else 200."""
        return 400 if self.errors else 200


def _translated(field: Field) -> Field:
    """Translate the texts of a field that its class gave it."""
    if spoken() == ENGLISH:
        return field
    field.label.text = _(field.label.text)
    field.description = _(field.description)
    field.validators = [_translated_validator(one) for one in field.validators]
    if choices := getattr(field, "choices", None):
        field.choices = [_translated_choice(one) for one in choices]
    return field


def _translated_validator(validator: Any) -> Any:
    if not isinstance(getattr(validator, "message", None), str):
        return validator
    own = copy(validator)  # the other is of all forms of the class
    own.message = _(own.message)
    return own


def _translated_choice(choice: SelectChoice) -> SelectChoice:
    return replace(choice, label=_(choice.label), optgroup=choice.optgroup and _(choice.optgroup))


class _Page(Exception):
    """A page without an effect: the form was refused, or asks for more."""

    def __init__(self, response: Response) -> None:
        self.response = response


def creates(*actions: str) -> Callable[[View], View]:
    """Let a form that creates something have its effect once: a double click or a reload gets the first answer.

    The key is the form's CSRF token, which is signed anew whenever the form is shown, with all that was entered. With
    `actions`, only these actions of the view create something.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def once(**path: Any) -> ResponseReturnValue:
            account = viewer()
            counts = not actions or path.get("action") in actions
            key = form_key() if request.method == "POST" and counts else ""
            return _answer_once(account, key, partial(view, **path)) if account and key else view(**path)

        vars(once)["creates"] = True
        return once

    return decorate


def _answer_once(account: Account, key: str, view: View) -> ResponseReturnValue:
    try:
        answer = _waiting(lambda: repeats.once(arena(), account, key, key, lambda: _done(view)))
    except _Page as page:
        return page.response
    return redirect(answer["location"])


def form_key() -> str:
    """Return the key of a form, the same whenever it is sent again; empty for one without a CSRF token.

    It is a hash of the form with its address and files.
    """
    if not request.form.get("csrf_token"):
        return ""
    found = hashlib.sha256(repr((request.full_path, sorted(request.form.lists()))).encode())
    for name, file in sorted(request.files.items(multi=True)):
        found.update(repr((name, file.filename)).encode() + file.read())
        file.seek(0)
    return f"form {found.hexdigest()}"


def _waiting(ask: Callable[[], repeats.Answer]) -> repeats.Answer:
    """Return an answer, after that of an equal form that is in work."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except InWork:
            if time.monotonic() > end:
                raise
            time.sleep(PAUSE)


def _done(view: View) -> repeats.Answer:
    """Carry out a form. Return the address to go to; raises `_Page` if nothing was created."""
    response = make_response(view())
    if not response.location:
        raise _Page(response)
    return {"location": response.location}


def secret_once(make: Callable[[], str]) -> str:
    """Make a secret that the page shows, and return it; a form that is sent again gets the same one.

    It is kept sealed with the token of the session.
    """
    account = viewer()
    key = form_key()
    if account is None or not key:
        return make()
    ask = partial(repeats.once, arena(), account, key, key, lambda: {"secret": make()}, session_token())
    return str(_waiting(ask)["secret"])


class Needed(InputRequired):  # type: ignore[misc]  # WTForms has no types
    """Refuse an empty field with this text, which `N_` marks, and the numbers that it names."""

    def __init__(self, text: str, **numbers: float) -> None:
        super().__init__(text)
        self._numbers = numbers

    def __call__(self, form: BaseForm, field: Field) -> None:
        try:
            super().__call__(form, field)
        except StopValidation as refusal:
            shown = {name: number(value) for name, value in self._numbers.items()}
            raise StopValidation(str(refusal) % shown) from None


class NewPasswordForm(Form):
    """Choice of a password. It is repeated, because it is not shown."""

    password = PasswordField(
        N_("New password"),
        [InputRequired(N_("Choose a password."))],
        description=N_("At least 12 characters. A few unrelated words make a good password."),
    )
    repeat = PasswordField(N_("Repeat the new password"), [EqualTo("password", N_("The passwords do not match."))])
    submit = SubmitField(N_("Set the password"))
