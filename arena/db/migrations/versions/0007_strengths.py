"""Add game points in tallies, strengths fitted to them, and rating parameters that start at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns, and empty the tallies: `arena.services.ratings.tallies.backfill` computes them again."""
    for scope in ("tournament", "variant"):
        _tallies(f"{scope}_scores", "p", "pp", "pn")
        _tallies(f"{scope}_pairs", "p")
        for name in ("strength", "reach"):
            op.add_column(f"{scope}_scores", sa.Column(name, sa.Double(), nullable=True))
    for name in ("results", "fitted"):
        op.add_column("tournaments", sa.Column(name, INTEGER, nullable=False, server_default="0"))
    op.add_column("rating_cursors", sa.Column("fitted", INTEGER, nullable=False, server_default="0"))
    op.execute("UPDATE tournaments SET results = tables_done")
    _parameters()


def _tallies(table: str, *names: str) -> None:
    op.execute(f"DELETE FROM {table}")  # noqa: S608
    for name in names:
        op.add_column(table, sa.Column(name, INTEGER, nullable=False, server_default="0"))


def _parameters() -> None:
    """Make the current parameters rate all tables from the first on, and store the defaults that were in use."""
    op.add_column("rating_cursors", sa.Column("estimating", sa.Double(), nullable=False, server_default="0"))
    with op.batch_alter_table("rating_parameters") as parameters:
        parameters.add_column(sa.Column("since", INTEGER, nullable=False, server_default="0"))
        parameters.drop_constraint(op.f("pk_rating_parameters"), type_="primary")
        parameters.create_primary_key(op.f("pk_rating_parameters"), ["variant", "since"])
    even = "('suitability-4-partners', 'suitability-2', 'separate-suits-2')"
    op.execute(
        "INSERT INTO rating_parameters (variant, since, beta, draw_probability, tables, estimated) "  # noqa: S608
        f"SELECT variant, 0, {25 / 6!r}, CASE WHEN variant IN {even} THEN 0.5 ELSE 0.05 END, 0, 0 FROM rating_cursors "
        "WHERE variant NOT IN (SELECT variant FROM rating_parameters)"
    )
