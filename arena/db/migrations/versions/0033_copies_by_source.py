"""Keep only pairs that are alike by source. The next comparison fills the report again."""

from alembic import op

from arena.db.statements import run

revision = "0033"
down_revision = "0032"

STATEMENTS = """
DROP TABLE alike_pairs;
DROP TABLE copy_reports;
CREATE TABLE copy_reports (
    id SERIAL NOT NULL, finished DOUBLE NOT NULL, bots INTEGER NOT NULL, unread INTEGER NOT NULL,
    seconds DOUBLE NOT NULL,
    CONSTRAINT pk_copy_reports PRIMARY KEY (id)
);
CREATE TABLE alike_pairs (
    id SERIAL NOT NULL, a_id INTEGER NOT NULL, b_id INTEGER NOT NULL, a_version_id INTEGER NOT NULL,
    b_version_id INTEGER NOT NULL, share DOUBLE NOT NULL, counted INTEGER NOT NULL, lines JSON NOT NULL,
    CONSTRAINT pk_alike_pairs PRIMARY KEY (id),
    CONSTRAINT uq_alike_pairs_a_id_b_id UNIQUE (a_id, b_id),
    CONSTRAINT fk_alike_pairs_a_id FOREIGN KEY (a_id) REFERENCES bots (id) ON DELETE CASCADE,
    CONSTRAINT fk_alike_pairs_a_version_id FOREIGN KEY (a_version_id) REFERENCES versions (id) ON DELETE CASCADE,
    CONSTRAINT fk_alike_pairs_b_id FOREIGN KEY (b_id) REFERENCES bots (id) ON DELETE CASCADE,
    CONSTRAINT fk_alike_pairs_b_version_id FOREIGN KEY (b_version_id) REFERENCES versions (id) ON DELETE CASCADE
);
CREATE INDEX ix_alike_pairs_b_id ON alike_pairs (b_id);
"""


def upgrade() -> None:
    """Create both tables anew: pairs by decisions are gone, and reports count no tables."""
    run(op.get_bind(), STATEMENTS)
