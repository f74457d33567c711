"""The store: match logs, the outbox, deadlines, results, settings. It knows no game.

SQLAlchemy 2 Core. Alembic migrations run when the store is opened.

* `db.model`: the tables, their columns (`rows`), and the enums in columns (`enums`).
* `db.failures`: errors as sentences.
* `db.store`: connections, transactions, locks, leases.
* `db.matches`, `db.people`, `db.results`: small queries. No other package contains SQL. A query is a plain function of
  a connection; `Database.read` and `Database.write` run it in a transaction.
* `db.features`: what each feature keeps, in a package of its own.
* `db.upkeep`: backups, moving a store, recovery.
"""

from sqlalchemy import Connection

from db.failures import Conflict, DatabaseError
from db.features import KEPT, OF_MATCH, SHOWN, show
from db.store.database import Database, alone

__all__ = ["KEPT", "OF_MATCH", "SHOWN", "Conflict", "Connection", "Database", "DatabaseError", "alone", "show"]
