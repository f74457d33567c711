"""The store itself: its address, connections, transactions, locks, and its faults as sentences."""
