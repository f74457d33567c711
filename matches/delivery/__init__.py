"""What follows from a match by itself: who is told what, what becomes due, when a computer thinks.

What is to be told and to whom is decided here; how it looks, and how it gets there, is the business of whoever shows it
(`cogs.delivery`).
"""
