"""Keep one rating event per rated seat, and how far a variant's ratings are up to date."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Delete events that no longer count: earlier revisions, and events of results that were set aside."""
    op.execute(
        "DELETE FROM rating_events WHERE revision < (SELECT max(other.revision) FROM rating_events AS other "
        "WHERE other.table_id = rating_events.table_id AND other.version_id = rating_events.version_id)"
    )
    op.execute(
        "DELETE FROM rating_events WHERE NOT EXISTS (SELECT 1 FROM tables JOIN tournaments "
        "ON tournaments.id = tables.tournament_id WHERE tables.id = rating_events.table_id "
        "AND tables.state = 'done' AND tables.number < tournaments.folded)"
    )
    op.drop_index("ix_rating_events_history", "rating_events")
    with op.batch_alter_table("rating_events") as events:
        events.drop_constraint(op.f("pk_rating_events"), type_="primary")
        events.drop_column("revision")
        events.create_primary_key(op.f("pk_rating_events"), ["table_id", "version_id"])
    op.create_index("ix_rating_events_history", "rating_events", ["variant", "version_id", "table_id"])
    with op.batch_alter_table("rating_cursors") as cursors:
        cursors.drop_column("revision")
        cursors.add_column(sa.Column("due", INTEGER, nullable=True))
        cursors.add_column(sa.Column("folded", sa.Double(), nullable=False, server_default="0"))
    op.drop_index("ix_ratings_leaders", "ratings")  # every rating moved in it, and no query used it
