"""The base of every form of this app."""

from flask_wtf import FlaskForm

from arena.games.errors import NotFound, Refused


class Form(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types
    """A form whose last word is the service's: `refuse` shows why it turned the request down, above the fields."""

    def refuse(self, refusal: Refused | NotFound) -> None:
        """Show this refusal above the fields."""
        self.form_errors.append(str(refusal))

    @property
    def status(self) -> int:
        """The status of the page that shows this form."""
        return 400 if self.errors else 200
