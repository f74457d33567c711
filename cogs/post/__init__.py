"""Makes what people see of a match: boards, hands and questions as messages, their pictures, and DMs.

It doesn't decide who gets what, or when. The handlers of presses and `cogs.delivery` do that.
"""
