"""Matches being played: seats, lobby, turns, chance, time, computers, and the news that people must get.

No Discord in here: a test, a benchmark or another chat can drive it. `matches.api` lists the names that they use. This
module imports nothing, so that a worker process starts without the store.
"""
