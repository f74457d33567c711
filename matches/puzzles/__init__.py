"""Puzzles: positions with a question whose answers are known. `docs/puzzles.md` says how they are found and proven.

`shelves` loads them and `attempt` plays them. The rest is for whoever makes puzzles: `python -m matches.puzzles GAME`.
Nothing here knows a store, a clock or Discord.
"""
