"""Bringing people together who would each play if others did (P40).

`pledge` is a promise and what it allows now, `quiet` its person's quiet hours. `matching` finds people who can play
together. `gathering` decides how a table comes about from people who were asked. `public` counts what everybody is told
about pledges. All of these are pure. `gathered` and `resting` store, within a transaction of `matches/host/pledges.py`.
"""
