"""Who would play if others did, and which lobbies came of that: rows, tables and queries (`matches/pledges`)."""
