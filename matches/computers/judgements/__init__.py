"""The judgement of every game, by its key: `JUDGEMENT` in ``matches/computers/judgements/<key>``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from games import GAMES
from matches.computers.judgement import Judgement

JUDGEMENTS: Final[Mapping[str, type[Judgement[Any]]]] = {
    key: import_module(f"{__name__}.{key}").JUDGEMENT for key in GAMES
}
