"""A match that runs, for who sits in it: the panel by which they move, a hint, and what becomes of their seat."""
