"""Computer players: one search for all games, a judgement for each game, levels, and worker processes."""
