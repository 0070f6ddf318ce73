"""Alembic's entry point: runs migrations on the connection passed by `arena.db.migrate`."""

from alembic import context

from arena.db.models import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
