"""The names that bot authors import: ``from arena.sdk import Bot, Card, Search, View, resource``."""

from arena.games.base import View
from arena.games.cards import Card
from arena.sdk.bot import Bot
from arena.sdk.double_dummy import DoubleDummy
from arena.sdk.encoder import Encoder
from arena.sdk.modules import resource
from arena.sdk.search import Estimate, Habits, Policy, Search, Worlds

__all__ = [
    "Bot", "Card", "DoubleDummy", "Encoder", "Estimate", "Habits", "Policy", "Search", "View", "Worlds", "resource",
]  # fmt: skip
