"""What all formats make."""

from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]
"""The entries that meet, by place."""
