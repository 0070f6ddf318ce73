"""Add formats, schedules, rejudgements, notices, rating parameters, and tallies of results."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SUMS = ("tables", "h", "n", "hh", "hn", "nn")


def upgrade() -> None:
    """Create the new tables and columns, and convert existing rows."""
    _schedules()
    _tournaments()
    _tables_and_matches()
    _rejudgements_and_notices()
    _parameters()
    _tallies()


def _schedules() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("plan", JSON, nullable=False),
        sa.Column("cron", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("catch_up", sa.String(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("seen_until", sa.Double(), nullable=False),
        sa.Column("problem", sa.String(), nullable=True),
        sa.Column("created_by_id", INTEGER, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_schedules_created_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )


def _tournaments() -> None:
    with op.batch_alter_table("tournaments") as tournaments:
        tournaments.add_column(sa.Column("shape", JSON, nullable=False, server_default="{}"))
        tournaments.add_column(sa.Column("problem", sa.String(), nullable=True))
        tournaments.add_column(sa.Column("seatings", sa.String(), nullable=False, server_default="rotations"))
        tournaments.add_column(sa.Column("entry_rule", sa.String(), nullable=False, server_default="chosen"))
        tournaments.add_column(sa.Column("chosen", JSON, nullable=True))
        tournaments.add_column(sa.Column("fault_cap", INTEGER, nullable=True))
        tournaments.add_column(sa.Column("starts_at", sa.Double(), nullable=True))
        tournaments.add_column(sa.Column("started", sa.Double(), nullable=True))
        tournaments.add_column(sa.Column("schedule_id", INTEGER, nullable=True))
        tournaments.add_column(sa.Column("due", sa.Double(), nullable=True))
        tournaments.add_column(sa.Column("stage", INTEGER, nullable=False, server_default="1"))
        tournaments.add_column(sa.Column("tables_cancelled", INTEGER, nullable=False, server_default="0"))
        tournaments.add_column(sa.Column("verdict", JSON, nullable=True))
        tournaments.create_foreign_key(op.f("fk_tournaments_schedule_id"), "schedules", ["schedule_id"], ["id"])
        tournaments.create_unique_constraint(op.f("uq_tournaments_schedule_id_due"), ["schedule_id", "due"])
    shaped = {"sqlite": "json_object('rounds', rounds)"}.get(_dialect(), "jsonb_build_object('rounds', rounds)")
    cancelled = "SELECT count(*) FROM tables t WHERE t.tournament_id = tournaments.id AND t.state = 'cancelled'"
    op.execute(f"UPDATE tournaments SET shape = {shaped}, started = created, tables_cancelled = ({cancelled})")  # noqa: S608
    op.drop_column("tournaments", "rounds")
    op.add_column("entries", sa.Column("out", sa.String(), nullable=True))
    op.add_column("entries", sa.Column("out_after", INTEGER, nullable=True))


def _tables_and_matches() -> None:
    op.add_column("tables", sa.Column("stage", INTEGER, nullable=False, server_default="0"))
    for queued in ("tables", "versions"):
        op.add_column(queued, sa.Column("retry_at", sa.Double(), nullable=True))
    op.drop_index("ix_tables_waiting", "tables")
    op.create_index("ix_tables_announced", "tables", ["state", "rung_at"])
    op.create_index("ix_tables_pace", "tables", ["state", "finished"])
    op.add_column("matches", sa.Column("fence", INTEGER, nullable=False, server_default="0"))
    op.execute("UPDATE matches SET fence = (SELECT t.fence FROM tables t WHERE t.id = matches.table_id)")
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("superseded", sa.Boolean(), nullable=False, server_default=sa.false()))
        matches.drop_constraint(op.f("uq_matches_table_id_seating"), type_="unique")
        matches.create_unique_constraint(op.f("uq_matches_table_id_fence_seating"), ["table_id", "fence", "seating"])
    empty = {"sqlite": "x''"}.get(_dialect(), "'\\x'::bytea")
    op.add_column("match_seats", sa.Column("think", sa.LargeBinary(), nullable=False, server_default=sa.text(empty)))


def _rejudgements_and_notices() -> None:
    op.create_table(
        "rejudgements",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("tournament_id", INTEGER, nullable=False),
        sa.Column("table_number", INTEGER, nullable=True),
        sa.Column("version_id", INTEGER, nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("tables", INTEGER, nullable=False),
        sa.Column("created_by_id", INTEGER, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_rejudgements_tournament_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_rejudgements_version_id")),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_rejudgements_created_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rejudgements")),
    )
    op.create_index(op.f("ix_rejudgements_tournament_id"), "rejudgements", ["tournament_id"])
    op.create_table(
        "notices",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("tournament_id", INTEGER, nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_notices_user_id")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_notices_tournament_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    op.create_index(op.f("ix_notices_user_id"), "notices", ["user_id"])


def _parameters() -> None:
    op.create_table(
        "rating_parameters",
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("beta", sa.Double(), nullable=False),
        sa.Column("draw_probability", sa.Double(), nullable=False),
        sa.Column("tables", INTEGER, nullable=False),
        sa.Column("estimated", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("variant", name=op.f("pk_rating_parameters")),
    )


def _tallies() -> None:
    """Create empty tallies; `arena.services.ratings.tallies.backfill` computes them from existing results."""
    for scope, column in (("tournament", "tournament_id"), ("variant", "variant")):
        _scores(f"{scope}_scores", column)
        _pairs(f"{scope}_pairs", column)


def _scores(table: str, scope: str) -> None:
    op.create_table(
        table,
        _scope(scope),
        sa.Column("version_id", INTEGER, nullable=False),
        sa.Column("matches", INTEGER, nullable=False),
        sa.Column("faults", INTEGER, nullable=False),
        *(sa.Column(name, INTEGER, nullable=False) for name in SUMS),
        *_belongs(table, scope),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f(f"fk_{table}_version_id")),
        sa.PrimaryKeyConstraint(scope, "version_id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_version_id"), table, ["version_id"])


def _pairs(table: str, scope: str) -> None:
    op.create_table(
        table,
        _scope(scope),
        sa.Column("a", INTEGER, nullable=False),
        sa.Column("b", INTEGER, nullable=False),
        *(sa.Column(name, INTEGER, nullable=False) for name in SUMS),
        *_belongs(table, scope),
        sa.ForeignKeyConstraint(["a"], ["versions.id"], name=op.f(f"fk_{table}_a")),
        sa.ForeignKeyConstraint(["b"], ["versions.id"], name=op.f(f"fk_{table}_b")),
        sa.PrimaryKeyConstraint(scope, "a", "b", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_b"), table, ["b"])


def _scope(name: str) -> sa.Column[int] | sa.Column[str]:
    return (
        sa.Column(name, sa.String(), nullable=False) if name == "variant" else sa.Column(name, INTEGER, nullable=False)
    )


def _belongs(table: str, scope: str) -> list[sa.ForeignKeyConstraint]:
    if scope == "variant":
        return []
    return [sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f(f"fk_{table}_tournament_id"))]


def _dialect() -> str:
    return op.get_bind().dialect.name
