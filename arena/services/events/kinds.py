"""Kinds of events, and a sentence about each event."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from arena.words import N_, _


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
    EventKind.VERSION_UPLOADED: N_("Version uploaded"),
    EventKind.VERSION_VALIDATED: N_("Version passed validation"),
    EventKind.VERSION_REJECTED: N_("Version failed validation"),
    EventKind.VERSION_UNCHECKED: N_("Version could not be validated"),
    EventKind.VERSION_FAULTED: N_("First fault of a version in a rated match"),
    EventKind.BOT_WITHDRAWN: N_("Bot withdrawn from a tournament"),
    EventKind.TOURNAMENT_CREATED: N_("Tournament planned"),
    EventKind.TOURNAMENT_STARTED: N_("Tournament started"),
    EventKind.ROUND_ENDED: N_("Round ended"),
    EventKind.TOURNAMENT_FINISHED: N_("Tournament finished"),
    EventKind.TOURNAMENT_CANCELLED: N_("Tournament cancelled"),
    EventKind.LEADER_CHANGED: N_("New leader of a leaderboard"),
    EventKind.ASSIGNMENT_DUE: N_("Assignment due within a day"),
    EventKind.WEBHOOK_TESTED: N_("Test of a webhook"),
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
    EventKind.VERSION_UPLOADED: N_("%(bot)s, version %(version)s, was uploaded."),
    EventKind.VERSION_VALIDATED: N_("%(bot)s, version %(version)s, passed validation."),
    EventKind.VERSION_REJECTED: N_("%(bot)s, version %(version)s, failed validation."),
    EventKind.VERSION_UNCHECKED: N_(
        "The arena could not validate %(bot)s, version %(version)s. This is not the bot's fault."
    ),
    EventKind.VERSION_FAULTED: N_(
        "%(bot)s, version %(version)s, failed in a rated match for the first time, in %(tournament)s."
    ),
    EventKind.BOT_WITHDRAWN: N_("%(bot)s was withdrawn from %(tournament)s."),
    EventKind.TOURNAMENT_CREATED: N_("%(tournament)s is planned."),
    EventKind.TOURNAMENT_STARTED: N_("%(tournament)s started with %(entries)s bots."),
    EventKind.ROUND_ENDED: N_("Round %(round)s of %(tournament)s ended."),
    EventKind.TOURNAMENT_FINISHED: N_("%(tournament)s finished."),
    EventKind.TOURNAMENT_CANCELLED: N_("%(tournament)s was cancelled."),
    EventKind.LEADER_CHANGED: N_("%(bot)s leads the leaderboard of %(variant)s."),
    EventKind.ASSIGNMENT_DUE: N_("%(assignment)s ends on %(deadline)s."),
    EventKind.WEBHOOK_TESTED: N_("This is a test of a webhook."),
}


def sentence(kind: str, data: Mapping[str, Any]) -> str:
    """Return a sentence about an event of this kind, with the names in its data, in the present language."""
    winners = data.get("winners", ())
    if kind == EventKind.TOURNAMENT_FINISHED and winners:
        return _finished(data["tournament"], winners)
    return _(_SENTENCES[kind]) % data


def _finished(tournament: str, winners: Sequence[str]) -> str:
    """Return the sentence about the end of a tournament that somebody won."""
    if len(winners) == 1:
        return _("%(tournament)s finished: %(bot)s won.", tournament=tournament, bot=winners[0])
    if len(winners) > NAMED:
        return _(
            "%(tournament)s finished: %(number)s bots share first place.", tournament=tournament, number=len(winners)
        )
    values = {"tournament": tournament, "bots": ", ".join(winners[:-1]), "bot": winners[-1]}
    return _("%(tournament)s finished: %(bots)s and %(bot)s share first place.", **values)
