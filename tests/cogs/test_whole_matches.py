"""Whole matches in SimCord, of every game, through what people can press and type; results equal the stored log."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from cogs.text import names
from db.matches import log_lines
from games import GAMES
from games.log import Header, Line, replay, to_text
from matches.api import MatchId, Ration, Status
from render import RENDERERS
from tests.cogs.table import TICK, Table, behind, buttons, go_through_panel, menu, play_by_panel, table

MAX_MOVES = 1200


async def stored_log(room: Table, number: MatchId) -> tuple[Header, tuple[Line, ...]]:
    """The log in the database file."""
    match = await room.bot.host.look.match(number)
    rows = await room.bot.database.read(log_lines.lines, number)
    header = Header(match.game, len(match.seats), match.options, match.rules_version)
    return header, tuple(Line(*row) for row in rows)


async def assert_result_equals_replay(room: Table, number: MatchId) -> None:
    """Check that the final post equals a replay of the stored log, and that the deals are fair."""
    header, lines = await stored_log(room, number)
    *_, (_, final) = replay(header, lines)
    assert final.is_terminal, to_text(header, lines)
    match = await room.bot.host.look.match(number)
    assert match.status is Status.OVER
    view = await room.bot.host.look.view(number, None)
    assert view.outcome == final.outcome()
    result = RENDERERS[match.game].end_text(final.observation(None), names.people(match))
    details = await behind(room.people[0], room.latest("Rematch", room.place()), "Details")
    assert result in details.response.content
    assert (await room.bot.host.look.verify(number)).ok


async def play_by_slash(room: Table, actor: Any, game: str, rng: random.Random) -> Any:
    """Follow what the completion of ``/… play`` offers until a whole move is chosen; the rest in the panel."""
    written = ""
    for _ in range(4):
        offers = await actor.autocomplete(room.place(), f"{game} play", "move", written)
        written = rng.choice(offers)["value"]
    shown = (await actor.slash(room.place(), f"{game} play", move=written)).response
    offered = {button.label for button in buttons(shown)} & {"Confirm", "Back"} or menu(shown) is not None
    return await go_through_panel(actor, shown, rng) if offered else shown


async def after_first_round(room: Table, number: MatchId, rng: random.Random) -> bool:
    """Once the first round is over, play the others by the host alone, and let the end be told. Whether it is over."""
    look = room.bot.host.look
    if not (await look.view(number, None)).round_ply:
        return False
    while (await look.match(number)).status is Status.RUNNING:
        await room.unannounced(number, rng)
    await room.env.advance_time(TICK)
    await room.told()
    return True


async def play_on(
    room: Table,
    number: MatchId,
    rng: random.Random,
    *,
    how: tuple[str, ...],
    restart_every: int = 0,
    one_round: bool = False,
) -> None:
    """Play until the match is over, by the ways named in `how` in turn: panel, dm, slash, typed.

    With `one_round` the others are played by the host alone.
    """
    game = (await room.bot.host.look.match(number)).game
    for moves in range(MAX_MOVES):
        match = await room.bot.host.look.match(number)
        if match.status is not Status.RUNNING:
            return
        if one_round and await after_first_round(room, number, rng):
            return
        if restart_every and moves % restart_every == restart_every - 1:
            await room.restart()
        way = how[moves % len(how)]
        if way == "panel":
            actor, message = room.to_play()
            await play_by_panel(actor, message, rng)
            continue
        mover = match.mover
        assert mover.user_id is not None
        person = room.person(mover.user_id)
        if way == "dm":
            await play_by_panel(person.user, room.latest("Play", person.user.dm_channel), rng)
        elif way == "slash":
            assert await play_by_slash(room, person, game, rng) is not None
        else:
            view = await room.bot.host.look.view(number, mover.user_id)
            result = await person.slash(room.place(), f"{game} play", move=rng.choice(view.moves).text)
            assert result.acknowledged
    pytest.fail("the match has no end")


async def whole_match(tmp_path: Path, game: str, players: int, how: tuple[str, ...], **options: Any) -> None:
    """One match from ``new`` to the end. Everybody joins at the same moment, and gets a DM for that."""
    async with table(tmp_path / "ambit.db", players, ration=Ration(players, players), threads=True) as room:
        if GAMES[game].info.min_players < GAMES[game].info.max_players:
            options["players"] = players
        number = await room.begin(game, players, **options)
        await play_on(room, number, random.Random(players), how=how)
        await assert_result_equals_replay(room, number)


@pytest.mark.always
async def test_p05_three_people_play_a_whole_match_of_saboteur_through_the_panel(tmp_path: Path) -> None:
    await whole_match(tmp_path, "saboteur", 3, ("panel",))


async def test_p02_ten_people_with_closed_dms_play_a_whole_match_by_command(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 10, threads=True) as room:
        room.close_dms()
        number = await room.begin("saboteur", 10, players=10)
        await play_on(room, number, random.Random(2), how=("slash",), one_round=True)
        await assert_result_equals_replay(room, number)


async def test_a_match_goes_on_although_the_bot_restarts_after_every_tenth_action(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2, threads=True) as room:
        number = await room.begin("abissal", 2, where="thread", players=2)
        await play_on(room, number, random.Random(3), how=("panel", "slash"), restart_every=10)
        await assert_result_equals_replay(room, number)


async def test_p04_a_whole_match_is_played_from_dms_alone(tmp_path: Path) -> None:
    await whole_match(tmp_path, "abissal", 2, ("dm",))


VARIANTS = [
    (game, players, {option.name: value})
    for game, entry in GAMES.items()
    for players in range(entry.info.min_players, entry.info.max_players + 1)
    for option in entry.info.options
    for value in option.values
] + [
    (game, players, {})
    for game, entry in GAMES.items()
    for players in range(entry.info.min_players, entry.info.max_players + 1)
    if not entry.info.options
]


FEWEST = [each for each in VARIANTS if each[0] != "saboteur" and each[1] == GAMES[each[0]].info.min_players]


@pytest.mark.always
@pytest.mark.parametrize(("game", "players", "options"), FEWEST, ids=str)
async def test_p06_every_other_game_is_played_by_all_ways_in_turn(
    tmp_path: Path, game: str, players: int, options: dict[str, str]
) -> None:
    await whole_match(tmp_path, game, players, ("panel", "slash", "typed"), **options)


class Collected:
    """A pytest plugin that keeps the names of the tests that would run."""

    names: tuple[str, ...] = ()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.names = tuple(item.name for item in session.items)


def test_make_test_plays_a_whole_match_of_every_game() -> None:
    recipe = re.search(r"^test: .*\n\t.* -m \"(.+)\"$", Path("Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe is not None
    collected = Collected()
    pytest.main(["--collect-only", "-p", "no:cacheprovider", "-m", recipe[1], __file__], plugins=[collected])
    played = [name for name in collected.names if "_p05_" in name or "_p06_" in name]
    assert [game for game in GAMES if not any(game in name for name in played)] == []


@pytest.mark.soak
@pytest.mark.parametrize("way", ["panel", "slash", "typed", "dm"])
@pytest.mark.parametrize(("game", "players", "options"), VARIANTS, ids=str)
async def test_every_variant_is_played_by_one_way_alone(
    tmp_path: Path, game: str, players: int, options: dict[str, str], way: str
) -> None:
    if way == "dm" and not GAMES[game].info.hands:
        way = "panel"
    await whole_match(tmp_path, game, players, (way,), **options)
