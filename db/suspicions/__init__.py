"""Whom players have said they suspect: its rows and their table (`matches/suspicions`)."""
