"""Faults are tried on real services."""

from tests.workers.conftest import arena, services

__all__ = ["arena", "services"]
