"""The database: models, sessions, migrations. It stores everything the arena knows, including sources and records."""
