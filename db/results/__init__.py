"""Queries of results: totals, and the results that change ratings."""
