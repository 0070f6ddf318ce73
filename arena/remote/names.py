"""IDs of what people call by name, in any case."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from arena.games.errors import NotFound
from arena.remote.http import Rejected, Remote


def found(arena: Remote, name: str) -> int | None:
    """Return the ID of a bot in the public list; None if there is none."""
    return _id(arena.items("/bots", search=name[:32], limit=200), name)


def bot_id(arena: Remote, name: str) -> int:
    """Return the ID of a bot in the public list. Raises `NotFound`."""
    return _known(found(arena, name), _no_bot(name))


def managed_bot_id(arena: Remote, name: str) -> int:
    """Return the ID of a bot that one may manage, also an archived one. Raises `NotFound`."""
    with suppress(Rejected):  # only administrators may see the bots of all owners
        return _known(_id(arena.items("/administration/bots", search=name[:32], limit=200), name), _no_bot(name))
    return _known(_id(arena.items("/me/bots", limit=200), name), _no_bot(name))


def active_version_id(arena: Remote, name: str) -> int:
    """Return the ID of the version of a bot that tournaments enter. Raises `NotFound`."""
    bot = found(arena, name)
    versions = arena.get(f"/bots/{bot}")["versions"] if bot else ()
    version = next((one["id"] for one in versions if one["active"]), None)
    return _known(version, f"There is no active bot {name} with a valid version.")


def group_id(arena: Remote, name: str) -> int:
    """Return the ID of a group. Raises `NotFound`."""
    return _known(_id(arena.items("/groups", limit=200), name), f"There is no group {name}.")


def member_id(arena: Remote, name: str) -> int:
    """Return the ID of an account, for administrators. Raises `NotFound`."""
    return _known(_id(arena.items("/members", search=name[:32], limit=200), name), f"There is no account {name}.")


def _no_bot(name: str) -> str:
    return f"There is no bot {name}."


def _id(rows: Iterable[Any], name: str) -> int | None:
    return next((int(row["id"]) for row in rows if row["name"].lower() == name.lower()), None)


def _known(id: int | None, otherwise: str) -> int:
    if id is None:
        raise NotFound(otherwise)
    return id
