"""Assignments of a class: terms, entries, comparisons with a reference bot, the final tournament, results and points."""
