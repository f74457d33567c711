"""The store itself: its address, connections, transactions, locks, and errors as sentences."""
