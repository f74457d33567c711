"""The store as a whole: backups, moving it elsewhere, recovery, facts about itself."""
