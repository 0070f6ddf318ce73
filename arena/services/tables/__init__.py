"""Tables: the page of a table, rows for lists, and its matches with their records and replays."""
