"""Nothing that the bot sends to somebody changes when what he cannot know is another.

At every ply of random matches, for every viewer, all messages that the bot would make for him and for the channel
are made twice, by the bot's own functions: from the true position, and from one that is resampled as that viewer could
imagine it. Text, components, descriptions and the bytes of all pictures must be the same.
"""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import Ambit
from cogs.table import boards, lobby_picture, lobby_post, panel, pictures, words
from cogs.table.panel_steps import position, step_choices
from cogs.table.reply import Message
from games import GAMES
from matches import NewMatch, Person, Status, View
from tests.cogs.table import NAMES, make_bot

SECRET_GAMES = sorted(key for key, game in GAMES.items() if game.info.hidden_information)
CHANNEL = 100_000_000_000_000_000
MATCHES_AT_MOST = {"abissal": 1, "ambagibus": 3, "saboteur": 1}
SOAK_MATCHES = int(os.environ.get("AMBIT_LEAK_MATCHES", "50"))


def flat(message: Message) -> tuple[Any, ...]:
    """Everything of a message that reaches Discord."""
    components = message.view.to_components() if message.view is not None else []
    files = [(file.filename, file.description, file.fp.read()) for file in message.pictures]
    return message.content, components, files, message.mentions.to_dict()


async def panel_pages(view: View, path: tuple[str, ...] = ()) -> AsyncIterator[tuple[Any, ...]]:
    """Every page of the panel that this person could come to."""
    place = position(view, path)
    assert place is not None
    for number in range(max(1, -(-len(place.entries) // panel.PAGE))):
        yield flat(await panel.page(view, path, number))
    for entry in place.entries:
        async for page in panel_pages(view, (*place.path, entry.value)):
            yield page


async def everything_sent(bot: Ambit, number: int, user: int | None) -> list[tuple[str, Any]]:
    """All that the channel and this person could be sent now."""
    public = await bot.host.view(number, None)
    over = public.match.status is Status.OVER
    post = await (boards.end_post if over else boards.board_post)(bot, public)
    sent: list[tuple[str, Any]] = [("post", flat(post)), ("board in words", pictures.in_words(public))]
    sent.append(("lobby", (lobby_post.message(public.match).content, lobby_picture.strip(public.match))))
    if user is None:
        return sent
    view = await bot.host.view(number, user)
    sent += [
        ("turn", (view.to_move, view.stage, view.outcome)),
        ("board", flat(await boards.now(view, "now"))),
        ("own board in words", pictures.in_words(view)),
        ("log", await words.what_happened(bot, view.match, user, since=max(0, view.ply - 3))),
        ("junk refused", [view.why(text) for text in ("drop NES", "B4", "1020@0,1", "rock@0,0", "pass")]),
        ("offers", [step_choices(view.moves, step.name) for step in view.match.info.steps]),
    ]
    if view.match.info.hands:
        sent += [
            ("hand", flat(await boards.my_hand(view))),
            ("hand by DM", flat(await boards.hand_dm(bot, view))),
            ("secrets by DM", flat(await boards.secrets_dm(bot, view))),
        ]
    if view.moves:
        sent += [("panel", page) async for page in panel_pages(view)]
    return sent


async def check_match(bot: Ambit, game: str, players: int, seed: int) -> int:
    """Play one random match and compare at every ply; how often the resampling changed the position."""
    rng = random.Random(seed)
    people = [Person(200_000_000_000_000_000 + index, name) for index, name in enumerate(NAMES[:players])]
    options = {option.name: option.values[seed % len(option.values)] for option in GAMES[game].info.options}
    match = await bot.host.open(NewMatch(game=game, options=options, channel_id=CHANNEL), people[0])
    for person in people[1:]:
        match = await bot.host.join(match.id, person)
    if match.status is Status.LOBBY:
        match = await bot.host.start(match.id, people[0].user_id)
    changed = 0
    while True:
        public = await bot.host.view(match.id, None)
        course = bot.host._courses[match.id]
        for seat in (None, *range(players)):
            user = None if seat is None else public.match.seats[seat].user_id
            true = await everything_sent(bot, match.id, user)
            other = course.state.resample_from_infostate(seat, random.Random(seed + public.ply))
            changed += str(other) != str(course.state)
            assert other.forced_action() == course.state.forced_action()
            bot.host._courses[match.id] = replace(course, state=other)
            imagined = await everything_sent(bot, match.id, user)
            bot.host._courses[match.id] = course
            for (what, one), (_, two) in zip(true, imagined, strict=True):
                assert one == two, f"{what} for seat {seat} at ply {public.ply} of {game} tells something hidden"
        if public.match.status is not Status.RUNNING:
            return changed
        mover = public.match.seats[public.to_move or 0]
        assert mover.user_id is not None
        view = await bot.host.view(match.id, mover.user_id)
        await bot.host.act(match.id, mover.user_id, rng.choice(view.moves).text)


async def run(tmp_path: Path, game: str, players: int, seed: int) -> None:
    bot = make_bot(tmp_path / "ambit.db", entropy=lambda count: random.Random(seed).randbytes(count))
    await bot.open()
    try:
        # A match that ends with the first card, as one of Ambagibus may, hides nothing and says nothing: then another.
        for other in range(MATCHES_AT_MOST[game]):
            if await check_match(bot, game, players, seed + other * SOAK_MATCHES):
                return
        pytest.fail("nothing was hidden in any of these matches")
    finally:
        await bot.database.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_p12_nothing_hidden_in_saboteur_is_told_to_anybody(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, "saboteur", 3, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SOAK_MATCHES))
@pytest.mark.parametrize("game", SECRET_GAMES)
async def test_p12_nothing_hidden_in_any_game_is_told_to_anybody(tmp_path: Path, game: str, seed: int) -> None:
    info = GAMES[game].info
    await run(tmp_path, game, info.min_players + seed % (info.max_players - info.min_players + 1), seed)
