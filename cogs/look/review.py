"""``/match review`` and **Review**: how a match went, and what somebody could have done better by what they knew.

`matches/host/reviews.py` computes it as a `matches/records/review.py`, and `render/review.py` draws it. The story is
for everybody who may see the match. Moments are shown to whoever played the seat, until they post them.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from cogs.look.replay import HERE, MOMENT, STORY, playing_on, posted_by, posting
from cogs.post import pictures
from cogs.press import components
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from cogs.text import reviewed, words
from games import GAMES
from matches.api import Match, NotFound, OwnMoment, Ply, Review
from render.style import Mark

REVIEW: Final = "review"
TURNED: Final = "turned"
AGAIN: Final = "again"

_GONE: Final = "That moment isn't in the review any more. Use `/match review`."


async def show(press: Press, match: Match) -> None:
    """Show a review, or how far it is. The first press begins it."""
    review = await press.host.reviews.ask(match.id, press.person, again=AGAIN in press.ref.path)
    await answer(press, await story(review) if review.finished else _under_way(review))


def _under_way(review: Review) -> Message:
    title, ref = words.title(review.match), Ref(REVIEW, review.match.id, None, (HERE,))
    if review.ahead:
        others = "One other review comes" if review.ahead == 1 else f"{review.ahead} other reviews come"
        text = f"{title}: your review is in the queue. {others} first."
    else:
        text = f"{title}: I'm going through the match. {review.progress:.0%} done."
    text += "\n-# That takes a minute or two. It waits here, and behind `/match review`."
    return Message(text, view=components.view(components.button(ref, "Look again")))


async def story(review: Review, *, posted: bool = False) -> Message:
    """Return how the match went: a picture, and the same in words. `posted`: for everybody, without buttons."""
    match = review.match
    picture = await pictures.review(match, reviewed.outline(review))
    heading = f"{words.title(match)} · how the match went"
    if posted:
        return Message(heading, [picture], in_words=reviewed.in_words(review))
    rows = [heading]
    if review.seat is not None and not review.own:
        rows.append(reviewed.NOTHING)
    if review.outdated:
        rows.append(reviewed.OUTDATED)
    items: list[discord.ui.Item[Any]] = []
    if review.own:
        label = "My moment" if len(review.own) == 1 else f"My {len(review.own)} moments"
        items.append(components.button(Ref(TURNED, match.id, None, ("1",)), label, discord.ButtonStyle.primary))
    if review.outdated:
        items.append(components.button(Ref(REVIEW, match.id, None, (AGAIN,)), "Review again"))
    items.append(posting(match, STORY))
    return Message("\n".join(rows), [picture], components.view(*items), in_words=reviewed.in_words(review))


async def _turned(press: Press, match: Match) -> None:
    """A moment of the person's own seat."""
    review = await press.host.reviews.look(match.id, press.person)
    number, own = _moment(review, press.ref.path)
    message = await _page(review, own, number)
    items: list[discord.ui.Item[Any]] = []
    for label, other in (("◀ Back", number - 1), ("Next ▶", number + 1)) if len(review.own) > 1 else ():
        outside = not 1 <= other <= len(review.own)
        items.append(components.button(Ref(TURNED, match.id, None, (str(other),)), label, disabled=outside))
    items.append(components.button(Ref(REVIEW, match.id, None, (HERE,)), "The match"))
    replay = await press.host.look.replay(match.id, press.person)
    items.append(posting(match, MOMENT, None, (str(number),)))
    message.view = components.view(*items, *playing_on(replay, Ply(own.moment.decision.ply), 2))
    await answer(press, message)


def _moment(review: Review, path: tuple[str, ...]) -> tuple[int, OwnMoment]:
    """Return the moment that a button names, of the presser's own. Raises NotFound."""
    number = int(path[0]) if path and path[0].isascii() and path[0].isdigit() else 0
    if not 1 <= number <= len(review.own):
        raise NotFound(_GONE)
    return number, review.own[number - 1]


async def _page(review: Review, own: OwnMoment, number: int, *, posted: bool = False) -> Message:
    match, state = review.match, GAMES[review.match.game].state
    marks = []
    for mark, action in enumerate((own.played, own.better), 1):
        places = [choice.place for choice in state.notation.choices(own.seen, action) if choice.place is not None]
        marks += [Mark(mark, places[-1])] if places else []
    if len({mark.place for mark in marks}) < 2:
        marks = []
    shown = await pictures.as_seen(match, own.seen, tuple(marks))
    text = reviewed.moment(review, own, number, posted=posted)
    if marks:
        text += f"\n-# On the board, 1 is {'what was played' if posted else 'your move'} and 2 the better one."
    return Message(text, shown, in_words=pictures.position_in_words(match, own.seen))


async def posted(press: Press, match: Match, what: str, path: tuple[str, ...]) -> Message:
    """Return what somebody posts for everybody: the story, or a moment of their own. Raises NotFound."""
    review = await press.host.reviews.look(match.id, press.person)
    if not review.finished:
        raise NotFound(_GONE)
    if what == STORY:
        message = await story(review, posted=True)
    else:
        number, own = _moment(review, path)
        message = await _page(review, own, number, posted=True)
    message.content += f"\n{posted_by(press.person)}"
    return message


HANDLERS: Final[dict[str, Verb]] = {
    REVIEW: of_match(show, edits=lambda ref: bool(ref.path)),
    TURNED: of_match(_turned, edits=True),
}
