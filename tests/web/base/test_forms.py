"""Forms in the language of the page."""

from collections.abc import Iterator
from gettext import NullTranslations

import pytest
from flask import Flask
from wtforms import IntegerField, SelectChoice, SelectField, StringField
from wtforms.validators import InputRequired, Length

from arena.words import Language, speaking
from web.base.forms import Form


class Shouted(NullTranslations):
    """A catalogue in capitals."""

    def gettext(self, text: str) -> str:
        """Return a text in capitals, with its values."""
        return text.upper().replace("%(MAX)D", "%(max)d")


class Ask(Form):
    """A form."""

    name = StringField(
        "Name",
        [InputRequired("Enter a name."), Length(max=3, message="At most %(max)d letters.")],
        description="Short.",
    )
    size = SelectField("Size", choices=[SelectChoice("s", "Small"), SelectChoice("l", "Large")])
    count = IntegerField("Count")


@pytest.fixture(autouse=True)
def app() -> Iterator[None]:
    """Make forms as in a request with them."""
    app = Flask("asked")
    app.config.update(SECRET_KEY="x", WTF_CSRF_ENABLED=False, WTF_I18N_ENABLED=False)
    with app.test_request_context(method="POST", data={"name": "long", "size": "s", "count": "many"}):
        yield


def test_form_has_the_language_of_the_page() -> None:
    """Labels, descriptions, choices and messages are translated, also those of WTForms."""
    with speaking(Language("de", Shouted(), {})):
        form = Ask()
        form.validate()

    assert (form.name.label.text, form.name.description) == ("NAME", "SHORT.")
    assert form.name.errors == ["AT MOST 3 LETTERS."]
    assert [label for _, label, *_ in form.size.iter_choices()] == ["SMALL", "LARGE"]
    assert form.count.errors == ["Keine gültige, ganze Zahl."]


def test_form_in_english_is_as_written() -> None:
    """A form in another language changes nothing of its class."""
    with speaking(Language("zh-Hans", Shouted(), {})):
        Ask().validate()
    form = Ask()
    form.validate()

    assert form.name.label.text == "Name"
    assert form.name.errors == ["At most 3 letters."]
    assert [label for _, label, *_ in form.size.iter_choices()] == ["Small", "Large"]
    assert form.count.errors == ["Not a valid integer value."]
