"""A small feature that the program doesn't have: notes that people write to themselves about a match.

`make feature KEY=league` copies it into the rooms (`tests.sample.__main__`). Nothing here is imported in a test: two
tables of one name would clash.
"""
