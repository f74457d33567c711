"""The store as a whole: backup and restore, moving it to another database."""
