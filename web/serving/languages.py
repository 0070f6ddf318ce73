"""The language of a request: what the visitor chose in the foot of a page, or what the browser asks for."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from arena.services.base.languages import NAMES, language
from arena.words import ENGLISH, Language
from web.serving.security import cookie_names

COOKIE: Final = "arena_language"
_ASKED: Final = {tag.partition("-")[0]: tag for tag in NAMES}
"""Languages by what browsers ask for: Chinese without its script."""


def wanted(chosen: str, accepted: str) -> Language:
    """Return the language of a request by its cookie and its header Accept-Language."""
    return language(chosen if chosen in NAMES else negotiated(accepted))


def language_of(headers: Mapping[str, str]) -> Language:
    """Return the language of a request by its headers, which have upper-case names with underscores."""
    cookies = parse_cookie(headers.get("COOKIE"))
    chosen = next(filter(None, map(cookies.get, cookie_names(COOKIE))), "")
    return wanted(chosen, headers.get("ACCEPT_LANGUAGE", ""))


@lru_cache(1000)
def negotiated(accepted: str) -> str:
    """Return the tag of the language that suits the header Accept-Language best."""
    asked = (tag.partition("-")[0].lower() for tag, quality in parse_accept_header(accepted, LanguageAccept) if quality)
    return next((_ASKED[one] for one in asked if one in _ASKED), ENGLISH.tag)
