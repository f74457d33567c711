"""A sixth game, for tests: Moor, with everything that a game brings, and no change of the product.

Each file stands for one in the rooms: `game` for ``games/moor/``, `render` for ``render/moor/``, `cog` for
``cogs/moor.py``, and so on (`tests.sixth.__main__.COPIES`). `bring` lets the program find them during a test; ``make
game KEY=four`` copies them into the rooms, with a cog that has no command of its own.
"""
