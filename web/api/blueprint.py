"""The blueprint of the API: a route for each operation."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

import msgspec
from flask import Blueprint, Flask, Response, request
from flask.typing import ResponseReturnValue

from arena.services.people import repeats
from web.api import PREFIX, inputs, rates
from web.api.access import authorise
from web.api.document import document
from web.api.operations import JSON, Operation, Resource, is_raw, operations
from web.base.shared import compressed, visited
from web.serving.security import takes_upload
from web.serving.session import arena, bearer, member, viewer

KEY: Final = "Idempotency-Key"
VARY: Final = "Accept-Encoding, Authorization"


def register(app: Flask, resources: Sequence[Resource]) -> Blueprint:
    """Register the routes of the operations of these resources, and return their blueprint."""
    blueprint = Blueprint("api", __name__, url_prefix=PREFIX)
    for operation in operations(resources):
        blueprint.add_url_rule(operation.rule, operation.name, view_of(operation), methods=[operation.method])
    blueprint.after_request(_vary)
    blueprint.after_request(rates.tell)
    app.register_blueprint(blueprint)
    app.extensions["api"] = cache(partial(document, resources))
    return blueprint


def view_of(operation: Operation) -> Callable[..., ResponseReturnValue]:
    """Return the view of an operation."""

    def view(**path: Any) -> ResponseReturnValue:
        authorise(operation.scope)
        given = inputs.read(operation)
        return _read(operation, path, given) if operation.is_safe else _act(operation, path, given)

    for mark in (rates.limited_busy if operation.busy else rates.limited, *operation.limits):
        view = mark(view)
    return takes_upload(view) if "form" in operation.inputs else view


def _read(operation: Operation, path: dict[str, Any], given: dict[str, Any]) -> Response:
    def make() -> Response:
        return _answer(operation, operation.run(**path, **given))

    query = msgspec.structs.asdict(given["query"]) if "query" in given else {}
    if is_raw(operation):
        return make()
    if viewer() is None and operation.shared and not query.get("search"):
        return visited((operation.name, *sorted(path.items()), msgspec.json.encode(query)), make)
    return compressed(make())


def _act(operation: Operation, path: dict[str, Any], given: dict[str, Any]) -> Response:
    key = request.headers.get(KEY) if operation.creates or operation.sealed else None
    if key is None:
        return _answer(operation, operation.run(**path, **given))

    def work() -> repeats.Answer:
        return {"answer": msgspec.to_builtins(operation.run(**path, **given))}

    secret = bearer(request.headers["Authorization"]) if operation.sealed else None
    return _answer(operation, repeats.once(arena(), member(), key, _digest(given), work, secret)["answer"])


def _digest(given: dict[str, Any]) -> str:
    """Return a hash of a request, the same however its form is written."""
    asked = [request.method, request.path, msgspec.to_builtins(given)]
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()


def _answer(operation: Operation, result: Any) -> Response:
    if result is None:
        return Response(status=204)
    if isinstance(result, Response):
        return result
    response = Response(msgspec.json.encode(result), operation.status, content_type=JSON)
    if operation.creates:
        response.headers["Location"] = msgspec.to_builtins(result)["link"]
    return response


def _vary(response: Response) -> Response:
    response.headers["Vary"] = VARY
    return response
