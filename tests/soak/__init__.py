"""A soak: a whole arena plays for an hour while its parts are killed, and is measured every minute."""
