"""Queries of results, and of the ratings that follow from them."""
