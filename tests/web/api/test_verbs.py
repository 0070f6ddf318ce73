"""The architecture's table of what pages and programs can do."""

from tests.web.api import verbs


def test_page_has_every_operation_without_a_page() -> None:
    """An operation that no page or form has is in the table, and leaves it when it gets one."""
    assert verbs.table() == verbs.kept(), "The table in docs/architecture.md differs. Run `python -m tests.web.api`."
