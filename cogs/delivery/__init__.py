"""How the news of matches gets to Discord: the porter, its lanes, and what it does when Discord has changed under it.

What is to be told and to whom is decided in `matches.delivery`. Nobody but the porter sends what is owed: a press
stores and answers, and the porter is rung by the commit.
"""
