"""People's progress in the lessons: its row, table and queries (`matches/lessons`)."""
