"""A sixth game, for tests: Moor, with all that a game brings and not a line of the product changed for it.

Each file stands for one in the rooms: `game` for ``games/moor/``, `render` for ``render/moor/``, `cog` for
``cogs/moor.py``, and so on. `bring` lets the program find them during a test.
"""
