"""What follows from a match by itself: who is told what, what becomes due, when a computer thinks, and who does it.

`cogs.delivery` decides how news looks and sends it.
"""
