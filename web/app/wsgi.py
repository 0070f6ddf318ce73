"""The WSGI application, with settings from the environment: ``gunicorn web.app.wsgi:app``.

It is imported before processes are forked, so that they share its memory.
"""

from contextvars import copy_context

from sqlalchemy.orm import configure_mappers
from werkzeug.test import Client

from arena.services.base.context import open_arena
from arena.settings import Settings
from web.app import create_app
from workers.bell import CeleryBell
from workers.pulse import Pulse, own_name

settings = Settings.from_env()
app = create_app(open_arena(settings, CeleryBell(settings)))
configure_mappers()
# What a first page compiles and fills is shared as well, but not the ID of its request, which would be in all logs.
copy_context().run(Client(app).get, "/")
Pulse(app.extensions["arena"], own_name(), "web").rehearse()
app.extensions["arena"].close()  # no two processes may use one connection
