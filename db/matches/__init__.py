"""Queries about matches: their log, deadlines, the outbox, leases, and what is kept for a while."""
