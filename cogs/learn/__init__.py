"""Exercises with the panel of a match, for one person alone: those of lessons and puzzles, and moments to try again."""
