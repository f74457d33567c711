"""Reviews of finished matches: what each seat could have done better by what it knew, and how the match went.

Everything here is pure: it knows no store, no clock and no Discord. `docs/review.md` says how verdicts come about.
"""
