"""Measurements of Ambit against peers, in one run: ``python -m benchmarks NAME``."""
