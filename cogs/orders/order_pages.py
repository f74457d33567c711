"""The pages of **In advance**: what somebody has said, the panels in which they say it, and each order as a picture.

A stage says whose move a panel asks for: the other player's (`IF`), the person's answer to it (`reply_to`), or the
person's next move whatever happens (`NEXT`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import discord

from cogs.play import panel, panel_pages
from cogs.play.panel_pages import Panel
from cogs.play.panel_steps import position
from cogs.post import pictures
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names, reasons, words
from games import GAMES
from games.core import Observation, Played
from matches.api import Host, Match, NotAllowed, Stale, UserId, View
from matches.computers.thinking import Advice
from matches.orders import Order, OrderKind, Orders, Prepared
from matches.table.rating import has_no_hints

NOT_NOW: Final = "You can't say that right now. Press **In advance** again."

GUESSED: Final = "-# What they draw after that move is a guess of mine in the picture."

EXPLAINED: Final = (
    "What will you play next? When it's your turn I'll play it, whatever the others do, if it's still possible. Only "
    "you can see this."
)
_NOTHING: Final = "Right now there's nothing that you could say in advance. Try again after the next move."


def _title(match: Match) -> str:
    """Return the first line of every page."""
    return f"{words.title(match)} · in advance"


def _told_in_all(match: Match, told: Sequence[str], sentence: str, *, offers: bool) -> str:
    """Return what somebody has said, one order a line, or how it works. `sentence`: what has just been done."""
    lines = [_title(match), *([sentence] if sentence else [])]
    if told:
        lines += [f"**{number}** · {text}" for number, text in enumerate(told, 1)]
        lines.append(_when(match))
    else:
        lines.append(EXPLAINED if offers else _NOTHING)
    return words.first_that_fit(lines)


def _when(match: Match) -> str:
    """Return when an order is played, in small print."""
    longest = 10 if match.info.hands else 3
    return (
        f"-# I'll play it within {longest} minutes of your turn, so that it looks like any other move. If you play "
        "yourself, I forget all of it."
    )


def _sentence(theirs: str | None, mine: str, unless: Sequence[str], *, stands: bool = False) -> str:
    """Return what somebody has said in advance as a sentence.

    `theirs`: the other player's move that it answers, ``None`` for any. `mine`: what is played then, or, if it `stands`
    until it's deleted or over, the game's instruction. `unless`: what keeps it from being played.
    """
    told = f"{mine[:1].upper()}{mine[1:]}." if stands else f"Next turn: {mine}." if theirs is None else ""
    told = told or f"If {theirs}: {mine}."
    return f"{told[:-1]}, unless {' or '.join(unless)}." if unless else told


Stage: TypeAlias = str
"""What a panel asks for; it is in the buttons."""

IF: Final = "if"
NEXT: Final = "next"
_REPLY: Final = "="
"""Before the canonical text of the other player's move."""

SHOW: Final = "show"
"""In the path of a button: the person has read what a hint costs."""

HERE: Final = "here"
"""In the path of a button: its answer replaces the page."""

SAVE, THIS_ONE = "Save", "This one"
IF_THEY: Final = "If they …, then I …"

ABOUT_TO: Final = "It's your turn. I'll play what you've said in a moment; you can also play yourself."


def reply_to(text: str) -> Stage:
    """Return the stage of the answer to another player's move."""
    return f"{_REPLY}{text}"


def is_stage(text: str) -> bool:
    """Whether a button carries a stage."""
    return text in (IF, NEXT) or text.startswith(_REPLY)


def theirs_in(stage: Stage) -> str | None:
    """Return the other player's move that a stage is about, ``None`` for any."""
    return stage.removeprefix(_REPLY) if stage.startswith(_REPLY) else None


async def choosing(host: Host, prepared: Prepared, stage: Stage) -> View:
    """Return the view whose moves are offered in a stage. Raises NotAllowed, and as `reply_view` does."""
    view, theirs = prepared.view, theirs_in(stage)
    if theirs is not None:
        return await host.part(Orders).reply_view(view.match.id, owner(prepared), theirs, view.ply)
    found = prepared.their_view if stage == IF else prepared.next_view
    if found is None:
        raise NotAllowed(NOT_NOW)
    return found


async def first(host: Host, prepared: Prepared) -> Message:
    """What **In advance** opens: the panel of the next move; `overview` if there are orders, or nothing to pick."""
    place = None if prepared.next_view is None else position(prepared.next_view, ())
    if prepared.orders or place is None or place.move is not None:
        return await overview(host, prepared)
    return await page(host, prepared, NEXT)


async def overview(host: Host, prepared: Prepared, sentence: str = "") -> Message:
    """What somebody has said, each with a number, and what they can say."""
    told = [await in_words(host, prepared, order) for order in prepared.orders]
    offers = bool(prepared.next_view or prepared.their_view or prepared.instructions)
    text = _told_in_all(prepared.view.match, told, sentence, offers=offers)
    asked = [] if prepared.next_view is None else [("My next move", _ref(prepared, "orderback", NEXT))]
    asked += _besides(prepared)
    items = [components.button(ref, label, components.Style.primary) for label, ref in asked]
    for number, order in enumerate(prepared.orders, 1):
        items.append(components.button(_ref(prepared, "order", str(order.number)), f"Show {number}", row=3))
    if len(prepared.orders) > 1:
        items.append(components.button(_ref(prepared, "orderclear"), "Delete all", components.Style.danger, row=4))
    picture = await pictures.board(prepared.view)
    return Message(text, [picture], components.view(*items))


def _ref(prepared: Prepared, verb: str, *path: str) -> Ref:
    """Return what a button carries that is about somebody's orders in this position."""
    return Ref(verb, prepared.view.match.id, prepared.view.ply, path)


def _besides(prepared: Prepared) -> list[tuple[str, Ref]]:
    """Return the labels and meanings of what can be said besides the next move."""
    found = [] if prepared.their_view is None else [(IF_THEY, _ref(prepared, "orderback", IF))]
    return found + [
        (each.says.partition(",")[0], _ref(prepared, "instruct", each.key)) for each in prepared.instructions
    ]


async def in_words(host: Host, prepared: Prepared, order: Order) -> str:
    """Return what somebody has said in advance as a sentence."""
    match = prepared.view.match
    known = GAMES[match.game].advance
    unless = [each.says for key in order.unless if (each := known.exclusion(key)) is not None]
    if order.kind is OrderKind.STANDING:
        told = known.instruction(order.mine)
        return _sentence(None, order.mine if told is None else told.says, unless, stands=True)
    view = await _answering(host, prepared, order)
    action = view.turn.string_to_action(order.mine)
    mine = pictures.renderer(view).advise(action, view.observation, names.people(match))
    return _sentence(_their_move(prepared, view, order.theirs), mine, unless)


def _their_move(prepared: Prepared, after: View, theirs: str | None) -> str | None:
    """Return the other player's move as the log would say it, seen `after` it."""
    before = prepared.their_view
    if theirs is None or before is None or before.match.to_move is None:
        return theirs
    played = Played(int(before.match.to_move), before.turn.string_to_action(theirs))
    return pictures.renderer(after).say(played, after.observation, names.people(after.match)).removesuffix(".")


def stage_of(order: Order) -> Stage:
    """Return the stage in which an order was said."""
    return NEXT if order.theirs is None else reply_to(order.theirs)


async def _answering(host: Host, prepared: Prepared, order: Order) -> View:
    """Return the position in which an order would be played, as its owner can know it."""
    if order.theirs is None and prepared.next_view is None:
        return prepared.view
    return await choosing(host, prepared, stage_of(order))


async def order(host: Host, prepared: Prepared, shown: Order, before: str = "") -> Message:
    """The page of one order: a picture of its result, with **Unless …**, **Change** and **Delete**."""
    match, number = prepared.view.match, str(shown.number)
    text = f"{_title(match)}\n{before}{await in_words(host, prepared, shown)}\n{_when(match)}"
    items: list[components.Item] = []
    view = None if shown.kind is OrderKind.STANDING else await _answering(host, prepared, shown)
    if prepared.exclusions and shown.theirs is None:
        ref, offered = _ref(prepared, "unless", number), {each.key: each.says for each in prepared.exclusions}
        items.append(components.menu(ref, offered, "Unless …", shown.unless, any_number=True))
    if view is not None:
        stage = stage_of(shown)
        items += [components.button(ref, panel_pages.TURN) for ref in _turned(prepared, stage, view, shown.mine)]
        items.append(components.button(_ref(prepared, "orderback", stage), "Change"))
    items.append(components.button(_ref(prepared, "orderdrop", number), "Delete", components.Style.danger))
    items.append(components.button(_ref(prepared, "orders", HERE), "All I've said"))
    return Message(text, [await _picture(host, prepared, shown, view)], components.view(*items))


def _turned(prepared: Prepared, stage: Stage, view: View, text: str) -> list[Ref]:
    """Return what lays the card of this move the next way round; nothing if it can lie in one way only."""
    path = next((move.values for move in view.moves if move.text == text), None)
    place = None if path is None else position(view, path)
    return [] if place is None else [_ref(prepared, "orderpick", stage, *each.path) for each in place.turned[:1]]


async def _picture(host: Host, prepared: Prepared, shown: Order, view: View | None) -> discord.File:
    """The board after the order's move if its owner can know it, or else the move on their board or in their hand."""
    if view is None:
        return await pictures.hand(prepared.view) or await pictures.board(prepared.view)
    if shown.mine not in [move.text for move in view.moves]:
        return await pictures.board(view)
    (picture,) = (await panel_pages.of_move(_panel(host, prepared, stage_of(shown), view), shown.mine, SAVE)).pictures
    return picture


async def page(host: Host, prepared: Prepared, stage: Stage, path: tuple[str, ...] = (), number: int = 0) -> Message:
    """The panel of a stage after the choices `path`."""
    view = await choosing(host, prepared, stage)
    place = position(view, path)
    if place is None:
        raise Stale(NOT_NOW)
    shown = _panel(host, prepared, stage, view, first=place.back is None)
    return await panel_pages.page(shown, place, number, yes=THIS_ONE if stage == IF else SAVE)


async def suggested(host: Host, prepared: Prepared, stage: Stage, advice: Advice) -> Message:
    """The last page for a move that a computer would play there."""
    view = await choosing(host, prepared, stage)
    message = await panel_pages.of_move(_panel(host, prepared, stage, view), advice.text, SAVE)
    message.content = f"{_heading(prepared, stage, view)}\n{reasons.hint(view, advice)}"
    return message


def question(prepared: Prepared, stage: Stage) -> Message:
    """The question that says what a hint costs, before the hint is shown."""
    yes = components.button(_ref(prepared, "orderhint", stage, SHOW), "Show")
    back = components.button(_ref(prepared, "orderback", stage), "Not now")
    return Message(f"{_title(prepared.view.match)}\n{panel.HINT_COSTS}", view=components.view(yes, back))


def _panel(host: Host, prepared: Prepared, stage: Stage, view: View, *, first: bool = False) -> Panel:
    """The panel of a stage. On its `first` page **Back** leads to the page before the panel."""
    match, ply, theirs = prepared.view.match, prepared.view.ply, theirs_in(stage)

    def ref(verb: str, path: tuple[str, ...], number: int) -> Ref:
        return Ref(f"order{verb}", match.id, ply, (stage, *path), number)

    begins = first and stage == NEXT and not prepared.orders
    beside = _besides(prepared) if begins else []
    if stage != IF and not has_no_hints(match):
        beside.append((panel.HINT, _ref(prepared, "orderhint", stage)))
    if first and theirs is not None and prepared.their_view is not None:
        beside += [("Turn their card", ref) for ref in _turned(prepared, IF, prepared.their_view, theirs)]
        beside.append(("Back", _ref(prepared, "orderback", IF)))
    elif first and not begins:
        beside.append(("Back", _ref(prepared, "orders", HERE)))
    asks = f"If {_name(view, view.match.to_move)} plays …, then I …" if stage == IF else None
    heading = _heading(prepared, stage, view, begins=begins)
    return Panel(view, heading, ref, tuple(beside), _preview(host, prepared, stage), asks)


def owner(prepared: Prepared) -> UserId:
    """Return the person whose orders they are."""
    view = prepared.view
    user_id = next(seat.user_id for seat in view.match.seats if seat.seat == view.seat)
    assert user_id is not None
    return user_id


def _name(view: View, seat: int | None) -> str:
    """Return the name of a player for a message."""
    return "they" if seat is None else names.people(view.match)[seat]


def _heading(prepared: Prepared, stage: Stage, view: View, *, begins: bool = False) -> str:
    heading, theirs = _title(view.match), theirs_in(stage)
    if stage == IF:
        return heading
    if theirs is None:
        return f"{heading}\n{EXPLAINED if begins else 'Your next move, whatever happens first:'}"
    guess = f"\n{GUESSED}" if view.match.info.hidden_information else ""
    return f"{heading}\nIf {_their_move(prepared, view, theirs)}, you:{guess}"


def _preview(host: Host, prepared: Prepared, stage: Stage) -> Callable[[str], Awaitable[Observation | None]]:
    """Return a function that returns the board after a move, ``None`` if the person can't know it."""
    match_id, user_id, ply = prepared.view.match.id, owner(prepared), prepared.view.ply

    async def preview(text: str) -> Observation | None:
        if stage == IF:
            return (await host.part(Orders).reply_view(match_id, user_id, text, ply)).observation
        return await host.part(Orders).preview(match_id, user_id, text, ply, theirs_in(stage))

    return preview
