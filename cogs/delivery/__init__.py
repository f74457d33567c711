"""Delivers outbox rows to Discord.

`matches.delivery` decides what to announce and to whom, and the scheduler decides when. Here the porter sends it. A
press only stores and answers; nothing but the porter delivers.
"""
