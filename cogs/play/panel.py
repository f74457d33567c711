"""The panel: a person's legal choices step by step, seen by that person only (P5, P7)."""

from __future__ import annotations

from functools import partial
from typing import Final

from cogs.play import panel_pages
from cogs.play.panel_pages import Panel, wants_last_look
from cogs.play.panel_steps import position
from cogs.post import boards, pictures
from cogs.press import components
from cogs.press.components import Verb
from cogs.press.custom_ids import BETWEEN, Ref
from cogs.press.reply import Instead, Message, Press, answer, take_buttons, whisper
from cogs.text import reasons, words
from games.core import Stage
from matches.api import Dm, Host, Match, NotSeated, Ply, Seat, Stale, Status, View, WrongTime
from matches.computers.thinking import Advice
from matches.table.rating import has_no_hints

PLAY: Final = "play"

HINT: Final = "Hint"
"""The button that shows what a computer would play. Where that costs the gain, it asks first."""

HINT_COSTS: Final = "Show a hint? You can't gain rating in this match then."


async def open_panel(press: Press) -> None:
    """The button **Play**, in the channel or in a DM."""
    await whisper(press, await _first_page(press, await acting_view(press)))


async def _first_page(press: Press, view: View) -> Message:
    """The first page of the panel. People who have never played the game also read its key rule."""
    message = await page(press.host, view, (), 0)
    told = await done_for(press, view)
    message.content = words.fitted("", told, message.content)
    if await _is_new(press, view):
        message.content = f"*{view.match.info.key_rule}*\n{message.content}"
    return message


async def done_for(press: Press, view: View) -> str:
    """Return in words what features last did for this person, such as a move; empty if they've acted by hand since.

    Only for people whose direct messages are closed: the others have read it in a DM.
    """
    own = view.match.seat_of(press.person)
    if own is None or own.dm is not Dm.CLOSED or view.match.status is not Status.RUNNING:
        return ""
    told = []
    for ply, label in await press.host.done_for(view.match.id, press.person):
        lines = await press.host.look.history(view.match, press.person, ply, Ply(ply + 1))
        told.append(f"-# {label} {words.lines_in_words(view.match, lines)}")
    return "\n".join(told)


async def _is_new(press: Press, view: View) -> bool:
    """Whether somebody hasn't acted yet in their first match of a game that counts."""
    own = view.match.own_seat(press.person)
    return not (own.acted or own.replaced) and not await press.host.archive.has_played(press.person, view.match.game)


async def pick(press: Press) -> None:
    """A choice in the panel: a button, or an entry of the menu, whose value continues the path."""
    view = await acting_view(press)
    path = (*press.ref.path, *(value for entry in press.values[:1] for value in entry.split(BETWEEN)))
    place = position(view, path)
    if place is not None and place.move is not None and not wants_last_look(view, place):
        await play(press, view, place.move.text)
        return
    await answer(press, await panel_pages.page(_panel(press.host, view), place, 0))


async def turn_page(press: Press) -> None:
    """**Back**, and the buttons that turn the pages of a long menu."""
    view = await acting_view(press)
    await answer(press, await page(press.host, view, press.ref.path, press.ref.page))


async def confirm(press: Press) -> None:
    """**Confirm**: store the move, then tell this person, then the table."""
    view = await acting_view(press)
    move = next((move for move in view.moves if move.values == press.ref.path), None)
    if move is None:
        raise Stale("That move is no longer possible. Please press **Play** again.")
    await play(press, view, move.text)


async def play(press: Press, view: View, text: str) -> None:
    """Play a move for the person and answer privately. All ways to move end here; the porter tells the others."""
    match = await press.host.play.act(press.once(view.match.id), press.person, text, ply=view.ply)
    await answer(press, await _after(press, match, view.ply))


async def _after(press: Press, match: Match, since: int) -> Message:
    """What the mover reads: what happened since ply `since`, then their next step if there is one, or their hand.

    While the match goes on they can say there what they'd play next.
    """
    view = await press.host.look.view(match, press.person)
    happened = await words.what_happened(press.bot, match, press.person, since=since)
    if view.match.to_move == view.seat and view.seat is not None and view.stage is not Stage.TURN:
        message = await page(press.host, view, (), 0)
        message.content = words.fitted("", happened, message.content)
        return message
    offered = components.view(*boards.offered(view)) if view.offers else None
    hand = await pictures.hand(view)
    if hand is None:
        return Message(happened, view=offered)
    return Message(words.fitted("", happened, pictures.hand_words(view)), [hand], offered)


async def page(host: Host, view: View, path: tuple[str, ...], number: int) -> Message:
    """The panel of a match after the choices `path`, at page `number` of its menu."""
    return await panel_pages.page(_panel(host, view), position(view, path), number)


async def as_read(host: Host, view: View, text: str) -> Message:
    """The last page for a move that was typed differently from its canonical `text`."""
    return await panel_pages.as_read(_panel(host, view), text)


async def suggested(host: Host, view: View, advice: Advice) -> Message:
    """The last page for a move that a computer would play here."""
    message = await panel_pages.of_move(_panel(host, view), advice.text, "Play it")
    message.content = f"{words.title(view.match)}\n{reasons.hint(view, advice)}"
    return message


def _panel(host: Host, view: View) -> Panel:
    """The panel of the player whose turn it is in a match."""
    match, ply = view.match.id, view.ply

    def ref(verb: str, path: tuple[str, ...], number: int) -> Ref:
        return Ref(verb, match, ply, path, number)

    heading = words.play_by(view.match) if view.match.offered_until is not None else ""
    beside = () if has_no_hints(view.match) else ((HINT, Ref("hint", match, ply)),)
    return Panel(view, heading, ref, beside, partial(host.look.preview, view))


async def acting_view(press: Press) -> View:
    """The presser's view of `press.match`, if they may act on what they pressed (P10).

    Otherwise raises Instead with the current board, and HostError if they have no seat or the match isn't running.
    """
    if press.match is None:
        raise Stale(words.OUT_OF_DATE)
    view, ref = await press.host.look.view(press.match, press.person), press.ref
    match = view.match
    own = match.seat_of(press.person)
    if own is None:
        raise NotSeated("You're not at this table, but you're welcome to watch.")
    if match.status is Status.OVER:
        raise WrongTime(f"{words.how_it_ended(match)} There's nothing left to play in {words.title(match)}.")
    if own.resigned:
        raise NotSeated("You've resigned from this match.")
    former = _is_former(press, match, own)
    if ref.ply != view.ply and former:
        await take_buttons(press)
    if not own.present:
        raise Instead(boards.computer_plays_for_you(view))
    if view.match.to_move != view.seat:
        raise Instead(await boards.now(press.bot, view, f"It's not your turn. {words.whose_turn(view, ping=False)}"))
    if ref.ply not in (None, view.ply) and (former or ref.verb != PLAY):
        # Under the newest board, **Play** continues a turn with several steps: not every step has its own post.
        sentence = "That board was out of date, so nothing happened. Here's the current one; it's your turn."
        raise Instead(await boards.now(press.bot, view, sentence))
    return view


def _is_former(press: Press, match: Match, own: Seat) -> bool:
    """Whether the pressed message isn't the latest board of the match, or the latest DM to this person."""
    pressed = press.interaction.message
    if pressed is None or pressed.flags.ephemeral:
        return False
    latest = own.hand_message_id if press.interaction.guild_id is None else match.board_message_id
    return latest is not None and pressed.id != latest


HANDLERS: Final[dict[str, Verb]] = {
    PLAY: Verb(open_panel),
    "pick": Verb(pick, edits=True),
    "page": Verb(turn_page, edits=True),
    "back": Verb(turn_page, edits=True),
    "confirm": Verb(confirm, edits=True),
}
