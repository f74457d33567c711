"""The store: the log of every match, what has to be told and when, and the settings. Knows no game.

SQLAlchemy 2 Core; Alembic migrations run when it is opened. What rows are read as, and so the columns, stands in
`db.rows`, the words that columns hold in `db.words`. Queries stand here, one small function a question
(`db.matches`, `db.outbox`, `db.deadlines`, `db.settings`, `db.meta`), so that nobody else writes SQL. They are plain
functions of a connection, called by what `Database.read` and `Database.write` carry out as one transaction.
"""

from sqlalchemy import Connection

from db.database import Database, alone
from db.errors import Conflict, DatabaseError

__all__ = ["Conflict", "Connection", "Database", "DatabaseError", "alone"]
