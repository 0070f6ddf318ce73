"""The models, one module per noun."""

from arena.db.base import Base
from arena.db.models.analyses import Analysis, LostPoints
from arena.db.models.assignments import Assignment, AssignmentAttempt, AssignmentEntry
from arena.db.models.bots import Bot, BotMember, FormerName, Presence, Version
from arena.db.models.copies import AlikePair, CopyReport, Dismissal
from arena.db.models.events import Delivery, Event, EventCursor, Webhook
from arena.db.models.invitations import Invitation, InvitationUse
from arena.db.models.keys import AccessToken, DeviceRequest, Repeat
from arena.db.models.live import LiveBoards, LiveField, LiveMove, LiveNote, LiveSeat, LiveSet, LiveTable
from arena.db.models.lti import LtiCourse, LtiLaunch, LtiLink, LtiPlatform, LtiScore
from arena.db.models.matches import Match, MatchSeat
from arena.db.models.processes import Process
from arena.db.models.ratings import CurrentRating, PastPlaces, RatingCursor, RatingEvent, RatingParameters
from arena.db.models.sessions import AccountLink, UserIdentity, UserSession
from arena.db.models.tables import Attempt, Table, TableSeat, TournamentNeighbours
from arena.db.models.tallies import TournamentPair, TournamentScore, VariantPair, VariantScore
from arena.db.models.tournaments import Entry, Rejudgement, Schedule, Tournament
from arena.db.models.users import Announcement, AuditEntry, Group, GroupMember, Notice, User, ValidationRequest

__all__ = [
    "AccessToken", "AccountLink", "AlikePair", "Analysis", "Announcement", "Assignment", "AssignmentAttempt",
    "AssignmentEntry", "Attempt", "AuditEntry", "Base", "Bot", "BotMember", "CopyReport", "CurrentRating", "Delivery",
    "DeviceRequest", "Dismissal", "Entry", "Event", "EventCursor", "FormerName", "Group", "GroupMember", "Invitation",
    "InvitationUse", "LiveBoards", "LiveField", "LiveMove", "LiveNote", "LiveSeat", "LiveSet", "LiveTable",
    "LostPoints", "LtiCourse", "LtiLaunch", "LtiLink", "LtiPlatform", "LtiScore", "Match", "MatchSeat", "Notice",
    "PastPlaces", "Presence", "Process", "RatingCursor", "RatingEvent", "RatingParameters", "Rejudgement", "Repeat",
    "Schedule", "Table",
    "TableSeat", "Tournament", "TournamentNeighbours", "TournamentPair", "TournamentScore", "User", "UserIdentity",
    "UserSession", "ValidationRequest", "VariantPair", "VariantScore", "Version", "Webhook",
]  # fmt: skip
