"""Texts for people: escaped names, sentences about any match, and the rules by section.

Nothing here knows buttons, messages or presses, so every other package of `cogs` can use it.
"""
