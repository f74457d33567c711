"""When tables start at an appointed time: their rows, table and queries (`matches/appointments`)."""
