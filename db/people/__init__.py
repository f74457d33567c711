"""Queries of people and servers: settings, lists, bars, lessons, allowances, direct messages."""
