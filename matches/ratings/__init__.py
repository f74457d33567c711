"""Ratings: how good somebody is at a game on a server, as a pure function of the results that count there."""
