"""Machinery that knows no game: clock, workers, fair queues, several processes over one store."""
