"""Pictures and words: what people see of every game."""
