"""Bringing people together who would each play if others did (P40).

`pledge` is a promise and what can be asked of it, `quiet` its person's quiet hours, `matching` finds people who can
play together, `gathering` decides how a table comes about from those who were asked, `public` is what everybody is told
about pledges. All of it is pure. `matches/host/pledges.py` stores it.
"""
