"""Values that the host returns: a match, a seat, a view, a replay."""
