"""What can go wrong with the store; every message is one plain sentence for whoever runs the bot."""

from __future__ import annotations


class DatabaseError(Exception):
    """The store cannot do that; nothing of the transaction was kept. The message is one sentence.

    `transient`: the fault may pass, so another try is worth it. `uncertain`: it happened while the store was keeping
    the transaction, so nobody knows whether it did after all.
    """

    def __init__(self, sentence: str, *, transient: bool = False, uncertain: bool = False) -> None:
        super().__init__(sentence)
        self.transient = transient
        self.uncertain = uncertain


class Conflict(DatabaseError):
    """Somebody else was first: a row with this key is there already."""
