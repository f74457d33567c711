"""A match that runs, for who sits in it: the panel by which they move, and what else only they see or ask for."""
