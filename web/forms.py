"""Base class of the forms."""

from flask_wtf import FlaskForm

from arena.games.errors import NotFound, Refused


class Form(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types
    """A form that can show a service's refusal."""

    def refuse(self, refusal: Refused | NotFound) -> None:
        """Show the refusal above the fields."""
        self.form_errors.append(str(refusal))

    @property
    def status(self) -> int:
        """HTTP status of the page that shows the form: 400 if it has errors, else 200."""
        return 400 if self.errors else 200
