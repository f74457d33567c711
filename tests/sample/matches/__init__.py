"""Sample: a note that somebody writes to themselves about a match."""

from __future__ import annotations

from typing import Final

from matches.table.feature import Feature
from matches.table.value import Table
from tests.sample.matches.writing import KEY, Sample

__all__ = ["FEATURE", "Sample"]

FEATURE: Final = Feature[Table](key=KEY, part=lambda work, _: Sample(work))
