"""Trials: the first entry plays a number of tables with the others in turn."""

from collections import Counter

from arena.tournament.formats import trial


def test_first_entry_sits_at_every_table() -> None:
    """The number of tables is as asked, and the others' numbers of tables differ by at most one."""
    tables = list(trial.tables(6, 4, 7))

    assert len(tables) == 7 == trial.cost(7).tables
    assert all(table[0] == 0 and len(set(table)) == 4 for table in tables)
    counts = Counter(entry for table in tables for entry in table[1:])
    assert max(counts.values()) - min(counts.values()) <= 1


def test_too_few_entries_make_no_table() -> None:
    """A table needs an entry for each place."""
    assert not list(trial.tables(2, 3, 1))
