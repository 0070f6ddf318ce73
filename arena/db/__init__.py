"""The database: models, sessions, migrations. It holds all that the arena knows, sources and records included."""
