"""A running match for its players: the panel by which they move, a hint, going away, and what happens to a seat."""
