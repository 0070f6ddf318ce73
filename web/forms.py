"""Base class of the forms, and the fields of a new password."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask_wtf import FlaskForm
from wtforms import PasswordField, SubmitField
from wtforms.validators import EqualTo, InputRequired, ValidationError

from arena.games.errors import NotFound, Refused


@contextmanager
def beside_field() -> Iterator[None]:
    """Show a service's refusal beside the field that is being validated. Raises `ValidationError`."""
    try:
        yield
    except Refused as refusal:
        raise ValidationError(str(refusal)) from None


class Form(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types
    """A form that can show a service's refusal."""

    def refuse(self, refusal: Refused | NotFound) -> None:
        """Show the refusal above the fields."""
        self.form_errors.append(str(refusal))

    @property
    def status(self) -> int:
        """HTTP status of the page that shows the form: 400 if it has errors, else 200."""
        return 400 if self.errors else 200


class NewPasswordForm(Form):
    """Choice of a password. It is repeated, because it is not shown."""

    password = PasswordField(
        "New password",
        [InputRequired("Choose a password.")],
        description="At least 12 characters. A few unrelated words make a good password.",
    )
    repeat = PasswordField("Repeat the new password", [EqualTo("password", "The passwords do not match.")])
    submit = SubmitField("Set the password")
