"""``/puzzle``: the day's puzzle, and puzzles of every game. ``/operator puzzle``: those that people have reported.

Servers are told the day's puzzle, and later how it went. `matches/puzzles/posting.py` decides who is told what, and
when. Nobody at a table waits for that, so other requests go first.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import Final

import discord
from discord.utils import format_dt

from cogs import drawing
from cogs.client import Client
from cogs.commands.operator import check_owner
from cogs.commands.setting_pages import Choice, Kept, Setting
from cogs.commands.settings import NONE, channels_in
from cogs.commands.slash import Choices, Command, Option
from cogs.delivery.posting import put_off
from cogs.face import Face
from cogs.post import pictures
from cogs.press import places, rights
from cogs.press.reply import Message, Press, whisper
from cogs.process import faults
from cogs.process.faults import has_code
from cogs.process.pace import on_behalf
from cogs.puzzles import puzzle_pages, solving
from cogs.puzzles.puzzle_pages import SOLVER
from games import GAMES
from games.typed import fold
from matches.api import HostError, Kind, NotAllowed, NotFound, Person, PlayerSettings, Telling, UserId
from matches.engine.fair_queue import Rank
from matches.puzzles import CaseRow, Puzzles, calendar, kinds
from matches.puzzles.attempt import Attempt
from matches.puzzles.kinds import KINDS, fitting
from matches.puzzles.puzzle import Puzzle, Shelf
from matches.puzzles.standing import PuzzleWish
from matches.records.exercise_view import view
from render.grammar import listed
from render.illustrate import PEOPLE

log = logging.getLogger(__name__)


async def post(bot: Client, row: Telling) -> None:
    """Post the puzzle whose number is the row's ply, without a ping, unless that is out of date. Raises Undelivered."""
    guild_id, channel_id, number, host = row.guild_id, row.channel_id, int(row.ply), bot.host
    if guild_id is None or channel_id is None:
        return
    puzzles = host.part(Puzzles)
    puzzle = puzzles.day(number)
    wanted = await puzzles.posts.channel(guild_id)
    if puzzle is None or wanted != channel_id or host.now() >= calendar.closes_at(number):
        return
    sent = await _tried(bot, row, lambda: _sent(bot, row, puzzle))
    if sent is not None:
        await puzzles.posts.note_post(guild_id, number, sent.channel.id, sent.id)


async def _sent(bot: Client, row: Telling, puzzle: Puzzle) -> discord.Message:
    assert row.channel_id is not None
    channel = bot.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
    message = puzzle_pages.day_post(int(row.ply), puzzle)
    server = await bot.servers.described(row.guild_id)
    if server is None or server.may_attach(row.channel_id) is not False:
        message.pictures = [await _picture(puzzle)]
    try:
        return await channel.send(nonce=row.id, silent=True, **message.arguments(edit=False))
    except faults.FAILURES as error:
        if not message.pictures or not has_code(error, *faults.NO_PICTURES):
            raise
    message.pictures = []
    return await channel.send(nonce=row.id, silent=True, **message.arguments(edit=False))


async def end(bot: Client, row: Telling) -> None:
    """Say in the post how it went. Raises Undelivered."""
    if row.guild_id is None or row.channel_id is None or row.message_id is None:
        return
    result = await bot.host.part(Puzzles).posts.result(row.guild_id, int(row.ply))
    if result is None:
        return
    channel = bot.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
    post, message = channel.get_partial_message(row.message_id), puzzle_pages.day_over(result)
    await _tried(bot, row, lambda: post.edit(**message.arguments(edit=True)))


async def _tried(bot: Client, row: Telling, ask: Callable[[], Awaitable[discord.Message]]) -> discord.Message | None:
    """Send a request, ranked below those of tables; ``None`` if no retry can succeed. Raises Undelivered."""
    on_behalf(row.guild_id, Rank.WATCHED)
    try:
        return await ask()
    except faults.FAILURES as error:
        put_off(error, for_long=True)
        log.info("server %s: %s %d is dropped: %s", row.guild_id, row.kind, row.ply, error)
        if has_code(error, faults.UNKNOWN_CHANNEL) and row.channel_id is not None and row.guild_id is not None:
            await bot.host.part(Puzzles).posts.lose_channel(row.guild_id, row.channel_id)
        return None


async def _picture(puzzle: Puzzle) -> discord.File:
    """The position as everybody may see it. It is drawn once for all servers."""
    seen = view(Attempt.begin(puzzle), Person(UserId(0), SOLVER), PEOPLE, PlayerSettings())
    with drawing.in_background():
        drawing.share_pictures()
        return await pictures.position(seen.match, puzzle.start.observation(None))


# Where a server wants the posts.


def _read(text: str) -> int | None:
    """The one channel that a text names; ``None`` for none. Raises NotAllowed."""
    found = channels_in(text)
    if text.strip().casefold() == NONE:
        return None
    if len(found) != 1:
        raise NotAllowed("I couldn't tell which channel you mean: mention one like #games, or write “none”.")
    return found[0]


async def _keep(press: Press, word: str | None) -> Kept:
    """Store the channel that a word names, if it can be used. Raises NotAllowed."""
    posts, guild = press.host.part(Puzzles).posts, rights.server(press)
    channel = await posts.channel(guild)
    wanted = channel if word is None else _read(word)
    if wanted not in (None, channel):
        server = await press.bot.servers.described(guild)
        if server is None or not server.has_channel(wanted):
            raise NotAllowed("I can't write in that channel. Pick one of this server's text channels.")
        if why := await places.closed(press.bot, guild, wanted):
            raise NotAllowed(f"I can't write in that channel: {why}.")
    if word is not None:
        await posts.set_channel(guild, wanted)
    return Kept(wanted, "" if wanted is None else f"in <#{wanted}>, one a day, without a ping")


SETTING: Final = Setting(
    "The day's puzzle",
    "The day's puzzle is posted {}",
    "",
    (Choice(NONE, "Nowhere", None, "nowhere", "`/puzzle` shows it to whoever asks"),),
    "Where I post the day's puzzle, without a ping: mention a channel, or write “none”.",
    _read,
    channels=1,
    keep=_keep,
)


async def _puzzle(press: Press, game: str | None, shelf: str | None, kind: str | None) -> None:
    """Show the day's puzzle, or another one. Raises NotFound."""
    among: Collection[str] = GAMES
    if game == KNOWN:
        game, among = None, await press.host.known_games(press.person)
        if not among:
            raise NotFound(puzzle_pages.NO_GAME)
    await solving.open_any(press, _wish(game, None if shelf is None else Shelf(shelf), kind), among)


def _wish(game: str | None, shelf: Shelf | None, kind: str | None) -> PuzzleWish:
    """What somebody asks for. Raises NotFound with what to do instead, if no puzzle is like that."""
    offered = fitting(game, shelf)
    if game is not None and not offered:
        others = listed(sorted({each.shelf for each in fitting(game).values()}))
        raise NotFound(f"All puzzles of {_name(game)} are {others}. Leave out `shelf`.")
    if kind is None:
        return PuzzleWish(game, shelf)
    names = listed([f"“{_label(each, game)}”" for each in offered.values()], "or")
    likely = [each for each, _ in _matching(offered, game, kind)]
    key = next((each for each in (*offered, *KINDS) if _is_called(each, kind)), likely[0] if len(likely) == 1 else None)
    if key is None:
        raise NotFound(f"I don't know that kind of puzzle. Pick {names}.")
    meant = KINDS[key]
    if game is not None and game != meant.game:
        wrong = f"“{meant.title}” puzzles are of {_name(meant.game)}, not of {_name(game)}."
        raise NotFound(f"{wrong} Leave out `game`, or pick {names}.")
    if shelf not in (None, meant.shelf):
        raise NotFound(f"“{meant.title}” puzzles are all {meant.shelf}. Leave out `shelf`, or pick {names}.")
    return PuzzleWish.of_kind(key)


def _name(game: str) -> str:
    return GAMES[game].info.name


def _label(kind: kinds.Kind, game: str | None) -> str:
    """The name of a kind; with its game if none was picked."""
    return kind.title if game is not None else f"{kind.title} ({_name(kind.game)})"


def _is_called(key: str, written: str) -> bool:
    """Whether somebody who wrote this means that kind."""
    kind, meant = KINDS[key], fold(written).rstrip("?")
    return meant == key or meant in (fold(label).rstrip("?") for label in (kind.title, _label(kind, None)))


async def _offer_kinds(press: Press, current: str) -> Choices:
    """The kinds that fit the game and the shelf that were picked before."""
    given = vars(press.interaction.namespace)
    game, shelf = given.get("game"), given.get("shelf")
    game = None if game == KNOWN else game
    offered = fitting(game, Shelf(shelf) if shelf in list(Shelf) else None)
    return [(label, key) for key, label in _matching(offered, game, current)]


def _matching(offered: Mapping[str, kinds.Kind], game: str | None, typed: str) -> list[tuple[str, str]]:
    """The kinds whose labels have what was typed in them, with these labels."""
    labels = {key: _label(kind, game) for key, kind in offered.items()}
    return [(key, label) for key, label in labels.items() if fold(typed) in fold(label)]


KNOWN: Final = "known"

PUZZLE: Final = Command(
    "puzzle",
    "The day's puzzle, or another one, just for you.",
    _puzzle,
    {
        "game": Option(
            str,
            "Which game.",
            choices=[*((game.info.name, key) for key, game in GAMES.items()), ("Only games I know", KNOWN)],
        ),
        "shelf": Option(
            str,
            "How sure the answer is.",
            choices=[
                ("Proven: exact, every possibility tried", Shelf.PROVEN),
                ("Judged: what a long think found, without a proof", Shelf.JUDGED),
            ],
        ),
        "kind": Option(str, "What to find.", _offer_kinds),
    },
)


# What the operator decides about reported puzzles.

REPORTED: Final = 5
"""How many reported puzzles the status shows."""

DECISIONS: Final = {"keep": "stays: everybody can get it", "withdraw": "is withdrawn, a day's puzzle once it's over"}


async def _decide(press: Press, key: str, decision: str) -> None:
    """Keep a reported puzzle, also if it's withdrawn already, or withdraw it."""
    await check_owner(press)
    await press.host.part(Puzzles).decide(key.strip(), keep=decision == "keep")
    await whisper(press, Message(f"Puzzle {key.strip()} {DECISIONS[decision]}."))


async def reported(press: Press) -> list[str]:
    """Puzzles that people said are wrong, the latest first."""
    with suppress(HostError):
        cases = await press.host.part(Puzzles).cases(REPORTED)
        return [f"Puzzle {key} was reported {format_dt(case.reported_at, 'R')}: {_came(case)}" for key, case in cases]
    return []


def _came(case: CaseRow) -> str:
    """What came of the reports of a puzzle."""
    if case.kept_at is not None:
        return "it stays, as you've decided"
    if case.fault is not None:
        return f"withdrawn, since its proof has a fault: {case.fault[:200]}"
    if case.withdrawn_at is not None:
        return "withdrawn, since enough people said so"
    if case.enough_at is not None:
        return "**enough people say that it's wrong.** Withdraw or keep it with `/operator puzzle`"
    return "it's being checked" if case.checked_at is None else "it stays"


DECIDE: Final = Command(
    "puzzle",
    "Keep a puzzle that people have reported, also if it's withdrawn already, or withdraw it",
    _decide,
    {
        "key": Option(str, "The puzzle's key, as in `/operator status`", required=True),
        "decision": Option(str, "What becomes of it", choices=[(each, each) for each in DECISIONS], required=True),
    },
)


FACE: Final = Face(
    verbs=solving.HANDLERS,
    commands=(PUZZLE,),
    help={"ranks": "• `/puzzle` has a puzzle of the day, and more of every game."},
    to_servers={Kind.PUZZLE: post, Kind.PUZZLE_OVER: end},
    of_servers={"puzzles": SETTING},
    for_operator=(DECIDE,),
    reports=(reported,),
)
