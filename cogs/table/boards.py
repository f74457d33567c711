"""The messages that hold a board or a hand: the public post of a turn, the end, the private ones (P4, P9, P11)."""

from __future__ import annotations

import discord

from cogs.client import Client
from cogs.table import pictures, router, words
from cogs.table.ids import Ref
from cogs.table.reply import Message
from matches import Match, Status, View, Vote

_STYLE = discord.ButtonStyle


async def board_post(bot: Client, view: View) -> Message:
    """The public post of a turn: what happened since the last one, whose turn it is, the board, the buttons."""
    match = view.match
    happened = await words.what_happened(bot, match.id, None, since=match.board_ply)
    turn = words.whose_turn(view, ping=True)
    if match.turn_due is not None and turn:
        turn += f" ({discord.utils.format_dt(match.turn_due, 'R')})"
    content = words.fitted(words.title(match), happened, turn)
    return Message(content, [await pictures.board(view)], board_buttons(view), on_turn_only(match))


async def end_post(bot: Client, view: View) -> Message:
    """The final board: standings, what was hidden, the seed of the deals, and a rematch (P11)."""
    match = view.match
    happened = await words.what_happened(bot, match.id, None, since=match.board_ply)
    ending = words.how_it_ended(match)
    result = pictures.renderer(view).end_text(view.observation, match.people)
    seed = (
        f"-# Seed of the deals: `{match.seed.hex()}` (check it with `/match verify match:{match.id}`)"
        if match.seed
        else ""
    )
    content = words.fitted(words.title(match), happened, "\n".join(part for part in (ending, result, seed) if part))
    items = [
        router.button(Ref("rematch", match.id), "Rematch", _STYLE.primary),
        router.button(Ref("log", match.id), "Log"),
        router.button(Ref("replay", match.id), "Replay"),
        router.button(Ref("rules", match.id), "Rules"),
    ]
    return Message(content, [await pictures.board(view)], router.view(*items))


async def now(view: View, sentence: str) -> Message:
    """How the match stands, for one person, under a sentence; with **Play** where it is his turn."""
    return Message(f"{words.title(view.match)}\n{sentence}", [await pictures.board(view)], private_buttons(view))


async def my_hand(view: View, *, spoiler: bool = False) -> Message:
    """The viewer's own cards and secrets, fresh, in picture and words (P9)."""
    files = [await pictures.role(view), await pictures.hand(view, spoiler=spoiler)]
    return Message(
        f"{words.title(view.match)}\n{pictures.secret_words(view)}",
        [file for file in files if file is not None],
        private_buttons(view),
    )


async def hand_dm(bot: Client, view: View) -> Message:
    """The silent DM to the person on turn: the fresh hand and **Play**; its first line tells nothing secret (P27)."""
    file = await pictures.hand(view)
    content = f"{words.title(view.match)} ({words.link(view.match)}): it is your turn.\n||{pictures.hand_words(view)}||"
    return Message(content, [] if file is None else [file], private_buttons(view))


async def secrets_dm(bot: Client, view: View) -> Message:
    """What a deal has given to one person: role and hand, as pictures and in words (P3)."""
    files = [await pictures.role(view), await pictures.hand(view)]
    turn = " It is your turn." if view.to_move == view.seat else ""
    first_line = f"{words.title(view.match)} ({words.link(view.match)}): the cards are dealt.{turn}"
    content = f"{first_line}\n||{pictures.secret_words(view)}||"
    return Message(content, [file for file in files if file is not None], private_buttons(view))


def reminder(match: Match, seat: int | None) -> Message:
    """One ping to the person on turn."""
    person = next((each for each in match.seats if each.seat == seat and each.user_id is not None), None)
    if person is None:
        return Message(f"{words.title(match)} waits.")
    until = f" Time is up {discord.utils.format_dt(match.turn_due, 'R')}." if match.turn_due is not None else ""
    return Message(
        f"{words.title(match)}: <@{person.user_id}>, the table waits for you.{until}",
        view=router.view(router.button(Ref("play", match.id, match.ply), "Play", _STYLE.success)),
        mentions=discord.AllowedMentions(users=[discord.Object(person.user_id or 0)]),
    )


def vote_post(match: Match, seat: int | None) -> Message:
    """What the table is asked when somebody's time is up (P13)."""
    absent = next((each for each in match.seats if each.seat == seat), None)
    others = [each.user_id for each in match.seats if each.present and each.seat != seat and each.user_id is not None]
    name = words.name_of(absent) if absent is not None else "The player on turn"
    pings = " ".join(f"<@{user}>" for user in others)

    def press(vote: Vote, label: str) -> router.Press:
        return router.button(Ref("vote", match.id, match.ply, (vote.value,)), label)

    return Message(
        f"{words.title(match)}: {name} has let the time pass. {pings}\nWhat shall the table do?",
        view=router.view(
            press(Vote.WAIT, "Wait longer"), press(Vote.COMPUTER, "Computer plays on"), press(Vote.END, "End the match")
        ),
        mentions=discord.AllowedMentions(users=[discord.Object(user) for user in others]),
    )


def computer_plays_for_you(view: View) -> Message:
    """For a person whose seat the computer has taken over."""
    back = router.button(Ref("return", view.match.id), "Take my seat back", _STYLE.success)
    return Message("The computer plays your seat at present.", view=router.view(back))


def board_buttons(view: View) -> discord.ui.View:
    """The buttons under a public board."""
    match = view.match
    items = [router.button(Ref("play", match.id, view.ply), "Play", _STYLE.success)]
    if match.info.hands:
        items.append(router.button(Ref("hand", match.id), "My hand"))
    items.append(router.button(Ref("rules", match.id), "Rules"))
    items.append(router.button(Ref("more", match.id), "More"))
    return router.view(*items)


def private_buttons(view: View) -> discord.ui.View | None:
    """The buttons under a private board or hand."""
    match = view.match
    if match.status is not Status.RUNNING or view.seat is None:
        return None
    items = []
    if view.to_move == view.seat:
        items.append(router.button(Ref("play", match.id, view.ply), "Play", _STYLE.success))
    if match.info.hands:
        items.append(router.button(Ref("hand", match.id), "My hand"))
    items.append(router.button(Ref("board", match.id), "Board"))
    return router.view(*items)


def on_turn_only(match: Match) -> discord.AllowedMentions:
    """Mentions that ring for exactly the person on turn."""
    users = [
        discord.Object(seat.user_id)
        for seat in match.seats
        if seat.user_id is not None and match.waits_for(seat.user_id)
    ]
    return discord.AllowedMentions(everyone=False, roles=False, users=users)
