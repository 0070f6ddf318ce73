"""Long names that break between their words."""

from web.base.templates import breakable


def test_long_names_break_between_words() -> None:
    """A long name may break after underscores and full stops; a short one, and the rest of it, stay as they are."""
    assert breakable("the_long.suit__first_") == "the_<wbr>long.<wbr>suit__<wbr>first_"
    assert breakable("a_short_name") == "a_short_name"
    assert breakable("<b>_very_long_name") == "&lt;b&gt;_<wbr>very_<wbr>long_<wbr>name"
