"""Add the event log, webhooks and their deliveries, kinds of notices, and first faults of versions."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Create the tables, empty. Versions that have failed before count as known to fail."""
    _create_events()
    _create_webhooks()
    _create_deliveries()
    op.add_column("versions", sa.Column("faulted", sa.Double(), nullable=True))
    failed = "SELECT DISTINCT version_id FROM table_seats WHERE faults > 0"
    op.execute(f"UPDATE versions SET faulted = created WHERE id IN ({failed})")  # noqa: S608 -- no input
    op.add_column("rating_cursors", sa.Column("leader_id", INTEGER, nullable=True))
    op.add_column("rating_cursors", sa.Column("looked", sa.Double(), nullable=False, server_default="0"))
    op.add_column("users", sa.Column("notice_choices", JSON, nullable=True))
    op.add_column("notices", sa.Column("kind", sa.String(), nullable=False, server_default="other"))
    op.add_column("notices", sa.Column("bot_id", INTEGER, nullable=True))
    op.add_column("notices", sa.Column("mail_due", sa.Double(), nullable=True))
    op.create_index("ix_notices_mail_due", "notices", ["mail_due"], **_only("mail_due IS NOT NULL"))
    op.add_column("assignments", sa.Column("reminded", sa.Double(), nullable=True))


def _create_events() -> None:
    op.create_table(
        "events",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("number", INTEGER, nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("tournament_id", INTEGER, nullable=True),
        sa.Column("bot_id", INTEGER, nullable=True),
        sa.Column("version_id", INTEGER, nullable=True),
        sa.Column("user_id", INTEGER, nullable=True),
        sa.Column("data", JSON, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_events_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("number", name=op.f("uq_events_number")),
    )
    op.create_table(
        "event_cursor",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("last", INTEGER, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_cursor")),
    )
    op.create_index("ix_events_new", "events", ["id"], **_only("number IS NULL"))
    op.create_index("ix_events_tournament_id_number", "events", ["tournament_id", "number"])
    op.create_index("ix_events_bot_id_number", "events", ["bot_id", "number"])
    op.create_index("ix_events_at", "events", ["at"])
    op.create_index("ix_events_user_id", "events", ["user_id"])


def _create_webhooks() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("kinds", JSON, nullable=False),
        sa.Column("everything", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("failing", sa.Double(), nullable=True),
        sa.Column("disabled", sa.String(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_webhooks_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index("ix_webhooks_user_id", "webhooks", ["user_id"])


def _create_deliveries() -> None:
    webhook, event = op.f("fk_deliveries_webhook_id"), op.f("fk_deliveries_event_id")
    op.create_table(
        "deliveries",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("webhook_id", INTEGER, nullable=False),
        sa.Column("event_id", INTEGER, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("attempts", INTEGER, nullable=False),
        sa.Column("fence", INTEGER, nullable=False),
        sa.Column("sent", sa.Double(), nullable=True),
        sa.Column("status", INTEGER, nullable=True),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("milliseconds", INTEGER, nullable=True),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name=webhook, ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=event, ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
        sa.UniqueConstraint("webhook_id", "event_id", name=op.f("uq_deliveries_webhook_id_event_id")),
    )
    op.create_index("ix_deliveries_due", "deliveries", ["due"], **_only("state = 'waiting'"))
    op.create_index("ix_deliveries_event_id", "deliveries", ["event_id"])


def _only(condition: str) -> dict[str, Any]:
    """Return the condition of a partial index, for both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}
