"""Whatever interrupts a match, nobody pays for time in which they couldn't press, and it ends (P13, P17)."""

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord
from .interrupting import Interrupted

pytestmark = pytest.mark.wire

QUICK = 0
"""The seed whose matches meet most kinds of interruptions."""

SOAKED = range(1, 33)


# FOUND C1, C2, C3, C4, C5
@pytest.mark.parametrize("seed", [QUICK, *(pytest.param(seed, marks=pytest.mark.soak) for seed in SOAKED)])
async def test_nobody_pays_for_what_interrupts_a_match(seed: int, discord: Discord, bot: BotProcess) -> None:
    life = Interrupted(discord, bot, seed)
    await life.begin()
    await life.live()
    await life.heal()
    await life.end()
    life.check_results()
