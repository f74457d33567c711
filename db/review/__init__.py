"""Reviews of finished matches: their row, table and queries (`matches/review`)."""
