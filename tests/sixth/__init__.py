"""A sixth game, for tests: Cairn, with all that a game brings and not a line of the product changed for it.

`game`, `render` and `cog` are what would stand in ``games/cairn/``, ``render/cairn/`` and ``cogs/cairn.py``, `rules` is
its page, and `test_rules` has a test for each of them. `bring` lets the program find them for the time of a test.
"""
