"""What can go wrong with the store; every message is one plain sentence for whoever runs the bot."""

from __future__ import annotations


class DatabaseError(Exception):
    """The store cannot do that; nothing of the transaction was kept. The message is one sentence."""


class Conflict(DatabaseError):
    """Somebody else was first: a row with this key is there already."""
