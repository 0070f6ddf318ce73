"""Cheap hashes of passwords: the real ones would take most of the time of these tests."""

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from arena.services.people import passwords


@pytest.fixture(scope="package", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield
