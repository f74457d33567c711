"""What becomes of a seat: reminding who has it, resigning, leaving, coming back, another in it, and votes (P13-P18)."""

from __future__ import annotations

from typing import Final

import discord

from cogs.post import boards
from cogs.press import components
from cogs.press.custom_ids import ANYWAY, NO, YES, Ref, id_in, match_of
from cogs.press.reply import Interaction, Message, in_time, turn_into, whisper
from cogs.text import names, rated, words
from matches.api import Leaving, Match, MatchId, NotAllowed, Ply, Status, UserId, View, Vote

_STYLE = discord.ButtonStyle

_SAID_NO: Final = "your No has been counted."


async def _remind(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Remind**: one ping a turn to the person on turn, whoever asks for it."""
    reminding = interaction.client.host.votes.remind(match_of(ref), UserId(interaction.user.id))
    match = await in_time(interaction, reminding)
    told = f"I've reminded {names.of(match.mover)}." if match.mover is not None else "I've sent a reminder."
    await whisper(interaction, Message(told))


async def ask_resign(interaction: Interaction, match: Match) -> None:
    """Before somebody resigns they read what that means. Raises as the host does for who cannot resign.

    Who can still call the match off is asked about that instead.
    """
    match.check_running()
    seat = match.own_seat(UserId(interaction.user.id))
    if seat.computer is None and await _leaving(interaction, match) is Leaving.ABORT:
        await _ask_abort(interaction, match)
        return
    meaning = "A computer plays your seat to the end; you can't come back."
    if len(match.seats) == 2 and not seat.replaced:
        meaning = "Your opponent wins at once."
        if not all(each.acted or each.level is not None for each in match.seats):
            meaning += " You haven't both moved yet, so it isn't rated, and for you it counts as not finished."
    yes = components.button(Ref("resigned", match.id), "Yes, resign", _STYLE.danger)
    await whisper(
        interaction, Message(f"{words.title(match)}: resign from this match? {meaning}", view=components.view(yes))
    )


async def _leaving(interaction: Interaction, match: Match) -> Leaving:
    """What leaving this match would do now."""
    return await in_time(interaction, interaction.client.host.play.leaving(match.id, UserId(interaction.user.id)))


async def _ask_abort(interaction: Interaction, match: Match) -> None:
    yes = components.button(Ref("depart", match.id, None, (Leaving.ABORT.value,)), "Yes, call it off", _STYLE.danger)
    meaning = (
        "You haven't moved yet, so nobody wins and it isn't rated. For you it counts as not finished. "
        "You can do this once a day on this server; after that, leaving is resigning."
    )
    await whisper(
        interaction, Message(f"{words.title(match)}: call this match off? {meaning}", view=components.view(yes))
    )


async def _ask_resign(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await ask_resign(interaction, await interaction.client.host.look.match(match_of(ref)))


async def _resign(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    resigning = interaction.client.host.play.resign(match_of(ref), UserId(interaction.user.id), interaction.id)
    match = await in_time(interaction, resigning, edit=True)
    await turn_into(interaction, Message(f"{words.title(match)}: you've resigned."))


async def _return(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Take my seat back** from the computer (P14)."""
    returning = interaction.client.host.play.take_back(match_of(ref), UserId(interaction.user.id), interaction.id)
    match = await in_time(interaction, returning, edit=True)
    view: View = await interaction.client.host.look.view(match.id, UserId(interaction.user.id))
    sentence = f"Welcome back. {words.whose_turn(view, ping=False)}"
    await turn_into(interaction, await in_time(interaction, boards.now(view, sentence), edit=True))


async def _vote(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """What the table decides about somebody whose time is up (P13)."""
    if ref.path[:1] not in {(vote.value,) for vote in Vote}:
        raise NotAllowed(words.OUT_OF_DATE)
    time = int(ref.path[1]) if len(ref.path) > 1 and ref.path[1].isdecimal() else None
    voting = interaction.client.host.votes.vote(
        match_of(ref), UserId(interaction.user.id), Vote(ref.path[0]), ply=ref.ply, time=time
    )
    match = await in_time(interaction, voting)
    await whisper(interaction, Message(f"{words.title(match)}: your vote has been counted."))


def _answer(ref: Ref) -> tuple[bool, int, tuple[str, ...]]:
    """Whether Yes was pressed, at the question with this number, and what else the button says. Raises NotAllowed."""
    if len(ref.path) < 2 or ref.path[0] not in (YES, NO) or not ref.path[1].isdecimal():
        raise NotAllowed(words.OUT_OF_DATE)
    return ref.path[0] == YES, int(ref.path[1]), ref.path[2:]


async def _cancel(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """Somebody agrees to end the match, or doesn't (P18)."""
    votes, by = interaction.client.host.votes, UserId(interaction.user.id)
    match = await interaction.client.host.look.match(match_of(ref))
    match.own_seat(by)
    yes, number, _ = _answer(ref)
    if not yes:
        after = await in_time(interaction, votes.keep(match.id, by, number))
        await whisper(interaction, Message(f"{words.title(after)}: {_SAID_NO}"))
        return
    ending = votes.cancel(match.id, by, interaction_id=interaction.id, number=number)
    after = await in_time(interaction, ending)
    await whisper(
        interaction, Message(f"{words.title(after)}: {words.cancelled(after, interaction.client.host.now())}")
    )


async def take_move_back(
    interaction: Interaction, number: MatchId, ply: Ply | None = None, asked: int | None = None
) -> None:
    """Somebody would like the last move to be taken back, or agrees to that (P33); `asked` numbers the question."""
    asking = interaction.client.host.votes.undo(
        number, UserId(interaction.user.id), ply=ply, asked=asked, interaction_id=interaction.id
    )
    match = await in_time(interaction, asking)
    waiting = any(ballot.vote is Vote.UNDO for ballot in match.ballots)
    sentence = "I've asked the others; it happens if everybody agrees." if waiting else "the last move was taken back."
    seat = match.seat_of(UserId(interaction.user.id))
    alone = seat is not None and seat.helped and len(match.present) == 1
    note = f"\n{rated.NO_GAIN}" if match.rated and alone and not waiting else ""
    await whisper(interaction, Message(f"{words.title(match)}: {sentence}{note}"))


async def _undo(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    if not ref.path:  # under **More**
        await take_move_back(interaction, match_of(ref), ref.ply)
        return
    yes, number, _ = _answer(ref)
    if yes:
        await take_move_back(interaction, match_of(ref), asked=number)
        return
    declining = interaction.client.host.votes.decline(match_of(ref), UserId(interaction.user.id), number)
    match = await in_time(interaction, declining)
    await whisper(interaction, Message(f"{words.title(match)}: {_SAID_NO}"))


async def ask_for_seat(interaction: Interaction, number: MatchId, name: str | None, *, anyway: bool = False) -> None:
    """Ask the table for a seat that the computer plays (P14)."""
    applying = interaction.client.host.absence.apply(number, names.person(interaction.user), name, anyway=anyway)
    match = await in_time(interaction, applying, edit=anyway)
    answer = turn_into if anyway else whisper
    await answer(
        interaction,
        Message(f"{words.title(match)}: I've asked the table. `/match list` shows the match if you get the seat."),
    )


async def _sit(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    number, (anyway, *seat) = match_of(ref), ref.path or ("",)
    match = await interaction.client.host.look.match(number)
    name = names.as_stored(match, seat[0]) if len(seat) == 1 else None
    await ask_for_seat(interaction, number, name, anyway=anyway == ANYWAY)


async def _agree(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """Somebody at the table agrees that another person takes a seat, or doesn't (P14)."""
    yes, number, who = _answer(ref)
    applicant = UserId(id_in(who[0] if len(who) == 1 else ""))
    agreeing = interaction.client.host.absence.agree(
        match_of(ref), UserId(interaction.user.id), applicant, yes=yes, number=number
    )
    match = await in_time(interaction, agreeing)
    sentence = "you've agreed; more than half of the players must." if yes else _SAID_NO
    if yes and match.seat_of(applicant) is not None:
        sentence = "they have the seat now."
    await whisper(interaction, Message(f"{words.title(match)}: {sentence}"))


async def ask_depart(interaction: Interaction, match: Match) -> None:
    """Before somebody leaves a match that runs they read what that means (P15). Raises as the host does."""
    what = await _leaving(interaction, match)
    if what is Leaving.ABORT:
        await _ask_abort(interaction, match)
        return
    if what is Leaving.RESIGN:
        await ask_resign(interaction, match)
        return
    yes = components.button(Ref("depart", match.id, None, (what.value,)), "Yes, leave", _STYLE.danger)
    sentence = "A computer plays for you until you return, or someone takes your seat if the table agrees."
    note = f"\n{rated.LEAVING}" if match.rated else ""
    await whisper(
        interaction, Message(f"{words.title(match)}: leave this match? {sentence}{note}", view=components.view(yes))
    )


async def _ask_depart(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await ask_depart(interaction, await interaction.client.host.look.match(match_of(ref)))


async def _depart(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    if ref.path and ref.path not in {(what.value,) for what in Leaving}:
        raise NotAllowed(words.OUT_OF_DATE)
    meant = Leaving(ref.path[0]) if ref.path else None
    leaving = interaction.client.host.play.depart(
        match_of(ref), UserId(interaction.user.id), interaction.id, meant=meant
    )
    match = await in_time(interaction, leaving, edit=True)
    back = components.button(Ref("return", match.id), "Take my seat back", _STYLE.success)
    view = components.view(back) if match.status is Status.RUNNING else None
    await turn_into(interaction, Message(f"{words.title(match)}: you've left.", view=view))


HANDLERS: Final[dict[str, components.Handler]] = {
    "remind": _remind,
    "resign": _ask_resign,
    "resigned": _resign,
    "return": _return,
    "vote": _vote,
    "cancel": _cancel,
    "sit": _sit,
    "agree": _agree,
    "askdepart": _ask_depart,
    "depart": _depart,
    "undo": _undo,
}
