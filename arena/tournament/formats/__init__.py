"""Formats: which entries meet at which tables, in which order. A module for each.

Entries are numbers from 0, in the order of their seeding: 0 is the best seed. A table is a tuple of them in ascending
order, where a format does not say otherwise; its place in the list is its number, from which its boards are derived, so
the order is part of what a tournament promises.
"""

from arena.tournament.formats.comparison import comparison
from arena.tournament.formats.complete import complete as round_robin
from arena.tournament.formats.complete import complete_size as round_robin_size
from arena.tournament.formats.ladder import Candidate, ladder

__all__ = ["Candidate", "comparison", "ladder", "round_robin", "round_robin_size"]
