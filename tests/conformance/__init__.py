"""What every game must comply with, written against `games.GAMES` alone: it names and exempts no game."""
