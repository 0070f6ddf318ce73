"""A bare Flask application under the arena's own web server: ``python -m benchmarks.sides.hello``.

It takes the place of the arena's application, so everything but the application is the same.
"""

import sys
from types import ModuleType

from flask import Flask

from arena.services.base.context import open_arena
from arena.settings import Settings

app = Flask("hello")
app.extensions["arena"] = open_arena(Settings.from_env())


@app.get("/")
def hello() -> str:
    """Answer with a word."""
    return "Hello"


if __name__ == "__main__":
    stand_in = ModuleType("web.app.wsgi")
    stand_in.__dict__["app"] = app
    sys.modules["web.app.wsgi"] = stand_in
    from web.__main__ import main

    main()
