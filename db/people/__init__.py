"""Queries about people and servers: settings, lists, bars, lessons, allowances, direct messages."""
