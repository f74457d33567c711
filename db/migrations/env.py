"""Alembic runs this for a migration, on the connection and in the transaction that `db.migrations` passes."""

from __future__ import annotations

from alembic import context

from db.model.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
