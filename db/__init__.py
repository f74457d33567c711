"""The store: the log of every match, what must be told and when, ratings, and settings. Knows no game.

SQLAlchemy 2 Core. Alembic migrations run when the store is opened.

* `db.model`: tables, their columns (`rows`), and the words that columns hold (`enums`).
* `db.store`: connections, transactions, locks, and faults as sentences.
* `db.matches`, `db.people`, `db.ratings`: queries, one small function each. Nobody else writes SQL. A query is a plain
  function of a connection; `Database.read` and `Database.write` run it in a transaction.
* `db.upkeep`: backups, moving a store, recovery.
"""

from sqlalchemy import Connection

from db.store.database import Database, alone
from db.store.failures import Conflict, DatabaseError

__all__ = ["Conflict", "Connection", "Database", "DatabaseError", "alone"]
