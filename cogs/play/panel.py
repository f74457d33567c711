"""The panel: a person's legal choices step by step, seen by that person only (P5, P7)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

import discord

from cogs.play.panel_steps import Entry, Position, position
from cogs.post import boards, pictures
from cogs.press import components
from cogs.press.ids import BETWEEN, BUTTON, MAX_LENGTH, Ref
from cogs.press.reply import Interaction, Message, in_time, take_buttons, turn_into, whisper, will_edit
from cogs.text import names, words
from games.core import Stage
from matches import LastLook, Match, NotSeated, Seat, Stale, Status, UserId, View, WrongTime

PAGE: Final = 25
"""Discord's limit of entries in one menu."""

A_ROW, ROWS = 5, 4
"""Buttons that Discord puts side by side, and rows of them above the one with **Hint** and **Back**."""

NEW_WITHIN: Final = 40
"""Lines of the log after which nobody is before their first action any more, in all likelihood."""

LONGEST_LABEL: Final = 80
"""Discord's limit of characters on a button."""

PHONE, PADDING = 44, 4
"""How many characters stand beside each other on a phone, and how much room a button's edges take of that."""

CONFIRM: Final = "Confirm"
PLAY: Final = "play"

_STYLE = discord.ButtonStyle


async def open_panel(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """The button **Play**, in the channel or in a DM."""
    view = await acting_view(interaction, ref)
    if view is None:
        return
    await whisper(interaction, await in_time(interaction, _first_page(interaction, view)))


async def _first_page(interaction: Interaction, view: View) -> Message:
    """The beginning of the panel; to whoever has never played the game it says what decides what is legal."""
    message = await page(view, (), 0)
    if await _is_new(interaction, view):
        heading, _, rest = message.content.partition("\n")
        message.content = f"{heading}\n*Your first time? {view.match.info.decisive}*\n{rest}"
    return message


async def _is_new(interaction: Interaction, view: View) -> bool:
    """Whether somebody is before their first action in the first match of a game that counts for them.

    The store is asked by nobody whose match has gone on for long.
    """
    if view.ply > NEW_WITHIN:
        return False
    host, user_id = interaction.client.host, UserId(interaction.user.id)
    if any(line.player == view.seat for line in await host.look.history(view.match, user_id)):
        return False
    return all(tally.game != view.match.game for tally in await host.archive.tally_of(user_id))


async def pick(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """A button of the panel that stands for a choice, or an entry of its menu, whose value is what the path goes on."""
    will_edit(interaction)
    view = await acting_view(interaction, ref)
    if view is None:
        return
    path = (*ref.path, *(value for entry in values[:1] for value in entry.split(BETWEEN)))
    place = position(view, path)
    if place is not None and place.move is not None and not wants_last_look(view, place):
        await play(interaction, view, place.move.text, edit=True)
        return
    await turn_into(interaction, await in_time(interaction, page(view, path, 0), edit=True))


async def turn_page(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Back**, and the buttons that turn the pages of a long menu."""
    will_edit(interaction)
    view = await acting_view(interaction, ref)
    if view is None:
        return
    await turn_into(interaction, await in_time(interaction, page(view, ref.path, ref.page), edit=True))


async def confirm(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Confirm**: the move is stored, then this person is told, then the table."""
    will_edit(interaction)
    view = await acting_view(interaction, ref)
    if view is None:
        return
    place = position(view, ref.path)
    if place is None or place.move is None:
        raise Stale("That move is no longer possible. Please press **Play** again.")
    await play(interaction, view, place.move.text, edit=True)


async def play(interaction: Interaction, view: View, text: str, *, edit: bool = False) -> None:
    """Take a move for the person and answer privately, then tell everybody else; all ways to move end here."""
    acting = interaction.client.host.play.act(
        view.match.id, UserId(interaction.user.id), text, ply=view.ply, interaction_id=UserId(interaction.id)
    )
    match = await in_time(interaction, acting, edit=edit)
    answer = await in_time(interaction, _after(interaction, match, view.ply), edit=edit)
    await (turn_into if edit else whisper)(interaction, answer)


async def _after(interaction: Interaction, match: Match, since: int) -> Message:
    """What the mover reads: what happened since ply `since`, then their next step if there is one, or their hand."""
    view = await interaction.client.host.look.view(match, UserId(interaction.user.id))
    happened = await words.what_happened(interaction.client, match, UserId(interaction.user.id), since=since)
    if view.to_move == view.seat and view.seat is not None and view.stage is not Stage.TURN:
        message = await page(view, (), 0)
        message.content = words.fitted("", happened, message.content)
        return message
    hand = await pictures.hand(view)
    if hand is None:
        return Message(happened)
    return Message(words.fitted("", happened, pictures.hand_words(view)), [hand])


def wants_last_look(view: View, place: Position) -> bool:
    """Whether the mover is shown the move that they have picked, to confirm it, before it is played.

    A card that can be turned is always shown, since that is where it is turned.
    """
    wanted = LastLook.ALWAYS if view.settings is None else view.settings.confirm
    if place.turned or wanted is LastLook.ALWAYS:
        return True
    return wanted is LastLook.UNSEEN and (place.move is None or place.move.choices[-1].place is None)


async def page(view: View, path: tuple[str, ...], number: int, *, yes: str = CONFIRM) -> Message:
    """The panel after the choices `path`, at page `number` of its menu; `yes` is the button that plays a move."""
    place = position(view, path)
    if place is None:
        raise Stale("That choice is no longer possible. Please press **Play** again.")
    heading = f"{words.title(view.match)} · your move"
    so_far = " → ".join(place.picked)
    if place.move is not None:
        return await _last_look(view, place, f"{heading}\n{so_far or 'Your only move'}", yes)
    in_menu = _rows(view, place) is None
    pages = -(-len(place.entries) // PAGE) if in_menu else 1
    number = min(max(number, 0), pages - 1)
    shown = place.entries[number * PAGE : (number + 1) * PAGE]
    lines = [heading, *([so_far] if so_far else []), f"**{place.question}**"]
    if pages > 1:
        lines.append(f"Page {number + 1} of {pages}.")
    picture = await pictures.board(view, place.marks) if place.marks else await _mood(view)
    return Message("\n".join(lines), [picture], _controls(view, place, shown, number, pages))


async def as_read(view: View, text: str) -> Message:
    """The end of the panel for a move, in canonical text, that was typed in another way: what it will do, to confirm.

    Made like every page of the panel from what the mover may see and their own legal moves; **Back** leads into it.
    """
    message = await _of_move(view, text, CONFIRM)
    message.content = f"I read that as `{text}`. Press **{CONFIRM}** to play it.\n{message.content}"
    return message


async def suggested(view: View, text: str) -> Message:
    """The end of the panel for a move, in canonical text, that a computer would play in this place."""
    message = await _of_move(view, text, "Play it")
    message.content = f"**Hint:** a computer would play `{text}`.\n{message.content}"
    return message


async def _of_move(view: View, text: str, yes: str) -> Message:
    move = next(move for move in view.moves if move.text == text)
    return await page(view, tuple(choice.value for choice in move.choices), 0, yes=yes)


async def _mood(view: View) -> discord.File:
    """The picture for a step without places: the own hand, or the board in games without one."""
    return await pictures.hand(view) or await pictures.board(view)


def _controls(view: View, place: Position, shown: tuple[Entry, ...], number: int, pages: int) -> discord.ui.View:
    rows = _rows(view, place)
    last = None if rows is None else len(rows)
    back = [components.button(Ref("hint", view.match.id, view.ply), "Hint", row=last)]
    if place.back is not None:
        back.append(_back(view, place.back, "Back", last))
    if rows is not None:
        items = [_button(view, entry, row) for row, entries in enumerate(rows) for entry in entries]
        return components.view(*items, *back)
    ref = Ref("pick", view.match.id, view.ply, place.path)
    options = [
        discord.SelectOption(label=entry.label[:100], value=BETWEEN.join(entry.path[len(place.path) :]))
        for entry in shown
    ]
    turn = ref._replace(verb="page")
    turning = []
    if number > 0:
        turning.append(components.button(turn._replace(page=number - 1), "◀ Earlier"))
    if number < pages - 1:
        turning.append(components.button(turn._replace(page=number + 1), "More ▶"))
    return components.view(components.menu(ref, options, place.question), *turning, *back)


def _rows(view: View, place: Position) -> list[list[Entry]] | None:
    """The entries as rows of buttons, what gives something up in a row of its own; ``None`` where a menu is needed.

    A row is no wider than a phone shows beside each other, or where that takes too many rows, all are about as long.
    The last row is for **Hint** and **Back**.
    """
    entries = [entry for entry in place.entries if not entry.gives_up]
    last = [entry for entry in place.entries if entry.gives_up]
    rooms = ROWS - bool(last)
    if len(last) > A_ROW or len(entries) > rooms * A_ROW or not all(map(partial(_fits, view), place.entries)):
        return None
    rows = _narrow(entries)
    if len(rows) > rooms:
        cuts = [len(entries) * number // rooms for number in range(rooms + 1)]
        rows = [entries[start:end] for start, end in pairwise(cuts)]
    return [*rows, last] if last else rows


def _narrow(entries: list[Entry]) -> list[list[Entry]]:
    """Rows that a phone shows side by side, as far as a single label is not too wide."""
    rows: list[list[Entry]] = []
    for entry in entries:
        wide = sum(len(other.label) + PADDING for other in (*(rows[-1] if rows else ()), entry))
        if not rows or len(rows[-1]) == A_ROW or wide > PHONE:
            rows.append([])
        rows[-1].append(entry)
    return rows


def _fits(view: View, entry: Entry) -> bool:
    return len(entry.label) <= LONGEST_LABEL and len(_pick(view, entry).text(BUTTON)) <= MAX_LENGTH


def _pick(view: View, entry: Entry) -> Ref:
    return Ref("pick", view.match.id, view.ply, entry.path)


def _back(view: View, path: tuple[str, ...], label: str, row: int | None = None) -> components.Press:
    return components.button(Ref("back", view.match.id, view.ply, path), label, row=row)


def _button(view: View, entry: Entry, row: int) -> components.Press:
    style = _STYLE.secondary if entry.gives_up else _STYLE.primary
    return components.button(_pick(view, entry), entry.label, style, row=row)


async def _last_look(view: View, place: Position, text: str, yes: str) -> Message:
    """Before the last step: the result where everything is open, else the move on the board as the mover knows it."""
    assert place.move is not None
    renderer, after = pictures.renderer(view), view.preview(place.move.text)
    if after is not None:
        picture = await pictures.board(_still_theirs(view, after))
        last = after.observation.last
        if last is not None:
            text = f"{text}\n{renderer.say(last, after.observation, names.people(after.match))}"
    elif any(choice.place is not None for choice in place.move.choices):
        foreseen = replace(view, observation=renderer.foresee(view.observation, place.move.action))
        picture = await pictures.board(foreseen)
    else:
        picture = await _mood(view)
    items = [components.button(Ref("confirm", view.match.id, view.ply, place.path), yes, _STYLE.success)]
    for entry in place.turned:
        label = "Turn" if len(place.turned) == 1 else f"Turn: {entry.label}"
        items.append(components.button(_pick(view, entry), label))
    if place.back is not None:
        items.append(_back(view, place.back, "Other place" if _is_of_places(view, place.back) else "Back"))
    return Message(text, [picture], components.view(*items))


def _is_of_places(view: View, path: tuple[str, ...]) -> bool:
    """Whether at this page of the panel a place on the picture is picked."""
    before = position(view, path)
    return before is not None and bool(before.marks)


def _still_theirs(view: View, after: View) -> View:
    """The position after a move that is not confirmed yet: it is still its mover's turn, unless the move ends all."""
    if after.outcome is not None or view.to_move is None:
        return after
    return replace(after, observation=replace(after.observation, current_player=view.to_move))


async def acting_view(interaction: Interaction, ref: Ref) -> View | None:
    """The presser's view, when they may act on what they pressed; else they are told what is the case now (P10).

    Raises HostError for who does not sit at the table, and before and after the match.
    """
    if ref.match is None:
        raise Stale(words.OUT_OF_DATE)
    view = await interaction.client.host.look.view(ref.match, UserId(interaction.user.id))
    match = view.match
    own = match.seat_of(UserId(interaction.user.id))
    if own is None:
        raise NotSeated("You're not at this table, but you're welcome to watch.")
    if match.status is Status.OVER:
        raise WrongTime(f"{words.how_it_ended(match)} There's nothing left to play in {words.title(match)}.")
    if own.resigned:
        raise NotSeated("You've resigned from this match.")
    former = _is_former(interaction.message, match, own)
    if ref.ply != view.ply and former:
        await take_buttons(interaction)
    if not own.present:
        await whisper(interaction, boards.computer_plays_for_you(view))
    elif view.to_move != view.seat:
        sentence = f"It's not your turn. {words.whose_turn(view, ping=False)}"
        await whisper(interaction, await in_time(interaction, boards.now(view, sentence)))
    elif ref.ply not in (None, view.ply) and (former or ref.verb != PLAY):
        # Under the newest board **Play** goes on with a turn of which some steps are done: there is no post for each.
        sentence = "That board was out of date, so nothing happened. Here's the current one; it's your turn."
        await whisper(interaction, await in_time(interaction, boards.now(view, sentence)))
    else:
        return view
    return None


def _is_former(pressed: discord.Message | None, match: Match, own: Seat) -> bool:
    """Whether a message of the match was pressed after which another board, or direct message, has come."""
    if pressed is None or pressed.flags.ephemeral:
        return False
    latest = own.hand_message_id if pressed.guild is None else match.board_message_id
    return latest is not None and pressed.id != latest


HANDLERS: Final[dict[str, components.Handler]] = {
    PLAY: open_panel,
    "pick": pick,
    "page": turn_page,
    "back": turn_page,
    "confirm": confirm,
}
