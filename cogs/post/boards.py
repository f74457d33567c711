"""Makes the messages of a match: posts of turns and of the end, and the private ones (P4, P9, P11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Final, NamedTuple

import discord

from cogs.client import Client
from cogs.post import pictures
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names, suspicions, words
from cogs.text.words import MORE
from matches.api import Ended, Frozen, Match, Moment, Ping, Ply, Pruned, Seat, Shown, Status, UserId, View
from matches.records.seen import Offer, in_force
from matches.table.feature import first
from render import RENDERERS

CHECKING: Final = {"rules": "Rules", "fair": "Fair deal"}
"""What everybody finds behind **⋯**, before, during and after a match."""

_LOOKING: Final = {"details": "Details", "log": "Log", "inwords": "Board as text", "replay": "Replay"}

MOST_LINES: Final = 3
"""The most lines of what happened above the picture of the end."""

FEW: Final = 4
"""The post of the end tells ratings if there are at most this many seats. With more they're behind **Details**."""


class Outcome(NamedTuple):
    """What a match has meant for its people besides its result, as a feature tells it.

    `say` makes the words, with names of at most so many characters; ``None``: with mentions. They name these `people`.
    """

    say: Callable[[int | None], str] = lambda longest: ""
    people: frozenset[UserId] = frozenset()


class Board(NamedTuple):
    """The public post of a turn, and whether it shows a big moment.

    `beside_call`: the text of the post if a separate message calls the player. `turn`: its sentence about the turn.
    `posted`: the text of the post if it isn't edited into another one; it has what the bot's operator announces.
    """

    message: Message
    is_moment: bool
    beside_call: str
    turn: str
    posted: str


async def board_post(bot: Client, view: View, *, rings: bool, given_back: bool = False, notice: str = "") -> Board:
    """Return the public post of a turn: what happened since the last one, whose turn it is, the board, the buttons.

    It mentions the player whose turn it is. With `rings` it pings that player, and never anybody else (P26).
    `given_back`: nobody could press for a while, and the post says so. `notice`: what the bot's operator announces.
    """
    match = view.match
    # The end of a round has a post of its own, so the next board begins after it. An edited board keeps its lines.
    earliest = view.round_ply if match.one_board and not match.of_computers else None
    since = max(match.board_ply, view.round_ply)
    happened, marks, caption = await words.since_the_post(bot, match, since, earliest=earliest)
    why = pictures.renderer(view).why_again(view.observation, names.people(match)) if happened else ""
    happened = f"{happened} {why}".rstrip()
    turn = words.whose_turn(view, ping=True)
    if turn:
        turn = f"{turn} {words.play_by(match)}".rstrip() + (f"\n{words.GIVEN_BACK}" if given_back else "")
    suspected = suspicions.now(match, view.observation)
    announced = f"> The people who run me say: {notice}" if notice else ""
    content, beside_call, posted = (
        words.fitted(head, happened, f"{sentence}\n{suspected}".strip())
        for head, sentence in (("", turn), ("", words.whose_turn(view, ping=False)), (announced, turn))
    )
    mentions = mover_only(match) if rings else discord.AllowedMentions.none()
    board = await pictures.board(view, marks, caption)
    message = Message(content, [board], board_buttons(view), mentions, in_words=pictures.in_words(view))
    return Board(message, caption is not None, beside_call, turn, posted)


async def old_board(bot: Client, match: Match, message_id: int, ply: Ply, channel_id: int) -> str:
    """Return the text of an old board. It says what became of the turn that began at this ply.

    What was posted is kept beside that, as long as this process remembers it.
    """
    posted, turn = bot.boards_posted.get(message_id, ("", ""))
    became = await _what_became(bot, match, ply, channel_id)
    text = posted.replace(turn, became) if turn and turn in posted else became
    return text if len(text) <= words.MAX_CONTENT else posted.replace(turn, "")


async def _what_became(bot: Client, match: Match, ply: Ply, channel_id: int) -> str:
    """Return what became of a turn that began at this ply, as everybody may know it, in small print."""
    if match.status is Status.RUNNING and channel_id != match.place_id:
        return f"-# The match goes on in <#{match.place_id}>."
    told = ""
    with suppress(Frozen, Pruned):
        until = match.board_ply if match.board_ply > ply else None
        lines = await bot.host.look.history(match, None, ply, until)
        own = list(takewhile(lambda line: line.player == lines[0].player, lines))[:MOST_LINES]
        told = words.lines_in_words(match, own)
    if told:
        return f"-# Then: {told}".replace("\n", "\n-# ")
    if match.status is not Status.RUNNING:
        return f"-# {words.how_it_ended(match)}"
    return (
        "" if match.board_message_id is None else f"-# {words.link_to(match, match.board_message_id, 'Newest board')}"
    )


async def round_post(match: Match, moment: Moment) -> Message:
    """Return the post of a round's end, before the next deal: who won, what was hidden, the points (P11).

    It is made from what everybody sees at that moment.
    """
    lines = tuple(line for line in moment.lines if line.ply >= match.board_ply or line is moment.lines[-1])
    happened = words.lines_in_words(match, lines)

    course = in_force((*moment.before, *moment.lines))
    suspected = suspicions.unmasking(match, course)

    def result(longest: int) -> str:
        return RENDERERS[match.game].round_text(moment.observation, names.people(match, longest))

    def with_talk(longest: int) -> str:
        return f"{result(longest)}\n{suspected(longest)}".rstrip()

    heading = words.title(match)
    content = words.fitted(heading, happened, _first(words.MAX_CONTENT - len(heading) - 2, with_talk, result))
    in_words = pictures.position_in_words(match, moment.observation)
    picture = await pictures.told_round(match, words.story(match, course)._replace(end=None))
    return Message(content, [picture], in_words=in_words)


def _first(room: int, *makes: Callable[[int], str]) -> str:
    """Return the first of these texts that fits, with names as long as possible, or the last one."""
    text = ""
    for make in makes:
        text = names.fitting(room, make)
        if len(text) <= room:
            break
    return text


async def end_post(bot: Client, view: View) -> Message:
    """Return the post of the end: who won, its picture, a rematch (P11).

    Picture and buttons fit a phone's first screen, so the lists are behind **Details**. The text for places without
    pictures has the lists.
    """
    match = view.match
    happened, *_ = await words.since_the_post(bot, match, match.board_ply)
    course = await bot.host.look.course(match.id)
    foremost = suspicions.foremost(match, course)
    lines = happened.split("\n")[-MOST_LINES + bool(foremost) :]
    if match.ended_by is not Ended.RULES:
        # The headline says how it ended, so the last line goes. If it was called off, the headline says everything.
        lines = [] if match.ended_by is Ended.ABORTED else lines[:-1]
    whole = await outcome(bot, match)
    few = whole if len(match.seats) <= FEW else await outcome(bot, match, briefly=True)
    after = f"{foremost}\n{_who_played(match, few)}".strip()
    content = words.fitted(
        f"{words.title(match)}\n## {words.headline(match, view.observation, names.people(match))}",
        "\n".join(lines),
        after,
    )
    told = details(view, whole, course)
    items = [_again(bot, match), *afterwards(bot, match, first=True), components.button(Ref("more", match.id), MORE)]
    picture, in_words = await pictures.end(view, course), pictures.in_words(view)
    room = words.MAX_CONTENT - len(content) - len(in_words) - 2
    in_words = f"{told}\n{in_words}" if told and len(told) <= room else in_words
    return Message(content, [picture], components.view(*items), in_words=in_words)


def _again(bot: Client, match: Match) -> components.Item:
    """Return the first button under the end. Features may offer something instead of a rematch."""
    again = first(feature.again(match) for feature in bot.host.work.features) or Offer("rematch", "Rematch")
    return components.button(Ref(again.verb, match.id, again.ply), again.label, components.Style.primary)


def after_end(bot: Client, match: Match) -> list[components.Item]:
    """Return what is behind **⋯** when a match is over."""
    return [*_to_press(match, _LOOKING | {"animation": "Animation"} | CHECKING), *afterwards(bot, match, first=False)]


async def outcome(bot: Client, match: Match, *, briefly: bool = False) -> Outcome:
    """Return what a feature tells of the outcome of a match that is over; `briefly` without a list of its people."""
    return next(filter(None, [await face.outcome(bot, match, briefly) for face in bot.faces]), Outcome())


def details(view: View, meant: Outcome, course: Sequence[Shown]) -> str:
    """Return the lists of a match that is over: standings, rounds, what was hidden, suspicions, outcome, who played.

    `course` are its lines in force, as a spectator sees them; they are only needed if somebody was suspected.
    """
    match, renderer = view.match, pictures.renderer(view)
    room = words.MAX_CONTENT - len(words.title(match)) - 1

    suspected = suspicions.unmasking(match, course)

    def ending(longest: int, *, mentioned: bool = False, talk: bool = False) -> str:
        by_rules = match.ended_by is Ended.RULES
        result = renderer.end_text(view.observation, names.people(match, longest)) if by_rules else ""
        said = [suspected(longest), suspicions.counts(match, view.observation, longest)] if talk else []
        told = meant.say(None if mentioned else longest)
        played = mentions_of(*(seat for seat in match.seats if seat.user_id is not None))
        levels = ", ".join(
            f"{names.person_at(seat, longest)} ({seat.computer})" for seat in match.seats if seat.computer
        )
        parts = (result, *said, told, played and f"Played by {played}", levels and f"Computers: {levels}")
        return "\n".join(filter(None, parts))

    return _first(room, partial(ending, talk=True), ending, partial(ending, mentioned=True))


def _who_played(match: Match, meant: Outcome) -> str:
    """Return what the match meant for its people, and who else played, by mentions."""
    others = mentions_of(*(seat for seat in match.seats if seat.user_id not in (None, *meant.people)))
    return "\n".join(part for part in (meant.say(None), others and f"Played by {others}") if part)


async def now(bot: Client, view: View, sentence: str) -> Message:
    """Return the current board for one person, under a sentence, with **Play** if it is their turn.

    If the match is over, the picture is that of its end.
    """
    if view.match.status is Status.OVER:
        picture = await pictures.end(view, await bot.host.look.course(view.match.id))
    else:
        picture = await pictures.board(view)
    sentence = f"{sentence}\n{suspicions.now(view.match, view.observation)}".strip()
    return Message(f"{words.title(view.match)}\n{sentence}", [picture], private_buttons(view))


async def my_hand(view: View) -> Message:
    """Return the viewer's own cards and secrets as they are now, in pictures and words (P9)."""
    return _private(view, words.title(view.match), await pictures.role(view), await pictures.hand(view))


async def hand_dm(view: View, *, reminds: bool = False) -> Message:
    """Return the DM to the player whose turn it is: hand or board, and **Play**. Its first line has no secret (P27).

    `reminds`: it says that the table is waiting.
    """
    match = view.match
    sentence = "the table is waiting for you" if reminds else "it's your turn"
    first_line = f"{opening(match)} {sentence}. {words.play_by(match)}".rstrip()
    if match.info.hands:
        return _private(view, first_line, await pictures.hand(view))
    return Message(first_line, [await pictures.board(view)], private_buttons(view))


async def idle_dm(view: View) -> Message:
    """Return the DM to a player after their turn, or after the end. It asks for nothing."""
    match = view.match
    if match.status is not Status.RUNNING:
        return Message(f"{opening(match)} {words.headline(match, view.observation, names.people(match))}")
    own = next((seat for seat in match.seats if seat.seat == view.seat), None)
    if own is not None and own.computer is not None:
        return replace(computer_plays_for_you(view), content=f"{opening(match)} a computer is playing your seat.")
    turn = words.whose_turn(view, ping=False)
    first_line = f"{opening(match)} {turn[:1].lower()}{turn[1:]}"
    if match.info.hands:
        return _private(view, first_line, await pictures.hand(view))
    return Message(first_line, view=private_buttons(view))


def stopped_dm(match: Match) -> Message:
    """Return the DM to a player of a match that is frozen."""
    return Message(f"{opening(match)} {words.how_it_ended(match)}")


def opening(match: Match) -> str:
    """Return how a DM about a match begins."""
    return f"{words.title(match)} ({words.link(match)}):"


async def secrets_dm(view: View) -> Message:
    """Return the DM with what a deal gave to one person: role and hand, in pictures and words (P3)."""
    turn = f" It's your turn. {words.play_by(view.match)}".rstrip() if view.match.to_move == view.seat else ""
    first_line = f"{opening(view.match)} the cards have been dealt.{turn}"
    return _private(view, first_line, await pictures.role(view), await pictures.hand(view))


def _private(view: View, first_line: str, *files: discord.File | None) -> Message:
    """Return a private message: these pictures, and the viewer's secrets in words. The first line has no secret."""
    content = f"{first_line}\n{pictures.secret_words(view)}"
    return Message(content, [file for file in files if file is not None], private_buttons(view))


def call(match: Match, seat: Seat, board: int | None = None, *, pings: bool = True) -> Message:
    """Return a ping to the player whose turn it is, with a link to the `board` if it stands further up.

    The board has **Play**. The call has it, too: the board may be far above, and a notification opens the call. But
    only one **Play** of a match is green. Without `pings` it looks the same, but Discord notifies nobody.
    """
    mentions = ringing(seat) if pings else discord.AllowedMentions.none()
    sentence = f"{words.title(match)}: <@{seat.user_id}>, it's your turn."
    if board is None:
        return Message(sentence, [], _play(match), mentions)
    sentence = f"{sentence} {words.link_to(match, board, 'Go to the board')}. {words.play_by(match)}".rstrip()
    return Message(sentence, [], _play(match, components.Style.secondary), mentions)


def reminder(match: Match, seat: Seat) -> Message:
    """Return a reminder to the player whose turn it is."""
    sentence = f"{words.title(match)}: <@{seat.user_id}>, the table is waiting for you."
    sentence = f"{sentence} {words.play_by(match)}".rstrip()
    mentions = ringing(seat) if seat.rings_in_place else discord.AllowedMentions.none()
    return Message(sentence, [], _play(match), mentions)


def lost(match: Match) -> Message:
    """Return the DM that the place of the match is gone or closed to the bot (P17)."""
    return Message(
        f"{words.title(match)}: I can't post in <#{match.place_id}> any more{words.because(match)}. "
        f"Use `/match match:{match.id}` in another channel of the server: **Move here** reposts everything there."
    )


def in_other_words(match: Match, message: Message) -> Message:
    """Return a message that AutoMod has blocked, without what people wrote, such as their names. It rings the same."""
    rung = "".join(f"<@{each}> " for each in message.mentions.to_dict().get("users", ()))
    mover = match.mover
    turn = "" if mover is None or mover.user_id is None else f" It's <@{mover.user_id}>'s turn."
    sentence = f"AutoMod on this server doesn't let me say more here; `/match` has the log.{turn}"
    return replace(message, content=f"{rung}{words.title(match)}: {sentence}", in_words=None)


def near(match: Match, who: Sequence[str]) -> Message:
    """Return the DM to a person that these people, whom they keep away from, have joined their table."""
    names = " and ".join(who)
    return Message(
        f"{words.title(match)} ({words.link(match)}): {names}, on your list (`/settings me`), joined your table. "
        f"You can leave before it starts: `/match match:{match.id}`. A match of two you can also call off before "
        "your own first move, once a day. Nobody is told about your list."
    )


def _play(match: Match, style: components.Style = components.Style.success) -> discord.ui.View:
    return components.view(components.button(Ref("play", match.id, match.ply), "Play", style))


def mentions_of(*seats: Seat) -> str:
    """Return mentions of these people, as text."""
    return " ".join(f"<@{seat.user_id}>" for seat in seats)


def ringing(*seats: Seat) -> discord.AllowedMentions:
    """Return mentions that ping these people, except those who want no pings."""
    wanting = [seat.user_id for seat in seats if seat.user_id is not None and seat.settings.ping is not Ping.NONE]
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in wanting])


def computer_plays_for_you(view: View) -> Message:
    """Return the message to a person whose seat a computer plays."""
    back = components.button(Ref("return", view.match.id), "Take my seat back", components.Style.success)
    return Message("A computer is playing your seat right now.", view=components.view(back))


def board_buttons(view: View) -> discord.ui.View:
    """Return the buttons under a public board. Where computers play alone, there is no **Play** and no **My hand**."""
    more = {"more": MORE}
    if view.match.of_computers:
        return components.view(*_to_press(view.match, more))
    urgent = [components.button(Ref(each.verb, view.match.id), each.label) for each in view.on_board if each.row == 0]
    return components.view(_to_play(view), *urgent, *_looking(view.match, more))


def old_board_buttons(match: Match) -> discord.ui.View:
    """Return the buttons under a board after the next one was posted: those that always work."""
    return components.view(*_looking(match, {"more": MORE}))


def private_buttons(view: View) -> discord.ui.View | None:
    """Return the buttons under a private board or hand, ``None`` for spectators and after the end."""
    if view.match.status is not Status.RUNNING or view.seat is None:
        return None
    play = [_to_play(view)] if view.match.to_move == view.seat else []
    return components.view(*play, *offered(view), *_looking(view.match, {"board": "Board"}))


def offered(view: View, row: int | None = None) -> list[components.Item]:
    """Return the buttons of what features offer to the viewer. They are only in private messages."""
    offers = (*view.offers, *(view.on_board if view.seat is not None else ()))
    return [components.button(Ref(each.verb, view.match.id), each.label, row=row) for each in offers]


def afterwards(bot: Client, match: Match, *, first: bool | None = None) -> list[components.Item]:
    """Return the buttons of what features offer when a match is over, or too few people came to a table.

    `first`: only those under the end itself, or only those behind **⋯**.
    """
    return [
        components.button(Ref(each.verb, match.id), each.label)
        for feature in bot.host.work.features
        for each in feature.afterwards(match)
        if first in (None, each.row == 0)
    ]


def of_game(
    bot: Client, game: str, style: components.Style = components.Style.secondary, row: int | None = None
) -> list[components.Item]:
    """Return the buttons of what features offer to whoever wants to know a game."""
    offers = (offer for feature in bot.host.work.features for offer in feature.of_game)
    return [components.button(Ref(each.verb, None, None, (game,)), each.label, style, row=row) for each in offers]


def _to_play(view: View) -> components.Item:
    return components.button(Ref("play", view.match.id, view.ply), "Play", components.Style.success)


def _looking(match: Match, offered: Mapping[str, str]) -> list[components.Item]:
    """Return **My hand**, in a game with hands, and a button for each of these verbs and labels."""
    return _to_press(match, {"hand": "My hand", **offered} if match.info.hands else offered)


def _to_press(match: Match, offered: Mapping[str, str]) -> list[components.Item]:
    """Return a button for each of these verbs and labels."""
    return [components.button(Ref(verb, match.id), label) for verb, label in offered.items()]


def mover_only(match: Match) -> discord.AllowedMentions:
    """Return mentions that ping only the player whose turn it is, and only if they want pings here (P26)."""
    mover = match.mover
    if mover is None or not (mover.present and mover.rings_in_place):
        return discord.AllowedMentions.none()
    return ringing(mover)
