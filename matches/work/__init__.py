"""The unit of work, and what the parts of the host need beside it: reading, storing, cached positions, notices."""
