"""What Alembic runs for a migration: it uses the connection that `db.migrations` hands it, and its transaction."""

from __future__ import annotations

from alembic import context

from db.model.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
