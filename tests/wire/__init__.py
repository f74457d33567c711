"""The bot on the wire: the real process against a Discord that stands on this machine."""
