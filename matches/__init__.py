"""Matches being played: seats, lobby, turns, chance, time, computers, and what has to be told to whom.

No Discord in here: this is the host of the table, and a test, a benchmark or another chat can drive it. `matches.api`
lists what they use. This module imports nothing, so that a worker process starts without the store.
"""
