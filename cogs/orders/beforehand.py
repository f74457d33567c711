"""**In advance**: what somebody says they'd play before it's their turn (P39).

`matches/orders` stores orders, and plays them. Everything here is private, and made of what the person may see.
The pages are in `order_pages`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cogs.orders import order_pages
from cogs.orders.order_pages import IF, SHOW, Stage
from cogs.play import panel
from cogs.play.panel_steps import position
from cogs.post import boards
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import BETWEEN, expect
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Instead, Message, Press, answer, whisper
from cogs.text import words
from games import GAMES
from matches.api import Match, Stale
from matches.orders import Order, OrderKind, Orders, Prepared
from matches.table.rating import check_hints, costs_gain

MOVED_ON: Final = "The match has moved on, so nothing was changed. Here's how it stands now."
GONE: Final = "That's no longer possible. Press **In advance** again."
AGREED: Final = (
    "From now on I discard for you, your first card first, until this round is over. **In advance** stops it."
)


async def show(press: Press, match: Match) -> None:
    """Show somebody's orders and what else they can say."""
    prepared = await _prepared(press, match)
    message = await order_pages.first(press.host, prepared)
    told = await panel.done_for(press, prepared.view)
    message.content = words.fitted("", told, message.content)
    await answer(press, message)


async def _prepared(press: Press, match: Match) -> Prepared:
    """Return the person's orders and what they can say. Raises Instead if it's their turn, and as the host does."""
    prepared = await press.host.part(Orders).look(match.id, press.person)
    view = prepared.view
    if view.match.to_move == view.seat:
        sentence = order_pages.ABOUT_TO if prepared.pending is not None else "It's your turn now."
        raise Instead(await boards.now(press.bot, view, sentence))
    return prepared


async def _current(press: Press, match: Match) -> Prepared:
    """Return what `_prepared` does, for a button of a page. Raises Instead also if the match has moved on since."""
    press.promise.settles = True
    prepared = await _prepared(press, match)
    if press.ref.ply != prepared.view.ply:
        raise Instead(await order_pages.overview(press.host, prepared, MOVED_ON))
    return prepared


async def _open(press: Press, match: Match) -> None:
    """**In advance**, and **Back** to that page."""
    press.promise.settles = bool(press.ref.path)
    await show(press, match)


def _stage(press: Press) -> tuple[Stage, tuple[str, ...]]:
    """Return what a button of the panel is about, and the choices so far. Raises NotAllowed."""
    stage, *path = press.ref.path or ("",)
    expect(order_pages.is_stage(stage))
    return stage, tuple(path)


async def _pick(press: Press, match: Match) -> None:
    """A choice in the panel: a button, or an entry of the menu, whose value continues the path. A card is turned, too.

    What is chosen last isn't confirmed: it's shown, and can be changed.
    """
    prepared, (stage, path) = await _current(press, match), _stage(press)
    path = (*path, *(value for entry in press.values[:1] for value in entry.split(BETWEEN)))
    view = await order_pages.choosing(press.host, prepared, stage)
    place = position(view, path)
    if place is None:
        raise Stale(GONE)
    if place.move is None:
        await answer(press, await order_pages.page(press.host, prepared, stage, path))
    else:
        await _chosen(press, prepared, stage, place.move.text)


async def _turn_page(press: Press, match: Match) -> None:
    """**Back**, the beginning of a panel, and the buttons that turn the pages of a long menu."""
    prepared, (stage, path) = await _current(press, match), _stage(press)
    if position(await order_pages.choosing(press.host, prepared, stage), path) is None:
        raise Stale(GONE)
    await answer(press, await order_pages.page(press.host, prepared, stage, path, press.ref.page))


async def _confirm(press: Press, match: Match) -> None:
    """**Save**, or **This one** for the other player's move."""
    prepared, (stage, path) = await _current(press, match), _stage(press)
    place = position(await order_pages.choosing(press.host, prepared, stage), path)
    if place is None or place.move is None:
        raise Stale(GONE)
    await _chosen(press, prepared, stage, place.move.text)


async def _chosen(press: Press, prepared: Prepared, stage: Stage, text: str) -> None:
    """A whole move is chosen: the other player's, which is answered next, or the person's own, which is kept."""
    if stage == IF:
        await answer(press, await order_pages.page(press.host, prepared, order_pages.reply_to(text)))
    else:
        await _give(press, prepared, stage, text)


async def _give(press: Press, prepared: Prepared, stage: Stage, text: str) -> None:
    """Keep a move in place of the one that was said for the same case. What that one excludes stays excluded."""
    match, ply, theirs = prepared.view.match, prepared.view.ply, order_pages.theirs_in(stage)
    before = (each for each in prepared.orders if each.kind is not OrderKind.STANDING and each.theirs == theirs)
    unless = next((each.unless for each in before), ())
    orders = press.host.part(Orders)
    await orders.give(press.once(match.id), press.person, text, ply=ply, theirs=theirs, unless=unless)
    await _show_kept(press, match, lambda order: (order.mine, order.theirs) == (text, theirs))


async def _instruct(press: Press, match: Match) -> None:
    """An instruction of the game's own, such as “Pass until this trick is over”."""
    prepared = await _current(press, match)
    (key, *_) = press.ref.path or ("",)
    if key not in [each.key for each in prepared.instructions]:
        raise Stale(GONE)
    await press.host.part(Orders).instruct(press.once(match.id), press.person, key, ply=prepared.view.ply)
    await _show_kept(press, match, lambda order: order.mine == key)


async def _agree(press: Press, match: Match) -> None:
    """The instruction of the game's own that everybody can give at any time."""
    key = next((each.key for each in GAMES[match.game].advance.instructions if each.at_once), "")
    await press.host.part(Orders).instruct(press.once(match.id), press.person, key, ply=match.ply)
    await whisper(press, Message(AGREED))


async def _show_kept(press: Press, match: Match, is_it: Callable[[Order], bool]) -> None:
    """Show the order that was just stored. If it no longer exists, show all orders."""
    prepared = await press.host.part(Orders).look(match.id, press.person)
    order = next(filter(is_it, prepared.orders), None)
    if order is None:
        await answer(press, await order_pages.overview(press.host, prepared))
    else:
        await answer(press, await order_pages.order(press.host, prepared, order, "Saved. "))


def _number(press: Press) -> int:
    """The number of the order that a button names. Raises NotAllowed."""
    (number, *_) = press.ref.path or ("",)
    expect(number.isascii() and number.isdecimal() and len(number) <= 9)
    return int(number)


async def _look(press: Press, match: Match) -> None:
    """Answer with the page of one of the person's orders."""
    prepared, number = await _current(press, match), _number(press)
    found = next((order for order in prepared.orders if order.number == number), None)
    if found is None:
        raise Stale(GONE)
    await answer(press, await order_pages.order(press.host, prepared, found))


async def _unless(press: Press, match: Match) -> None:
    """The menu **Unless …** of an order."""
    prepared, number = await _current(press, match), _number(press)
    offered = [each.key for each in prepared.exclusions]
    unless = tuple(key for key in offered if key in press.values)
    await press.host.part(Orders).change(press.once(match.id), press.person, number, unless=unless)
    await _show_kept(press, match, lambda order: order.number == number)


async def _drop(press: Press, match: Match) -> None:
    """**Delete** an order."""
    await _current(press, match)
    await press.host.part(Orders).drop(press.once(match.id), press.person, _number(press))
    after = await press.host.part(Orders).look(match.id, press.person)
    await answer(press, await order_pages.overview(press.host, after, "Deleted."))


async def _drop_all(press: Press, match: Match) -> None:
    """**Delete all** of the person's orders."""
    await _current(press, match)
    await press.host.part(Orders).drop_all(press.once(match.id), press.person)
    after = await press.host.part(Orders).look(match.id, press.person)
    await answer(press, await order_pages.overview(press.host, after, "Deleted all of it."))


async def _hint(press: Press, match: Match) -> None:
    """**Hint** in the panel: what a computer would answer. In a rated match it asks first, as in one's own turn."""
    prepared, (stage, path) = await _current(press, match), _stage(press)
    host, view, user = press.host, prepared.view, press.person
    expect(stage != IF)
    check_hints(view.match)
    if costs_gain(view.match, view.match.own_seat(user)) and SHOW not in path:
        await answer(press, order_pages.question(prepared, stage))
        return
    with one_at_a_time(press, Long.HINT):
        advice = await host.part(Orders).hint(match.id, user, view.ply, order_pages.theirs_in(stage))
    message = await order_pages.suggested(host, prepared, stage, advice)
    await host.part(Orders).note_hint(match.id, user, view.ply)
    await answer(press, message)


HANDLERS: Final[dict[str, Verb]] = {
    "orders": of_match(_open, edits=lambda ref: bool(ref.path)),
    "order": of_match(_look, edits=True),
    "orderpick": of_match(_pick, edits=True),
    "orderpage": of_match(_turn_page, edits=True),
    "orderback": of_match(_turn_page, edits=True),
    "orderconfirm": of_match(_confirm, edits=True),
    "orderhint": of_match(_hint, edits=True),
    "instruct": of_match(_instruct, edits=True),
    "atonce": of_match(_agree),
    "unless": of_match(_unless, edits=True),
    "orderdrop": of_match(_drop, edits=True),
    "orderclear": of_match(_drop_all, edits=True),
}
