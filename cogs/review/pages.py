"""**Review**: how a match went, and what somebody could have done better by what they knew.

`matches/review/reviewing.py` computes a `Review` (`matches/review/views.py`), and `render/review.py` draws it. The
story is for everybody who may see the match. Moments are shown only to the person who played the seat, until they post
them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

import discord

from cogs.look.replay import HERE, MOMENT, STORY, offered, posted_by, posting
from cogs.post import pictures
from cogs.press import components
from cogs.press.components import Style, Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from cogs.process import faults
from cogs.review import reviewed, unmasked
from cogs.text import names, words
from games import GAMES
from games.core import Choice
from matches.api import Match, MatchId, NotFound, Ply
from matches.review import Review, Reviews, Told
from matches.review.reviewing import GONE
from render.style import Mark

log = logging.getLogger(__name__)

REVIEW: Final = "review"
PATIENCE: Final = 10
"""The most seconds for showing a finished review to somebody who waits for it."""

TURNED: Final = "turned"
NUMBERS: Final = "numbers"
"""In the path of a button: show by how much each moment mattered."""
AGAIN: Final = "again"

RETRY: Final = "retry"
"""The verb of **Try it** (`cogs/review/retrying.py`), and the prefix of the verbs of its panel."""


async def show(press: Press, match: Match) -> None:
    """Show a review, or how far it is. The first press begins it."""
    review = await press.host.part(Reviews).ask(match.id, press.person, again=AGAIN in press.ref.path)
    if review.finished:
        press.host.part(Reviews).no_longer_waits(match.id, press.person)
        await answer(press, _numbers(review) if NUMBERS in press.ref.path else await story(review))
    else:
        await answer(press, _under_way(review))
        await press.host.part(Reviews).when_finished(match.id, press.person, partial(_finished, press, match.id))


async def _finished(press: Press, match_id: MatchId) -> None:
    """Show a review that has just been finished where somebody waits for it.

    Discord takes that for a quarter of an hour after they asked. Later they press **Look again**.
    """
    if press.interaction.is_expired():
        return
    async with asyncio.timeout(PATIENCE):
        message = await story(await press.host.part(Reviews).look(match_id, press.person))
        try:
            await press.interaction.edit_original_response(**message.arguments(edit=True))
        except faults.FAILURES as error:
            log.info("match %s: the message that waited for its review is gone: %s", match_id, faults.reason(error))


def _under_way(review: Review) -> Message:
    title = words.title(review.match)
    if review.ahead:
        others = "One other review comes" if review.ahead == 1 else f"{review.ahead} other reviews come"
        text = f"{title}: your review is in the queue. {others} first."
    else:
        text = f"{title}: I'm going through the match. {review.progress:.0%} done."
    text += "\n-# That takes a minute or two. It appears here, and waits behind **Review**."
    return Message(text, view=components.view(components.button(_whole(review), "Look again")))


async def story(review: Review, *, posted: bool = False) -> Message:
    """Return how the match went: a picture, and the same in words. `posted`: for everybody, without buttons."""
    match = review.match
    of, nothing = (unmasked, unmasked.NOTHING) if match.info.suspected else (reviewed, reviewed.NOTHING)
    if match.info.suspected:
        picture = await pictures.suspected(match, unmasked.shown(review))
    else:
        picture = await pictures.review(match, reviewed.outline(review))
    rows = [f"{words.title(match)} · how it went", *of.sentences(review, names.people(match))]
    # The text says what the picture is for.
    if posted:
        return Message("\n".join(rows), [picture], in_words="")
    if review.seat is not None and not review.own:
        rows.append(nothing)
    if review.outdated:
        rows.append(reviewed.OUTDATED)
    items: list[discord.ui.Item[Any]] = []
    if review.own:
        label = "My moment" if len(review.own) == 1 else f"My {len(review.own)} moments"
        items.append(components.button(Ref(TURNED, match.id, None, ("1",)), label, Style.primary))
    tries = [each for each in review.own if each.can_try]
    if tries:
        items.append(_try(review, tries[0], "Try it" if len(tries) == 1 else "Try them"))
    items.append(components.button(Ref(REVIEW, match.id, None, (NUMBERS,)), "Numbers"))
    if review.outdated:
        items.append(components.button(Ref(REVIEW, match.id, None, (AGAIN,)), "Review again"))
    items.append(posting(match, STORY))
    return Message("\n".join(rows), [picture], components.view(*items), in_words="")


def _numbers(review: Review) -> Message:
    """The figures behind the story, under the same picture."""
    of = unmasked if review.match.info.suspected else reviewed
    rows = [f"{words.title(review.match)} · numbers", *of.numbers(review)]
    view = components.view(components.button(_whole(review), "The match"))
    return Message(words.first_that_fit(rows), view=view, keeps_pictures=True)


def _whole(review: Review) -> Ref:
    return Ref(REVIEW, review.match.id, None, (HERE,))


async def _turned(press: Press, match: Match) -> None:
    """A moment of the person's own seat."""
    review = await press.host.part(Reviews).look(match.id, press.person)
    number, own = _moment(review, press.ref.path)
    message = await _page(review, own)
    items: list[discord.ui.Item[Any]] = []
    for label, other in (("◀ Back", number - 1), ("Next ▶", number + 1)) if len(review.own) > 1 else ():
        outside = not 1 <= other <= len(review.own)
        items.append(components.button(Ref(TURNED, match.id, None, (str(other),)), label, disabled=outside))
    items.append(components.button(_whole(review), "The match"))
    if own.can_try:
        items.append(_try(review, own, "Try it"))
    replay = await press.host.look.replay(match.id, press.person)
    items.append(posting(match, MOMENT, None, (str(number),)))
    message.view = components.view(*items, *offered(press.bot, replay, Ply(own.moment.decision.ply), 2))
    await answer(press, message)


def _moment(review: Review, path: tuple[str, ...]) -> tuple[int, Told]:
    """Return the number that a button names, and the presser's own moment with it. Raises NotFound."""
    number = int(path[0]) if path and path[0].isascii() and path[0].isdigit() else 0
    if not 1 <= number <= len(review.own):
        raise NotFound(GONE)
    return number, review.own[number - 1]


def _try(review: Review, own: Told, label: str) -> components.Item:
    ref = Ref(RETRY, review.match.id, Ply(own.moment.decision.ply))
    return components.button(ref, label, Style.success)


async def _page(review: Review, own: Told, *, posted: bool = False) -> Message:
    match, notation, seen = review.match, GAMES[review.match.game].state.notation, own.own.before
    hides = own.better is None or (posted and own.can_try)
    shown_moves = [own.own.line.action, *([] if hides else [own.better])]
    marks, on_cards = marked([notation.choices(seen, action) for action in shown_moves])
    shown = await pictures.as_seen(match, seen, marks, on_cards, posted=posted)
    text = reviewed.page(review, own, posted=posted)
    if marks or (on_cards and len(shown) > 1):
        where = "On the cards" if on_cards and len(shown) > 1 else "On the board"
        played = "what was played" if posted else "your move"
        text += f"\n-# {where}, 1 is {played}{'' if hides else ' and 2 the better one'}."
    return Message(text, shown, in_words=pictures.position_in_words(match, seen))


def marked(moves: Sequence[Sequence[Choice]]) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return marks on the board and on the cards of the hand that tell moves apart, which are numbered from 1."""
    marks, cards = [], dict[str, list[str]]()
    for mark, choices in enumerate(moves, 1):
        places = [choice.place for choice in choices if choice.place is not None]
        marks += [Mark(mark, places[-1])] if places else []
        for choice in filter(attrgetter("card"), choices):
            cards.setdefault(choice.value, []).append(str(mark))
    if len({mark.place for mark in marks}) < len(moves):
        marks = []
    return tuple(marks), tuple(Mark(0, card, name="+".join(numbers)) for card, numbers in cards.items())


async def posted(press: Press, match: Match, what: str, path: tuple[str, ...]) -> Message:
    """Return what somebody posts for everybody: the story, or a moment of their own. Raises NotFound."""
    review = await press.host.part(Reviews).look(match.id, press.person)
    if not review.finished:
        raise NotFound(GONE)
    if what == STORY:
        message = await story(review, posted=True)
    else:
        _, own = _moment(review, path)
        message = await _page(review, own, posted=True)
        if own.can_try:
            # Stored first, or nobody could use the button.
            await press.host.part(Reviews).note_posted(match.id, own.moment.decision.ply)
            message.view = components.view(_try(review, own, "Try it"))
    message.content += f"\n{posted_by(press.person)}"
    return message


HANDLERS: Final[dict[str, Verb]] = {
    REVIEW: of_match(show, edits=lambda ref: bool(ref.path)),
    TURNED: of_match(_turned, edits=True),
}
