"""Let administrators disable members and bots, announce, and keep an audit log that cannot be changed."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
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
    """Add the columns and the table, empty, and seal the audit log."""
    for table in ("users", "bots"):
        op.add_column(table, sa.Column("disabled", sa.String(), nullable=True))
    op.create_table(
        "announcements",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("severity", sa.String(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("created_by_id", INTEGER, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_announcements_created_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
    )
    op.create_index("ix_announcements_until", "announcements", ["until"])
    for column in ("actor_id", "subject"):
        op.create_index(f"ix_audit_{column}", "audit", [column])
    for statement in SEALS[op.get_bind().dialect.name]:
        op.execute(statement)
