"""The background work of matches: sending news, carrying out deadlines, computers' turns, and their scheduler.

`cogs.delivery` decides how news looks and sends it.
"""
