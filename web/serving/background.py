"""Work that goes on after the response, such as mail: nobody waits for it, and nobody can tell how long it took."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, cast

import structlog
from flask import Flask, current_app

from arena.services.base.texts import log_fields

log: Final = structlog.get_logger()


def register_background(app: Flask) -> None:
    """Prepare the thread of the background work. It starts with the first work, after the server has forked."""
    app.extensions["background"] = ThreadPoolExecutor(1, "background")


def later(work: Callable[..., object], *arguments: Any) -> Future[None]:
    """Do this in the background. A failure is logged."""
    return cast("ThreadPoolExecutor", current_app.extensions["background"]).submit(_do, work, arguments)


def _do(work: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    try:
        work(*arguments)
    except Exception as error:
        log.error("background work failed", work=work.__name__, **log_fields(error))
