"""What people read, as text: names made harmless, sentences about any match, and the rules by section.

Nothing here knows a button, a message or a person who waits for an answer, so every other room can use it.
"""
