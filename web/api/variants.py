"""Variants in paths and queries."""

from typing import Annotated

from msgspec import Meta

from arena.games import base
from arena.games.errors import NotFound
from arena.games.registry import LEADERBOARDS, VARIANTS
from arena.services.base.inputs import STORABLE
from web.api.operations import Nothing

Variant = Annotated[
    str,
    Meta(
        max_length=64, pattern=STORABLE, description="ID of a variant; `/games` lists them.", examples=["suitability-4"]
    ),
]
"""ID of a variant."""


class VariantQuery(Nothing):
    """Query of figures of a variant."""

    variant: Variant


def known(variant: str) -> base.Variant:
    """Return the variant with this ID. Raises `NotFound`."""
    if variant not in LEADERBOARDS:
        raise NotFound(f"There is no variant {variant[:64]}; the variants are {', '.join(VARIANTS)}.")
    return LEADERBOARDS[variant]
