"""People who don't play learn nothing, whatever they press, ask or type, judged by what really went over the wire."""

import asyncio
from pathlib import Path

import pytest

from tests.store import copied

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Spec
from .outsiders import Fate, Outsiders, fill
from .table import labels

pytestmark = pytest.mark.wire


async def heard(
    file: Path, fates: list[Fate], folder: Path, nursery: Nursery, spec: Spec | None, **settings: str
) -> tuple[list[dict[str, object]], list[str]]:
    """What the outsiders of every match hear from a bot on a copy of the file, and what players read of their hands."""
    async with Discord(spec=spec) as discord:
        everybody = [Outsiders(discord, fate) for fate in fates]
        bot = BotProcess(discord, folder, nursery, AMBIT_LOG_LEVEL="WARNING", **settings)  # type: ignore[arg-type]
        copied(file, bot.database)
        try:
            await bot.start()
            for some in everybody:
                await some.ask()
            boards = [(some.table, await some.table.called()) for some in everybody]
            playing = [(table.people[1], board) for table, board in boards if "My hand" in labels(board)]
            hands = [(await person.press(board, "My hand")).text for person, board in playing]
            assert bot.complaints() == [], bot.log()
        finally:
            await bot.close()
        assert discord.violations == []
        return [some.heard() for some in everybody], hands


async def compare(tmp_path: Path, seed: int, count: int, nursery: Nursery, spec: Spec | None) -> None:
    file = tmp_path / "matches.db"
    fates = await fill(file, seed, count)
    (true, hands), (other, other_hands) = await asyncio.gather(
        heard(file, fates, made(tmp_path / "true"), nursery, spec),
        heard(file, fates, made(tmp_path / "imagined"), nursery, spec, WIRE_IMAGINE=str(seed)),
    )
    for fate, one, two in zip(fates, true, other, strict=True):
        for what in one:
            assert one[what] == two[what], f"{what} tells something hidden of {fate}"
    assert hands != other_hands, "the comparison can't fail: to players the two bots say the same"


def made(folder: Path) -> Path:
    """Create a folder."""
    folder.mkdir()
    return folder


async def test_what_outsiders_hear_does_not_depend_on_what_they_cannot_know(
    tmp_path: Path, nursery: Nursery, spec: Spec | None
) -> None:
    await compare(tmp_path, 0, 3, nursery, spec)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 31))
async def test_what_outsiders_hear_in_many_matches_does_not_depend_on_what_they_cannot_know(
    seed: int, tmp_path: Path, nursery: Nursery, spec: Spec | None
) -> None:
    await compare(tmp_path, seed, 12, nursery, spec)
