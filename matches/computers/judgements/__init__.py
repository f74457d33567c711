"""The judgement of each game; a game that is not listed is played by search alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from matches.computers.judgement import Judgement
from matches.computers.judgements.abissal import AbissalJudgement
from matches.computers.judgements.ambagibus import AmbagibusJudgement
from matches.computers.judgements.ambush import AmbushJudgement
from matches.computers.judgements.gambo import GamboJudgement
from matches.computers.judgements.saboteur import SaboteurJudgement

JUDGEMENTS: Final[Mapping[str, type[Judgement[Any]]]] = {
    "abissal": AbissalJudgement,
    "ambagibus": AmbagibusJudgement,
    "ambush": AmbushJudgement,
    "gambo": GamboJudgement,
    "saboteur": SaboteurJudgement,
}
