"""Slash commands: those that every game has, and which match is meant where nobody gives a number."""
