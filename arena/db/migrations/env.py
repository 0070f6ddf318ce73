"""Alembic's entry: runs migrations on the connection that `arena.db.migrate` hands over."""

from alembic import context

from arena.db.models import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
