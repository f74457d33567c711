"""A table as a value, and everything that somebody can do at it as a function from one table to the next.

Nothing in here knows a store, a loop or a clock: the same requests in the same order give the same table. Each function
returns the table with the events that follow, or raises the refusal (`matches.errors`); what it was given is unchanged.
"""
