"""Everything that the bot would send about a match now, made by the bot's own functions.

Left out is what depends only on the match's row, which holds nothing secret while it runs: reminders, votes, pings, who
is away, the menus behind **More** and before leaving. So is what is sent only after the end, when nothing is hidden:
the final board, animations, the proof of the deals. So are ratings, which depend on results alone.
"""

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

import discord

from bot import Ambit
from cogs import game_cog, orders, suspicions
from cogs.lobby import lobby_picture, lobby_post
from cogs.look import highlights, match_page, private, replay, showing
from cogs.orders import order_pages
from cogs.play import panel, panel_pages
from cogs.play.panel_steps import position, typed
from cogs.post import boards, pictures, vote_posts
from cogs.press import components
from cogs.press.reply import Message, Press
from cogs.text import words
from games.typed import recased
from matches.api import Details, Host, Match, MatchId, Ply, Refused, UserId, View, WrongTime
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.computers.thinking import Question, weighed
from matches.delivery.computer_turns import imagined
from matches.orders import Order, OrderKind, Orders
from matches.orders.asking import hint_asks
from tests.cogs.album import Album
from tests.matches.tables import why

Sent = list[tuple[str, Any]]
"""What is sent, with a name for each part. Two such lists should be equal entry by entry."""

NOW: Final = datetime(2030, 1, 1, tzinfo=UTC)

JUNK: Final = ("drop NES", "B4", "1020@0,1", "rock@0,0", "pass", "take 1", "nonsense")
LINES_AFTER_ROUND: Final = 3
"""The number of lines after the end of a round in which its post is looked at."""

STEPS_BACK: Final = 2
"""How many pages of a replay are looked at, besides the latest."""


class Circumstances(NamedTuple):
    """What the bot is asked at a ply.

    `typed` are texts that somebody tries. `back`: people look back. The last mover, at ply `since`, was `mover_before`.
    """

    channel: int
    since: int
    mover_before: int | None
    typed: Sequence[str]
    back: bool
    seed: int


def asking(bot: Ambit, user: int, channel: int, **filled: Any) -> Press:
    """A press with the parts of an interaction that the answers use."""
    person, namespace = discord.Object(user), SimpleNamespace(**filled)
    return Press(cast(Any, SimpleNamespace(client=bot, user=person, channel_id=channel, namespace=namespace)))


def flat(message: Message, album: Album) -> tuple[Any, ...]:
    """Everything of a message that reaches Discord."""
    files = [(file.filename, file.description, album.leaf(file.fp.read())) for file in message.pictures]
    return message.content, _components(message.view), files, message.mentions.to_dict()


async def to_everybody(bot: Ambit, number: MatchId, album: Album, *, back: bool = False) -> Sent:
    """What is posted in the channel; with `back` also what somebody posts there of a replay."""
    view = await bot.host.look.view(number, None)
    lobby = await lobby_post.message(bot, view.match)
    return [
        ("post", flat((await boards.board_post(bot, view, rings=True)).message, album)),
        ("edited", flat(await _edited(bot, view), album)),
        ("board in words", pictures.in_words(view)),
        ("old board", await boards.old_board(bot, view.match, 0, Ply(view.match.board_ply), view.match.place_id)),
        ("lobby", (lobby.content, lobby_picture.strip(view.match))),
        ("turn", (view.match.to_move, view.stage, view.outcome)),
        ("new buttons", boards.board_buttons(view).to_components()),
        ("may be taken back", await bot.host.votes.may_undo(view.match)),
        *_questions(view.match, album),
        *[each async for each in _round_over(bot, view, album)],
        *([each async for each in _posted_by_the_mover(bot, view, album)] if back else []),
    ]


async def _round_over(bot: Ambit, view: View, album: Album) -> AsyncIterator[tuple[str, Any]]:
    """The post of a round that has just ended. It is made from all lines so far."""
    if view.round_ply and view.ply - view.round_ply < LINES_AFTER_ROUND:
        moment = await bot.host.look.round_end(view.match.id, view.ply)
        assert moment is not None
        yield "round", flat(await boards.round_post(view.match, moment), album)


async def _edited(bot: Ambit, view: View) -> Message:
    """The board on a server where one is edited: its text, with what happened before. Its picture is the same."""
    edited = replace(view, match=replace(view.match, one_board=True))
    board = await boards.board_post(bot, edited, rings=False)
    return replace(board.message, content=f"{board.message.content}\n{board.beside_call}", pictures=[])


def _questions(match: Match, album: Album) -> Sent:
    """What the table or a person may be told besides the board, in the same turn."""
    sent: Sent = [
        ("place lost", flat(boards.lost(match), album)),
        ("in other words", flat(boards.in_other_words(match, boards.lost(match)), album)),
        ("undo", flat(vote_posts.undo_post(match, NOW), album)),
    ]
    if (mover := match.mover) is not None:
        sent += [
            ("call", flat(boards.call(match, mover, match.id), album)),
            ("reminder", flat(boards.reminder(match, mover), album)),
            ("vote", flat(vote_posts.vote_post(match, Details(created_at=NOW, asked=1), mover), album)),
        ]
    return sent


async def _posted_by_the_mover(bot: Ambit, view: View, album: Album) -> AsyncIterator[tuple[str, Any]]:
    """What the person whose turn it is, who knows most, posts for all to see."""
    if (mover := view.match.mover) is not None and mover.user_id is not None:
        press = asking(bot, mover.user_id, view.match.channel_id)
        yield "posted for all", flat(await showing.step(press, view.match.id, view.ply), album)
        try:
            yield "big moments", flat(await highlights.page(press, view.match), album)
        except WrongTime as error:
            yield "big moments", str(error)


async def to_one(bot: Ambit, number: MatchId, user: UserId, album: Album, now: Circumstances) -> Sent:
    """What one person is told in private, if they ask for everything."""
    view = await bot.host.look.view(number, user)
    press = asking(bot, user, now.channel)
    sent: Sent = [
        ("turn in private", (view.match.to_move, view.stage, view.outcome)),
        ("own board", flat(await boards.now(bot, view, words.whose_turn(view, ping=False)), album)),
        ("own board in words", pictures.in_words(view)),
        ("log", await words.what_happened(bot, view.match, user, since=max(0, view.ply - 3))),
        ("new buttons in private", _components(boards.private_buttons(view))),
        ("page of the match", components.view(*await match_page.playing(press, view)).to_components()),
        ("refusals", [why(view, text) for text in (*JUNK, *now.typed)]),
        ("readings", [_reading(view, text) for text in (*JUNK, *now.typed)]),
    ]
    if view.seat is not None and view.match.info.hands:
        sent += [
            ("hand", flat(await boards.my_hand(view), album)),
            ("hand by DM", flat(await boards.hand_dm(view), album)),
            ("secrets by DM", flat(await boards.secrets_dm(view), album)),
            ("reminder by DM", flat(await boards.hand_dm(view, reminds=True), album)),
            ("DM after a turn", flat(await boards.idle_dm(view), album)),
        ]
    if view.seat is not None and view.observation.roles_hidden:
        sent.append(("suspects", flat(suspicions.buttons(view), album)))
    if user == now.mover_before:
        sent.append(("answer to a move", flat(await panel._after(press, view.match, now.since), album)))
    if view.offers:
        sent += [("in advance", each) async for each in _in_advance(bot, view, user, album, now)]
    if view.moves:
        sent += [("panel", each) async for each in _panel_pages(bot.host, view, album)]
        sent += [("as read", each) async for each in _as_read(bot.host, view, album, now)]
        sent += [("offers", each) async for each in _offers(bot, view, user, now)]
        sent.append(("told to computers", await _hint_asks(bot, number)))
    if now.back:
        sent += [each async for each in _looking_back(bot, number, user, album, now)]
    return sent


async def _in_advance(
    bot: Ambit, view: View, user: UserId, album: Album, now: Circumstances
) -> AsyncIterator[tuple[Any, ...]]:
    """What this person could say in advance, some of it page by page, and the question to a computer about that."""
    host, rng = bot.host, random.Random(now.seed)
    prepared = await host.part(Orders).look(view.match.id, user)
    yield flat(await order_pages.overview(host, prepared), album)
    for stage, choosing in ((order_pages.IF, prepared.their_view), (order_pages.NEXT, prepared.next_view)):
        if choosing is None:
            continue
        yield tuple(move.text for move in choosing.moves)
        text = rng.choice(choosing.moves).text
        asked = [stage, *([order_pages.reply_to(text)] if stage == order_pages.IF else [])]
        for each in asked:
            yield flat(await order_pages.page(host, prepared, each), album)
            if each != order_pages.IF:
                yield await _hint_asks_ahead(bot, view, user, order_pages.theirs_in(each))
        if stage == order_pages.NEXT:
            said = Order(view.seat, 1, user, OrderKind.NEXT, None, text, (), (), "", view.ply, NOW)
            yield flat(await order_pages.order(host, prepared, said), album)
    happened = await words.what_happened(bot, view.match, user, since=max(0, view.ply - 1))
    yield flat(orders.message(view, happened), album)


def _components(view: discord.ui.View | None) -> list[dict[str, Any]]:
    return [] if view is None else view.to_components()


def _reading(view: View, text: str) -> str:
    """How a typed text is read, or why it isn't."""
    try:
        return view.parse(text)
    except Refused as error:
        return str(error)


async def _panel_pages(
    host: Host, view: View, album: Album, path: tuple[str, ...] = ()
) -> AsyncIterator[tuple[Any, ...]]:
    """Every page of the panel that this person could reach."""
    place = position(view, path)
    for number in range(max(1, -(-len(place.entries) // panel_pages.PAGE))):
        yield flat(await panel.page(host, view, path, number), album)
    for entry in place.entries:
        async for page in _panel_pages(host, view, album, entry.path):
            yield page
    for entry in place.turned:
        yield flat(await panel.page(host, view, entry.path, 0), album)


async def _as_read(host: Host, view: View, album: Album, now: Circumstances) -> AsyncIterator[Any]:
    """How moves are read that are typed in another form, and the panel that asks about one."""
    rng = random.Random(now.seed)
    text = rng.choice(view.moves).text
    for written in (*recased(text), f"`{text}`.", f"7 {text}", " ".join(text)):
        yield _reading(view, written)
    yield flat(await panel.as_read(host, view, text), album)
    told = imagined(*await host.work.snapshot(view.match.id, with_lines=Computers.remember))
    yield flat(await panel.suggested(host, view, weighed(Question(*told[:2], Level.EXPERT, told.seed), text)), album)
    for choice in rng.choice(view.moves).choices:
        for written in (choice.value.swapcase(), choice.value.capitalize(), choice.label.upper()):
            yield typed(view, written)


async def _offers(bot: Ambit, view: View, user: int, now: Circumstances) -> AsyncIterator[Any]:
    """What autocomplete offers, at first, after a word, and for a move in notation."""
    cog, press = game_cog(view.match.game), asking(bot, user, now.channel, match=view.match.id)
    move = random.Random(now.seed).choice(view.moves)
    for written in ("", move.choices[0].label if move.choices else "", move.text):
        yield list(await cog._offers(press, written))


async def _hint_asks(bot: Ambit, number: MatchId) -> Any:
    """What a hint asks a computer in place of the person whose turn it is. A hint depends on nothing else."""
    told = imagined(*await bot.host.work.snapshot(number, with_lines=Computers.remember))
    return str(told.position), told.lines, told.seed


async def _hint_asks_ahead(bot: Ambit, view: View, user: UserId, theirs: str | None) -> tuple[Any, ...]:
    """The question to a computer about a move in advance."""
    table, lines = await bot.host.work.snapshot(view.match.id, with_lines=Computers.remember)
    state, seen, seed = hint_asks(table, lines, user, view.ply, theirs)
    asked, (first, *_) = Question(state, tuple(seen), Level.EXPERT, seed), state.legal_actions(view.seat)
    return "hint ahead", str(state), seen, seed, weighed(asked, state.action_to_string(first))


async def _looking_back(
    bot: Ambit, number: MatchId, user: UserId, album: Album, now: Circumstances
) -> AsyncIterator[tuple[str, Any]]:
    """A page of the log, and some of the replay. The replay with nothing hidden is refused."""
    rng = random.Random(now.seed)
    match = await bot.host.look.match(number)
    yield "log page", flat(await private.log_page(asking(bot, user, now.channel), match, rng.choice((0, None))), album)
    seen = await bot.host.look.replay(number, user)
    for ply in (seen.plies[-1], *(rng.choice(seen.plies) for _ in range(STEPS_BACK))):
        yield "replay", flat(await replay.page(bot, seen, ply), album)
    try:
        await bot.host.look.replay(number, user, everything=True)
    except WrongTime as error:
        yield "replay of everything", str(error)
    else:
        raise AssertionError("what is hidden was shown before the end")
