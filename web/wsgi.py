"""The WSGI application, with settings from the environment: ``gunicorn web.wsgi:app``."""

from arena.services.base.context import open_arena
from arena.settings import Settings
from web.app import create_app
from workers.bell import CeleryBell

settings = Settings.from_env()
app = create_app(open_arena(settings, CeleryBell(settings)))
