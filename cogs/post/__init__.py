"""What is made of a match for people to look at: boards, hands and questions as messages, their pictures, and the DM.

Who is sent what, and when, is decided elsewhere: by whoever answers a press, and by `cogs.delivery`.
"""
