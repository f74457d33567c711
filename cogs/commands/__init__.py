"""Slash commands: those that every game has (`game_cog`), and those that are about no game in particular.

A command is a row of data (`slash`). `finding` knows which match is meant without a number, and `command_limits` what
Discord takes.
"""
