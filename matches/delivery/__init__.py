"""The background work of matches: sending news, carrying out deadlines, computers' turns.

`matches/host/scheduler.py` decides when. `cogs.delivery` decides how news looks and sends it.
"""
