"""Tables and trials played in a given cage. Needs no database: authors' commands play them at home."""
