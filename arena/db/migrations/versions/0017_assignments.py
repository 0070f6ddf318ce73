"""Add assignments, their entries, and their comparisons with the reference bot."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "assignments",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("group_id", INTEGER, nullable=True),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("reference_id", INTEGER, nullable=False),
        sa.Column("company", JSON, nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("tables", INTEGER, nullable=False),
        sa.Column("opens", sa.Double(), nullable=False),
        sa.Column("deadline", sa.Double(), nullable=False),
        sa.Column("points", JSON, nullable=False),
        sa.Column("plan", JSON, nullable=True),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("final_id", INTEGER, nullable=True),
        sa.Column("problem", sa.String(), nullable=True),
        sa.Column("closed", sa.Double(), nullable=True),
        sa.Column("created_by_id", INTEGER, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_assignments_group_id")),
        sa.ForeignKeyConstraint(["reference_id"], ["versions.id"], name=op.f("fk_assignments_reference_id")),
        sa.ForeignKeyConstraint(["final_id"], ["tournaments.id"], name=op.f("fk_assignments_final_id")),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_assignments_created_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
    )
    op.create_index("ix_assignments_group_id", "assignments", ["group_id"])
    op.create_index("ix_assignments_open", "assignments", ["closed", "opens"])
    op.create_table(
        "assignment_entries",
        sa.Column("assignment_id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("bot_id", INTEGER, nullable=False),
        sa.Column("first", INTEGER, nullable=False),
        sa.Column("entered", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f("fk_assignment_entries_assignment_id")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_assignment_entries_user_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_assignment_entries_bot_id")),
        sa.PrimaryKeyConstraint("assignment_id", "user_id", name=op.f("pk_assignment_entries")),
    )
    op.create_index("ix_assignment_entries_bot_id", "assignment_entries", ["bot_id"])
    op.create_table(
        "assignment_attempts",
        sa.Column("assignment_id", INTEGER, nullable=False),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("tournament_id", INTEGER, nullable=True),
        sa.Column("problem", sa.String(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f("fk_assignment_attempts_assignment_id")
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_assignment_attempts_version_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_assignment_attempts_user_id")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_assignment_attempts_tournament_id")
        ),
        sa.PrimaryKeyConstraint("assignment_id", "version_id", name=op.f("pk_assignment_attempts")),
        sa.UniqueConstraint("tournament_id", name=op.f("uq_assignment_attempts_tournament_id")),
    )
