"""Create the schema of the first release, and seal the audit log."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0032"
down_revision = None

SEALS = {
    "sqlite": (
        """
        CREATE TRIGGER audit_refuses_update BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
    ),
    "postgresql": (
        # Replaced, because the function outlives a table that a restore drops.
        """
        CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$
        """,
        """
        CREATE TRIGGER audit_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
        """,
    ),
}
"""Triggers by dialect. A later migration that makes the table anew on SQLite must create them again."""


def upgrade() -> None:
    """Create everything. The revision has the number of the last one before the release, which made the same."""
    connection = op.get_bind()
    run(connection, Path(__file__).with_suffix(".sql").read_text())
    for statement in SEALS[connection.dialect.name]:
        op.execute(statement)
