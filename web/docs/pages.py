"""The docs at /docs. They depend on the release alone, so each file is made once per process."""

from functools import cache
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, request
from flask.typing import ResponseReturnValue

from web.docs.site import HOME, Site, type_of
from web.serving.bodies import Body

bp = Blueprint("docs", __name__, url_prefix="/docs")


class Bodies:
    """The files of the site as bodies of responses."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.get = cache(self._make)

    def __contains__(self, name: str) -> bool:
        return name in self._site.names

    def _make(self, name: str) -> Body:
        return Body(self._site.file(name), type_of(name))


def init_app(app: Flask) -> None:
    """Serve the docs of an application that has an API."""
    app.extensions["docs"] = Bodies(Site(app.extensions["api"], arena="../"))
    app.register_blueprint(bp)


@bp.get("/", defaults={"name": HOME})
@bp.get("/<path:name>")
def show(name: str) -> ResponseReturnValue:
    """Send a file of the docs."""
    bodies = cast("Bodies", current_app.extensions["docs"])
    if name not in bodies:
        abort(404)
    coding, known = request.headers.get("Accept-Encoding", ""), request.headers.get("If-None-Match", "")
    status, headers, data = bodies.get(name).answer(coding, known)
    return Response(data, status, [*headers, ("Vary", "Accept-Encoding")])
