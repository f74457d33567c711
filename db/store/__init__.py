"""The store itself: its address, connections, transactions, locks, leases, and facts about it (`meta`)."""
