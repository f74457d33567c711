"""Tables that start at an appointed time (P40)."""
