"""The bot on the wire: the real process against a stand-in for Discord on this machine."""
