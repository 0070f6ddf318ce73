"""Store the balance of neighbours at the tables of a tournament."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DISTANCE = "({0}.position - {1}.position + sizes.places) % sizes.places"
EXCESS = f"sum(CASE WHEN {DISTANCE} = 1 THEN sizes.places - 2 ELSE -1 END)"


def upgrade() -> None:
    """Count neighbours at existing tables, so that later tables balance them."""
    op.add_column("tournaments", sa.Column("balanced_from", INTEGER, nullable=False, server_default="0"))
    op.execute("UPDATE tournaments SET balanced_from = tables_total")
    op.create_table(
        "tournament_neighbours",
        sa.Column("tournament_id", INTEGER, nullable=False),
        sa.Column("a", INTEGER, autoincrement=False, nullable=False),
        sa.Column("b", INTEGER, autoincrement=False, nullable=False),
        sa.Column("forward", INTEGER, nullable=False),
        sa.Column("backward", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_neighbours_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "a", "b", name=op.f("pk_tournament_neighbours")),
    )
    op.execute(f"""
        INSERT INTO tournament_neighbours (tournament_id, a, b, forward, backward)
        SELECT t.tournament_id, x.number, y.number, {EXCESS.format("other", "one")}, {EXCESS.format("one", "other")}
        FROM tables t
        JOIN tournaments ON tournaments.id = t.tournament_id
        JOIN (SELECT table_id, count(*) AS places FROM table_seats GROUP BY table_id) sizes ON sizes.table_id = t.id
        JOIN table_seats one ON one.table_id = t.id
        JOIN table_seats other ON other.table_id = t.id
        JOIN entries x ON x.tournament_id = t.tournament_id AND x.version_id = one.version_id
        JOIN entries y ON y.tournament_id = t.tournament_id AND y.version_id = other.version_id
        WHERE sizes.places > 2 AND x.number < y.number AND tournaments.variant <> 'suits-barnhart-solitaire'
        GROUP BY t.tournament_id, x.number, y.number
    """)  # noqa: S608 - made of constants
