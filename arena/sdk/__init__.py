"""What bot authors import: ``from arena.sdk import Bot, Card, View``."""

from arena.games.base import View
from arena.games.cards import Card
from arena.sdk.bot import Bot

__all__ = ["Bot", "Card", "View"]
