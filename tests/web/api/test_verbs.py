"""The architecture's table of what pages and programs can do."""

from tests.web.api import verbs


def test_page_has_every_operation() -> None:
    """The page tells which operations no page or form has; `python -m tests.web.api` renews it."""
    assert verbs.table() == verbs.kept()
