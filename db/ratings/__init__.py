"""Queries about results and the ratings that follow from them."""
