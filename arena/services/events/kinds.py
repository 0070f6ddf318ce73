"""Kinds of events, and a sentence about each event."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final


class EventKind(StrEnum):
    """Kind of an event, as streams and webhooks name it."""

    VERSION_UPLOADED = "version.uploaded"
    """A version was uploaded and waits for validation. Only the bot's team sees it."""
    VERSION_VALIDATED = "version.validated"
    """A version passed validation."""
    VERSION_REJECTED = "version.rejected"
    """A version failed validation. Only the bot's team sees it."""
    VERSION_UNCHECKED = "version.unchecked"
    """The arena could not validate a version. Only the bot's team sees it."""
    VERSION_FAULTED = "version.faulted"
    """A version failed in a rated match for the first time. Only the bot's team sees it."""
    BOT_WITHDRAWN = "bot.withdrawn"
    """A bot was withdrawn from a tournament."""
    TOURNAMENT_CREATED = "tournament.created"
    """A tournament was planned."""
    TOURNAMENT_STARTED = "tournament.started"
    """A tournament started."""
    ROUND_ENDED = "round.ended"
    """All tables of a round were played, and a further round follows."""
    TOURNAMENT_FINISHED = "tournament.finished"
    """All tables of a tournament were played."""
    TOURNAMENT_CANCELLED = "tournament.cancelled"
    """A tournament was cancelled."""
    LEADER_CHANGED = "leader.changed"
    """Another bot leads a leaderboard."""
    ASSIGNMENT_DUE = "assignment.due"
    """An assignment of yours ends within a day."""
    WEBHOOK_TESTED = "webhook.tested"
    """You asked for a test of a webhook."""


NAMED: Final = 3
"""Maximum number of winners that a sentence names."""

WORDS: Final[Mapping[EventKind, str]] = {
    EventKind.VERSION_UPLOADED: "Version uploaded",
    EventKind.VERSION_VALIDATED: "Version passed validation",
    EventKind.VERSION_REJECTED: "Version failed validation",
    EventKind.VERSION_UNCHECKED: "Version could not be validated",
    EventKind.VERSION_FAULTED: "First fault of a version in a rated match",
    EventKind.BOT_WITHDRAWN: "Bot withdrawn from a tournament",
    EventKind.TOURNAMENT_CREATED: "Tournament planned",
    EventKind.TOURNAMENT_STARTED: "Tournament started",
    EventKind.ROUND_ENDED: "Round ended",
    EventKind.TOURNAMENT_FINISHED: "Tournament finished",
    EventKind.TOURNAMENT_CANCELLED: "Tournament cancelled",
    EventKind.LEADER_CHANGED: "New leader of a leaderboard",
    EventKind.ASSIGNMENT_DUE: "Assignment due within a day",
    EventKind.WEBHOOK_TESTED: "Test of a webhook",
}
"""Words for each kind, for pages."""

PRIVATE: Final = frozenset(
    {
        EventKind.VERSION_UPLOADED, EventKind.VERSION_REJECTED, EventKind.VERSION_UNCHECKED, EventKind.VERSION_FAULTED,
        EventKind.ASSIGNMENT_DUE, EventKind.WEBHOOK_TESTED,
    }
)  # fmt: skip
"""Kinds that only the account or the bot's team may read."""

_SENTENCES: Final[Mapping[str, str]] = {
    EventKind.VERSION_UPLOADED: "{bot}, version {version}, was uploaded.",
    EventKind.VERSION_VALIDATED: "{bot}, version {version}, passed validation.",
    EventKind.VERSION_REJECTED: "{bot}, version {version}, failed validation.",
    EventKind.VERSION_UNCHECKED: "The arena could not validate {bot}, version {version}. This is not the bot's fault.",
    EventKind.VERSION_FAULTED: "{bot}, version {version}, failed in a rated match for the first time, in {tournament}.",
    EventKind.BOT_WITHDRAWN: "{bot} was withdrawn from {tournament}.",
    EventKind.TOURNAMENT_CREATED: "{tournament} is planned.",
    EventKind.TOURNAMENT_STARTED: "{tournament} started with {entries} bots.",
    EventKind.ROUND_ENDED: "Round {round} of {tournament} ended.",
    EventKind.TOURNAMENT_FINISHED: "{tournament} finished{result}.",
    EventKind.TOURNAMENT_CANCELLED: "{tournament} was cancelled.",
    EventKind.LEADER_CHANGED: "{bot} leads the leaderboard of {variant}.",
    EventKind.ASSIGNMENT_DUE: "{assignment} ends on {deadline}.",
    EventKind.WEBHOOK_TESTED: "This is a test of a webhook.",
}


def sentence(kind: str, data: Mapping[str, Any]) -> str:
    """Return a sentence about an event of this kind, with the names in its data."""
    return _SENTENCES[kind].format_map({**data, "result": _result(data.get("winners", ()))})


def _result(winners: Sequence[str]) -> str:
    """Return who won, to be added to a sentence; nothing if nobody did."""
    if len(winners) < 2:
        return "".join(f": {name} won" for name in winners)
    names = " and ".join((", ".join(winners[:-1]), winners[-1]))
    return f": {names if len(winners) <= NAMED else f'{len(winners)} bots'} share first place"
