"""Assignments of a class: terms, entries, comparisons with a reference bot, finals, results and points."""
