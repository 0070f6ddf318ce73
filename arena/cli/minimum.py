"""The sandbox minimum of `arena up`, which depends on its user."""

import os
from dataclasses import replace

from arena.settings import Settings


def for_this_user(settings: Settings) -> Settings:
    """Without root, require one of Landlock and a distinct uid instead of both, unless the operator chose a minimum."""
    if os.geteuid() == 0 or os.environ.get("ARENA_SANDBOX_MINIMUM", "").strip():
        return settings
    return replace(settings, sandbox_minimum="one")
