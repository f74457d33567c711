"""Puzzles: positions with a question whose answers are known. `docs/puzzles.md` says how they are found and proven.

`shelves` loads them and `attempt` plays them. `solving` and `posting` are parts of the host. The rest is for whoever
makes puzzles: `python -m matches.puzzles GAME`.
"""
