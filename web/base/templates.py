"""Templates: each package has its own in a folder ``templates``, and their names begin with the package's."""

from pathlib import Path
from typing import Final

from flask import Flask
from jinja2 import FileSystemLoader, PrefixLoader

_WEB: Final = Path(__file__).parents[1]


def init_app(app: Flask) -> None:
    """Let an application find the template ``tournaments/show.html`` in ``web/tournaments/templates``."""
    app.jinja_loader = PrefixLoader({path.parent.name: FileSystemLoader(path) for path in _WEB.glob("*/templates")})
