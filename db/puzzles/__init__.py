"""How far people are in puzzles, and what servers were told: rows, tables and queries (`matches/puzzles`)."""
