"""What a WSGI server runs: the arena of the environment's settings.  ``gunicorn web.wsgi:app``"""

from arena.services.context import open_arena
from arena.settings import Settings
from web.app import create_app
from workers.bell import celery_bell

settings = Settings.from_env()
app = create_app(open_arena(settings, celery_bell(settings)))
