"""Computer players: one search for all games, judgement for each, levels, and the processes in which they think."""
