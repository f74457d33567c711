"""What every game must hold to, written against `games.GAMES` alone: no game is named here and none is exempt."""
