"""The language of a page, and of the text of its scripts."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from babel.messages import Message
from flask import Flask, request
from jinja2 import pass_context
from jinja2.runtime import Context

from arena import words
from arena.services.base.dates import day, moment
from arena.services.base.languages import NAMES, catalogue
from arena.words import ENGLISH
from web.serving.languages import COOKIE, wanted
from web.serving.security import cookie_name


def init_app(app: Flask) -> None:
    """Choose the language of each request, and translate the text of templates."""
    app.before_request(_choose)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension adds it
        words._, words.ngettext, newstyle=False, pgettext=words.pgettext
    )
    app.jinja_env.globals.update(_=words._, ngettext=words.ngettext, pgettext=words.pgettext, spoken=words.spoken)
    app.jinja_env.globals["languages"] = NAMES
    add_filter(app, words.number)
    add_filter(app, words._, "translated")
    add_filter(app, day)
    add_filter(app, moment)


def add_filter(app: Flask, make: Callable[..., Any], name: str = "") -> None:
    """Let templates use a filter whose result depends on the language.

    It takes the context, because Jinja applies any other filter of a constant once, when it compiles the template.
    """

    @pass_context
    def apply(context: Context, *values: Any, **more: Any) -> Any:
        return make(*values, **more)

    app.add_template_filter(apply, name or make.__name__)


def english() -> None:
    """Answer the present request in English: for files that programs read, and what many people share."""
    words.speak(ENGLISH)


def _choose() -> None:
    chosen = request.cookies.get(cookie_name(COOKIE), "")
    words.speak(wanted(chosen, request.headers.get("Accept-Language", "")))


@cache
def script(tag: str) -> str:
    """Return the source of ``words-TAG.js``: the translations that scripts need, for ``words.js``."""
    found = {
        _key(message): message.string
        for message in catalogue(tag)
        if any(path.startswith("web/static/") for path, _ in message.locations)
    }
    return f"globalThis.arenaWords = {json.dumps(found, ensure_ascii=False)};\n"


def _key(message: Message) -> str:
    """Return what distinguishes a text, as gettext writes it."""
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}\4{text}" if message.context else text


def scripts() -> dict[str, str]:
    """Return the scripts of all languages by their names."""
    return {f"words-{tag}.js": script(tag) for tag in NAMES if tag != ENGLISH.tag}
