"""Slash commands: those that every game has (`game_cog`), and those that are about no game in particular.

A command is a row of data (`slash`). `finding` finds the match that is meant when no number is given.
"""
