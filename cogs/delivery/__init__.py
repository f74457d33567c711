"""How the news of matches gets to Discord: the porter, its tellings, and what it does when Discord has changed.

`matches.delivery` decides what has to be told and to whom, and its scheduler decides when. A press stores and answers.
Nobody but the porter delivers.
"""
