"""Create the initial schema."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Create the initial schema."""
    op.create_table(
        "rating_cursors",
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("last_table", INTEGER, nullable=False),
        sa.Column("revision", INTEGER, nullable=False),
        sa.Column("refolded", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("variant", name=op.f("pk_rating_cursors")),
    )
    op.create_table(
        "users",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_table(
        "bots",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("owner_id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("active_version_id", INTEGER, nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["active_version_id"], ["versions.id"], name="fk_bots_active_version_id", use_alter=True
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_bots_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name_key", name=op.f("uq_bots_name_key")),
    )
    op.create_index(op.f("ix_bots_owner_id"), "bots", ["owner_id"], unique=False)
    op.create_table(
        "tournaments",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("rounds", INTEGER, nullable=False),
        sa.Column("boards", INTEGER, nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("priority", INTEGER, nullable=False),
        sa.Column("created_by_id", INTEGER, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.Column("tables_total", INTEGER, nullable=False),
        sa.Column("tables_done", INTEGER, nullable=False),
        sa.Column("tables_failed", INTEGER, nullable=False),
        sa.Column("folded", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_tournaments_created_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_state"), "tournaments", ["state"], unique=False)
    op.create_index(op.f("ix_tournaments_variant"), "tournaments", ["variant"], unique=False)
    op.create_table(
        "tables",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("tournament_id", INTEGER, nullable=False),
        sa.Column("number", INTEGER, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("priority", INTEGER, nullable=False),
        sa.Column("attempts", INTEGER, nullable=False),
        sa.Column("fence", INTEGER, nullable=False),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("rung_at", sa.Double(), nullable=True),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_tables_tournament_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
        sa.UniqueConstraint("tournament_id", "number", name=op.f("uq_tables_tournament_id_number")),
    )
    op.create_index("ix_tables_progress", "tables", ["tournament_id", "state", "number"], unique=False)
    op.create_index("ix_tables_waiting", "tables", ["state", "priority", "id"], unique=False)
    op.create_table(
        "versions",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("bot_id", INTEGER, nullable=False),
        sa.Column("number", INTEGER, nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("size", INTEGER, nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("report", JSON, nullable=True),
        sa.Column("games", JSON, nullable=True),
        sa.Column("attempts", INTEGER, nullable=False),
        sa.Column("fence", INTEGER, nullable=False),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("rung_at", sa.Double(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
    )
    op.create_index(op.f("ix_versions_state"), "versions", ["state"], unique=False)
    op.create_table(
        "attempts",
        sa.Column("table_id", INTEGER, nullable=False),
        sa.Column("fence", INTEGER, autoincrement=False, nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("started", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_attempts_table_id")),
        sa.PrimaryKeyConstraint("table_id", "fence", name=op.f("pk_attempts")),
    )
    op.create_table(
        "entries",
        sa.Column("tournament_id", INTEGER, nullable=False),
        sa.Column("number", INTEGER, autoincrement=False, nullable=False),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_entries_tournament_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_entries_version_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_entries")),
        sa.UniqueConstraint("tournament_id", "version_id", name=op.f("uq_entries_tournament_id_version_id")),
    )
    op.create_index(op.f("ix_entries_version_id"), "entries", ["version_id"], unique=False)
    op.create_table(
        "matches",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("table_id", INTEGER, nullable=False),
        sa.Column("seating", INTEGER, nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("finished", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("table_id", "seating", name=op.f("uq_matches_table_id_seating")),
    )
    op.create_table(
        "rating_events",
        sa.Column("table_id", INTEGER, nullable=False),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.Column("revision", INTEGER, autoincrement=False, nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("rank", INTEGER, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("tables", INTEGER, nullable=False),
        sa.Column("matches", INTEGER, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_rating_events_table_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_rating_events_version_id")),
        sa.PrimaryKeyConstraint("table_id", "version_id", "revision", name=op.f("pk_rating_events")),
    )
    op.create_index(
        "ix_rating_events_history", "rating_events", ["variant", "version_id", "table_id", "revision"], unique=False
    )
    op.create_table(
        "ratings",
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("tables", INTEGER, nullable=False),
        sa.Column("matches", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_ratings_version_id")),
        sa.PrimaryKeyConstraint("variant", "version_id", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_leaders", "ratings", ["variant", "mu"], unique=False)
    op.create_index(op.f("ix_ratings_version_id"), "ratings", ["version_id"], unique=False)
    op.create_table(
        "table_seats",
        sa.Column("table_id", INTEGER, nullable=False),
        sa.Column("position", INTEGER, autoincrement=False, nullable=False),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.Column("half_points", INTEGER, nullable=True),
        sa.Column("rank", INTEGER, nullable=True),
        sa.Column("faults", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_table_seats_table_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_table_seats_version_id")),
        sa.PrimaryKeyConstraint("table_id", "position", name=op.f("pk_table_seats")),
        sa.UniqueConstraint("table_id", "version_id", name=op.f("uq_table_seats_table_id_version_id")),
    )
    op.create_index(op.f("ix_table_seats_version_id"), "table_seats", ["version_id"], unique=False)
    op.create_table(
        "match_seats",
        sa.Column("match_id", INTEGER, nullable=False),
        sa.Column("seat", INTEGER, autoincrement=False, nullable=False),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.Column("score", INTEGER, nullable=False),
        sa.Column("rank", INTEGER, nullable=False),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("cpu", sa.Double(), nullable=False),
        sa.Column("memory", INTEGER, nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("traceback", sa.Text(), nullable=False),
        sa.Column("output", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_match_seats_match_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_match_seats_version_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_match_seats")),
    )
    op.create_index("ix_match_seats_version", "match_seats", ["version_id", "match_id"], unique=False)
    if op.get_bind().dialect.name != "sqlite":  # which takes a reference to a table that is made later
        op.create_foreign_key("fk_bots_active_version_id", "bots", "versions", ["active_version_id"], ["id"])
