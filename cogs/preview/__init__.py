"""The preview: the very same bot in a simulated Discord, served as a local page where one person plays all seats.

SimCord keeps the simulated server and draws one channel at a time; the bar of members and places above it is ours. Only
`bot.py --preview` imports this package, because SimCord is a dependency of development.
"""

from cogs.preview.web import serve
from cogs.preview.world import NAMES, World

__all__ = ["NAMES", "World", "serve"]
