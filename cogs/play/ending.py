"""**End …** closes a table or ends a match (P18). It first says what that does, and asks."""

from __future__ import annotations

from typing import Final

from cogs.press import rights
from cogs.press.components import Verb, of_match, question
from cogs.press.custom_ids import Ref, expect
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import words
from matches.api import Cancelling, Match, UserId

_QUESTIONS: Final = {
    Cancelling.CLOSE: ("close this table? Everybody at it will have to leave.", "Yes, close it"),
    Cancelling.LEAVE: (
        "leave this table? The others had said they'd play, so they keep it, and one of them becomes its host.",
        "Yes, leave it",
    ),
    Cancelling.END: ("end this match now, for everybody? Nobody wins.", "Yes, end it"),
    Cancelling.VOTE: (
        "ask the table to end this match? It ends without a winner once more than half of the players agree.",
        "Yes, ask",
    ),
}


async def ask_cancel(press: Press, match: Match) -> None:
    """Tell somebody what cancelling does, and ask. Raises like `votes.cancelling`."""
    moderator = await rights.is_moderator(press, match)
    what = await press.host.votes.cancelling(match.id, press.person, moderator=moderator)
    asked, agree = _QUESTIONS[what]
    text = f"{words.title(match)}: {asked}{_meaning(match, what, press.person)}"
    await whisper(press, question(text, Ref("cancelled", match.id, None, (what.value,)), agree))


def _meaning(match: Match, what: Cancelling, by: UserId) -> str:
    """A sentence about what it means for ratings and for the person who asks, or nothing."""
    seat, others = match.seat_of(by), len(match.present) > 1
    if what is Cancelling.END and seat is not None and seat.present and others:
        return " For you it counts as not finished."
    if what is not Cancelling.VOTE or not match.rated:
        return ""
    if not others:
        return " It counts as it stands: you can lose rating by it, but not gain."
    return " If everybody agrees, it isn't rated. If not, it counts as it stands: you can lose rating, but not gain."


async def _cancel(press: Press, match: Match) -> None:
    """Do what was asked about, if it is still the same: the table and the person's rights may have changed."""
    expect(press.ref.path in {(what.value,) for what in Cancelling})
    meant, moderator = Cancelling(press.ref.path[0]), await rights.is_moderator(press, match)
    after = await press.host.votes.cancel(press.once(match.id), press.person, moderator=moderator, meant=meant)
    sentence = words.cancelled(after, press.host.now())
    await answer(press, Message(f"{words.title(after)}: {sentence}"))


HANDLERS: Final[dict[str, Verb]] = {"askcancel": of_match(ask_cancel), "cancelled": of_match(_cancel, edits=True)}
