"""Queries of the ratings that follow from results."""
