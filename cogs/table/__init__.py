"""What every game's cog shares: the lobby, the board post, the panel, hands, rules and errors.

Nothing that lasts lives in a View: buttons and menus carry what they mean in their custom_id (`ids`), so a restart
loses nothing. `router` leads every press to its handler, `boundary` answers every error with a sentence.
"""
