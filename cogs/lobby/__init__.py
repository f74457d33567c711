"""A table before its match: opening it, what can be pressed on its message, that message and its picture (P1, P2)."""
