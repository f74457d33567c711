"""The host: its parts, and the unit of work that they share."""
