"""Queries of matches: logs, the outbox, deadlines, leases, row numbers, retention."""
