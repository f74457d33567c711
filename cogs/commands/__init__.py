"""Slash commands: those that every game has (`game_cog`), and a cog for each that is about no game in particular.

A command reads what was asked, lets the host of all matches do it, and answers; `finding` knows which match is meant
where nobody gives a number, and `command_limits` what Discord takes.
"""
