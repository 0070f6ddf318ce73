"""Coarse descriptions of browsers, by which members recognise their sessions."""

from typing import Final

from arena.words import N_, _

BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chromium/": "Chromium",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""Names of browsers by a part of their user agent, in this order: most of them pretend to be others, too."""
SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "Linux": "Linux",
}
"""Names of systems by a part of the user agent, in this order."""


def browser(agent: str) -> str:
    """Return a coarse description of a user agent: Firefox on Linux."""
    name = _found(BROWSERS, agent) or N_("Unknown browser")
    system = _found(SYSTEMS, agent)
    return f"{name} on {system}" if system else name


def in_words(description: str) -> str:
    """Return a description in the language of the page."""
    name, _on, system = description.partition(" on ")
    return _("%(browser)s on %(system)s", browser=_(name), system=system) if system else _(name)


def _found(names: dict[str, str], agent: str) -> str | None:
    return next((name for part, name in names.items() if part in agent), None)
