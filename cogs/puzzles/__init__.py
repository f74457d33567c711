"""``/puzzle``: the day's puzzle, and puzzles of every game."""
