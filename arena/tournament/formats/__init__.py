"""Tournament formats: which entries meet at which tables, and in which order. One module per format.

Entries are numbered from 0 in seeding order: 0 is the best seed. A table is a tuple of entries in ascending order;
`arena.tournament.circles` assigns their places. A table's position in the list is its number, from which its boards are
derived, so the order is part of what a tournament promises.

Names mean the same in every module: `NAME` is the format's id, `TITLE` and `SUMMARY` describe it to users, `cost`
counts its tables before it starts, and `tables`, `next_round` or `next_stage` makes them. Parameters of a format are
keyword arguments.
"""
