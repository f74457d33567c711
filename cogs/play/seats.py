"""Seats in a running match: reminding, resigning, leaving, coming back, taking one over, and votes (P13-P18)."""

from __future__ import annotations

from typing import Final

from cogs.post import boards
from cogs.press import components
from cogs.press.components import Style, Verb, choice, of_match, question
from cogs.press.custom_ids import ANYWAY, NO, YES, Ref, expect, id_in
from cogs.press.reply import Message, Press, answer, whisper
from cogs.process.looks import look
from cogs.text import names, words
from matches.api import Leaving, Match, NotFound, Seat, Status, UserId, Vote
from matches.table.absence import NO_COMPUTER
from matches.table.questions import Asks

_SAID_NO: Final = "your No has been counted."

NO_GAIN: Final = "-# You can't gain rating in this match any more."
"""For somebody who had help in a rated match."""

LEAVING: Final = "-# For ratings you're last if you don't return; if you do, you can't gain, and nobody loses to you."
"""For somebody who is about to let a computer play for them in a rated match."""

EXCUSED: Final = (
    "-# You haven't moved yet, so your rating stays as it is, once a day on this server. For you it counts as not "
    "finished."
)
NOT_EXCUSED: Final = (
    "-# You've already left a match before your first move today. Once your turn has come, you're last for ratings."
)
"""For somebody who is about to leave a larger rated match before their own first move, by the day's abort or not."""


async def _remind(press: Press, match: Match) -> None:
    """**Remind**: ping the player whose turn it is, at most once a turn."""
    after = await press.host.votes.remind(match.id, press.person)
    told = f"I've reminded {names.of(after.mover)}." if after.mover is not None else "I've sent a reminder."
    await whisper(press, Message(told))


async def ask_resign(press: Press, match: Match) -> None:
    """Tell somebody what resigning means, and ask. Raises HostError if they can't resign.

    A person who can still call the match off is asked about that instead.
    """
    match.check_running()
    seat = match.own_seat(press.person)
    what = None if seat.computer is not None else await press.host.play.leaving(match.id, press.person)
    if what is Leaving.ABORT:
        await _ask_abort(press, match)
        return
    meaning = "A computer plays your seat to the end; you can't come back."
    if len(match.seats) == 2 and not seat.replaced:
        meaning = "Your opponent wins at once."
        if match.rated and not seat.acted and match.to_move == seat.seat and _others_moved(match, seat):
            meaning += " You've called off a match today, so now you're last for ratings; it counts as not finished."
        elif not (seat.acted and _others_moved(match, seat)):
            meaning += " You haven't both moved yet, so it isn't rated, and for you it counts as not finished."
    elif match.rated and what is not None and not seat.acted and not seat.replaced:
        meaning += f"\n{EXCUSED if what is Leaving.EXCUSED else NOT_EXCUSED}"
    text = f"{words.title(match)}: resign from this match? {meaning}"
    await whisper(press, question(text, Ref("resigned", match.id), "Yes, resign"))


def _others_moved(match: Match, seat: Seat) -> bool:
    return all(each.acted or each.level is not None for each in match.seats if each.position != seat.position)


async def _ask_abort(press: Press, match: Match) -> None:
    meaning = (
        "You haven't moved yet, so nobody wins and it isn't rated. For you it counts as not finished. "
        "You can do this once a day on this server; after that, leaving is resigning, and you're last for ratings."
    )
    yes = Ref("depart", match.id, None, (Leaving.ABORT.value,))
    await whisper(press, question(f"{words.title(match)}: call this match off? {meaning}", yes, "Yes, call it off"))


async def _resign(press: Press, match: Match) -> None:
    after = await press.host.play.resign(press.once(match.id), press.person)
    await answer(press, Message(f"{words.title(after)}: you've resigned."))


async def _return(press: Press, match: Match) -> None:
    """**Take my seat back** from the computer (P14)."""
    after = await press.host.play.take_back(press.once(match.id), press.person)
    view = await press.host.look.view(after.id, press.person)
    sentence = f"Welcome back. {words.whose_turn(view, ping=False)}"
    await answer(press, await boards.now(press.bot, view, sentence))


async def _vote(press: Press, match: Match) -> None:
    """Count a vote about somebody whose time is up (P13)."""
    path = press.ref.path
    expect(path[:1] in {(vote.value,) for vote in Vote})
    number = int(path[1]) if len(path) > 1 and path[1].isdecimal() else None
    if path[0] != Vote.WAIT and match.mover is not None and match.mover.user_id is not None:
        # Nobody wins by a vote about somebody whom Discord keeps from playing right now.
        await look(press.bot, match, match.mover.user_id)
    after = await press.host.votes.vote(match.id, press.person, Vote(path[0]), ply=press.ref.ply, number=number)
    await whisper(press, Message(f"{words.title(after)}: your vote has been counted."))


def _answer(press: Press) -> tuple[bool, int, tuple[str, ...]]:
    """Whether Yes was pressed, at the question with this number, and what else the button says. Raises NotAllowed."""
    path = press.ref.path
    expect(len(path) > 1 and path[0] in (YES, NO) and path[1].isdecimal())
    return path[0] == YES, int(path[1]), path[2:]


async def _cancel(press: Press, match: Match) -> None:
    """Count a Yes or a No to ending the match (P18)."""
    votes, by = press.host.votes, press.person
    match.own_seat(by)
    yes, number, _ = _answer(press)
    if yes:
        after = await votes.cancel(press.once(match.id), by, number=number)
        told = words.cancelled(after, press.host.now())
    else:
        after, told = await votes.refuse(match.id, by, Asks.CANCEL, number), _SAID_NO
    await whisper(press, Message(f"{words.title(after)}: {told}"))


async def take_move_back(press: Press, match: Match, asked: int | None = None) -> None:
    """Ask for the last move to be taken back, or agree to that (P33); `asked` is the question's number."""
    ply = press.ref.ply if asked is None else None
    after = await press.host.votes.undo(press.once(match.id), press.person, ply=ply, asked=asked)
    waiting = any(ballot.vote is Vote.UNDO for ballot in after.ballots)
    sentence = "I've asked the others; it happens if everybody agrees." if waiting else "the last move was taken back."
    seat = after.seat_of(press.person)
    alone = seat is not None and seat.helped and len(after.present) == 1
    note = f"\n{NO_GAIN}" if after.rated and alone and not waiting else ""
    await whisper(press, Message(f"{words.title(after)}: {sentence}{note}"))


async def _undo(press: Press, match: Match) -> None:
    """Ask the table to take a move back, or answer that question with Yes or No (P33).

    The button **Take back** behind **⋯** asks. Its custom_id has no answer.
    """
    yes, number, _ = _answer(press) if press.ref.path else (True, None, ())
    if yes or number is None:
        await take_move_back(press, match, number)
        return
    after = await press.host.votes.refuse(match.id, press.person, Asks.UNDO, number)
    await whisper(press, Message(f"{words.title(after)}: {_SAID_NO}"))


async def ask_for_seat(press: Press, match: Match) -> None:
    """Ask the table for a seat that a computer plays (P14): the one that was picked, or the only one."""
    anyway, *named = press.ref.path or ("",)
    meant = press.picked or (named[0] if len(named) == 1 else None)
    free = {names.called(seat): names.called(seat) for seat in match.seats if seat.computer is not None}
    if meant is None and len(free) > 1:
        await whisper(press, choice(f"{words.title(match)}: whose seat?", Ref("sit", match.id), free, "Whose seat?"))
        return
    wanted = None if meant is None else names.seat_called(match, meant)
    if meant is not None and wanted is None:
        raise NotFound(NO_COMPUTER)
    person, number = names.person(press.interaction.user), None if wanted is None else wanted.seat
    after = await press.host.absence.apply(match.id, person, number, anyway=anyway == ANYWAY)
    told = f"{words.title(after)}: I've asked the table. `/match` shows the match if you get the seat."
    await answer(press, Message(told))


async def _agree(press: Press, match: Match) -> None:
    """Count a Yes or a No to another person taking a seat (P14)."""
    yes, number, who = _answer(press)
    applicant = UserId(id_in(who[0] if len(who) == 1 else ""))
    after = await press.host.absence.agree(match.id, press.person, applicant, yes=yes, number=number)
    sentence = "you've agreed; more than half of the players must." if yes else _SAID_NO
    if yes and after.seat_of(applicant) is not None:
        sentence = "they have the seat now."
    await whisper(press, Message(f"{words.title(after)}: {sentence}"))


async def ask_depart(press: Press, match: Match) -> None:
    """Tell somebody what leaving a running match means, and ask (P15). Raises HostError if they can't leave."""
    what = await press.host.play.leaving(match.id, press.person)
    if what is Leaving.ABORT:
        await _ask_abort(press, match)
    elif what is Leaving.RESIGN:
        await ask_resign(press, match)
    else:
        sentence = "A computer plays for you until you return, or someone takes your seat if the table agrees."
        seat = match.own_seat(press.person)
        note = LEAVING if seat.acted or seat.replaced else NOT_EXCUSED
        if match.rated:
            sentence += f"\n{EXCUSED if what is Leaving.EXCUSED else note}"
        text = f"{words.title(match)}: leave this match? {sentence}"
        await whisper(press, question(text, Ref("depart", match.id, None, (what.value,)), "Yes, leave"))


async def _depart(press: Press, match: Match) -> None:
    path = press.ref.path
    expect(not path or path in {(what.value,) for what in Leaving})
    after = await press.host.play.depart(press.once(match.id), press.person, meant=Leaving(path[0]) if path else None)
    back = components.button(Ref("return", match.id), "Take my seat back", Style.success)
    view = components.view(back) if after.status is Status.RUNNING else None
    await answer(press, Message(f"{words.title(after)}: you've left.", view=view))


HANDLERS: Final[dict[str, Verb]] = {
    "remind": of_match(_remind),
    "resign": of_match(ask_resign),
    "resigned": of_match(_resign, edits=True),
    "return": of_match(_return, edits=True),
    "vote": of_match(_vote),
    "cancel": of_match(_cancel),
    "sit": of_match(ask_for_seat, edits=lambda ref: ref.path[:1] == (ANYWAY,)),
    "agree": of_match(_agree),
    "askdepart": of_match(ask_depart),
    "depart": of_match(_depart, edits=True),
    "undo": of_match(_undo),
}
