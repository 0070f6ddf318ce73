"""Templates: each package has its own in a folder ``templates``, and their names begin with the package's."""

import re
from pathlib import Path
from typing import Final

from flask import Flask
from jinja2 import FileSystemLoader, PrefixLoader
from markupsafe import Markup, escape

SHORT: Final = 14
"""Length up to which names need no places to break."""
_BREAKS: Final = re.compile(r"(?<=[._])(?=[^._])")
_WEB: Final = Path(__file__).parents[1]


def init_app(app: Flask) -> None:
    """Let an application find the template ``tournaments/show.html`` in ``web/tournaments/templates``."""
    app.jinja_loader = PrefixLoader({path.parent.name: FileSystemLoader(path) for path in _WEB.glob("*/templates")})
    app.add_template_filter(breakable)


def breakable(name: str) -> Markup:
    """Let a long name break after its underscores and full stops, rather than in the middle of a word."""
    return Markup("<wbr>").join(_BREAKS.split(name)) if len(name) > SHORT else escape(name)
