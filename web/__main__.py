"""The web server: ``python -m web``.

The application is loaded once, before gunicorn starts its processes, so that they share its memory and an error ends
the server with the arena's exit code.
"""

from types import ModuleType
from typing import Any

from gunicorn.app.base import BaseApplication

from arena.exits import worded


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn with the settings of a module, whatever GUNICORN_CMD_ARGS says."""

    def __init__(self, settings: ModuleType) -> None:
        self._settings = vars(settings)
        super().__init__()

    def load_config(self) -> None:
        """Take over the settings of the module."""
        for name in self._settings.keys() & self.cfg.settings.keys():
            self.cfg.set(name, self._settings[name])

    def load(self) -> Any:
        """Return the WSGI application."""
        from web.app.wsgi import app

        return app


def main() -> None:
    """Serve until a signal to stop. An invalid setting ends the process with a sentence."""
    with worded():
        from web.serving import gunicorn

        Server(gunicorn).run()


if __name__ == "__main__":
    main()
