"""Places in long names at which a line may break."""

import re
from typing import Final

from flask import Flask
from markupsafe import Markup, escape

SHORT: Final = 14
"""Length up to which names need no places to break."""
_BREAKS: Final = re.compile(r"(?<=[._])(?=[^._])")


def breakable(name: str) -> Markup:
    """Let a long name break after its underscores and full stops, rather than in the middle of a word."""
    return Markup("<wbr>").join(_BREAKS.split(name)) if len(name) > SHORT else escape(name)


def init_app(app: Flask) -> None:
    """Let the templates use the filter."""
    app.add_template_filter(breakable)
