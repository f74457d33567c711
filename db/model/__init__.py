"""The tables, and the values that their columns hold."""
