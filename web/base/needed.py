"""A field that must be filled in, with a message that has numbers."""

from wtforms import Field, Form
from wtforms.validators import InputRequired, StopValidation

from arena.words import number


class Needed(InputRequired):  # type: ignore[misc]  # WTForms has no types
    """Refuse an empty field with this text, which `N_` marks, and the numbers that it names."""

    def __init__(self, text: str, **numbers: float) -> None:
        super().__init__(text)
        self._numbers = numbers

    def __call__(self, form: Form, field: Field) -> None:
        try:
            super().__call__(form, field)
        except StopValidation as refusal:
            shown = {name: number(value) for name, value in self._numbers.items()}
            raise StopValidation(str(refusal) % shown) from None
