"""Learning a game by playing: lessons with the panel of a match, for one person alone."""
