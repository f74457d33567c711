"""Queries of matches: logs, the outbox, deadlines, row numbers, retention."""
