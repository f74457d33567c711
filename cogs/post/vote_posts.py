"""Makes the posts that ask the table a question, and those that say it was closed (P13, P14, P17, P18, P33)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import discord

from cogs.post.boards import mentions_of, ringing
from cogs.press import components
from cogs.press.custom_ids import NO, YES, Ref
from cogs.press.reply import Message
from cogs.text import names, words
from matches.api import Application, Details, Kind, Match, Seat, Telling, Vote
from matches.table.questions import Asks, Question, question


def vote_post(match: Match, details: Details, absent: Seat) -> Message:
    """Return the question about an absent player: their time is up (P13), or Discord keeps them from playing (P17)."""
    others = match.voters
    what = "has run out of time" if match.cut_off is None else "can't play right now"

    def press(vote: Vote, label: str) -> components.Item:
        return components.button(Ref("vote", match.id, match.ply, (vote.value, str(details.asked))), label)

    note = ""
    if details.asked == 1 and match.turn_due is not None:
        note = f" If you can't agree, I'll ask again {discord.utils.format_dt(match.turn_due, 'R')}."
    if match.rated and match.cut_off is not None:
        note += f"\n-# If you don't wait, it isn't rated, unless {names.of(absent)} was excused here within 30 days."
    elif match.rated and absent.acted:
        note += f"\n-# If you end it, it's rated only against {names.of(absent)}."
    elif match.rated:
        note += "\n-# They haven't moved yet: ending it costs nobody else anything."
    if details.closes_at is not None:
        when = discord.utils.format_dt(details.closes_at, "R")
        note += f"\n-# If nobody does anything, the match ends by itself {when}."
    return Message(
        f"{words.title(match)}: {names.of(absent)} {what}. {mentions_of(*others)}\nWhat should the table do?{note}",
        view=components.view(
            press(Vote.WAIT, "Wait longer"),
            press(Vote.COMPUTER, "Computer takes over"),
            press(Vote.END, "End the match"),
        ),
        mentions=ringing(*others),
    )


def cancel_vote_post(match: Match, now: datetime) -> Message:
    """Return the question whether to end the match, which somebody wants (P18)."""
    asking, others = _asking(match, Vote.CANCEL)
    sentence = f"{asking} would like to end this match without a winner; more than half of the players must agree."
    asked = question(match, now, Asks.CANCEL)
    message = _yes_or_no(match, asked, sentence, others, "cancel", "End the match", components.Style.danger)
    if match.rated:
        message.content += (
            "\n-# If you all agree, it isn't rated. If not, it counts as it stands, and who wants to end it can't gain."
        )
    return message


def undo_post(match: Match, now: datetime) -> Message:
    """Return the question whether somebody may take the last move back (P33)."""
    asking, others = _asking(match, Vote.UNDO)
    sentence = (
        f"{asking} would like to take the last move back. It happens if everybody agrees; if you'd rather not, say No "
        "or just play on."
    )
    return _yes_or_no(match, question(match, now, Asks.UNDO), sentence, others, "undo", "Agree")


def _asking(match: Match, vote: Vote) -> tuple[str, list[Seat]]:
    """Return the names of the people with this vote, and the seats of the others, who are asked."""
    voted = [ballot.user_id for ballot in match.ballots if ballot.vote is vote]
    asking = [names.of(seat) for seat in match.present if seat.user_id in voted]
    return " and ".join(asking) or "Somebody", [seat for seat in match.present if seat.user_id not in voted]


def application_post(match: Match, application: Application, now: datetime) -> Message:
    """Return the question whether somebody may take a seat that a computer plays (P14)."""
    who, whose = names.asking(match, application), names.of(match.seats[application.seat])
    sentence = f"{who} would like to take over the seat of {whose}; more than half of the players must agree."
    asked = question(match, now, Asks.SEAT, application.user_id)
    return _yes_or_no(match, asked, sentence, match.present, "agree", "Agree")


def question_closed(match: Match, row: Telling) -> Message:
    """Return the post that a question was closed, because too many said No or too few answered in time."""
    if row.kind is Kind.NOT_ENDED:
        what = "not enough of you agreed to end the match, so it goes on."
    elif row.kind is Kind.NOT_UNDONE:
        what = "not everybody agreed to take the last move back, so it stands."
    else:
        whose = names.of(match.seats[row.seat or 0])
        what = f"<@{row.user_id}> doesn't get the seat of {whose}: it isn't free any more, or not enough of you agreed."
    return Message(f"{words.title(match)}: {what}")


def _yes_or_no(
    match: Match,
    asked: Question | None,
    sentence: str,
    others: Sequence[Seat],
    verb: str,
    label: str,
    style: components.Style = components.Style.secondary,
) -> Message:
    """Return a question to these people. Its buttons answer only that question; a closed one has no buttons."""
    buttons = []
    if asked is not None:
        sentence += f" This question closes {discord.utils.format_dt(asked.expires, 'f')}."
        about = () if asked.application is None else (str(asked.application.user_id),)
        yes, no = (Ref(verb, match.id, asked.ply, (answer, str(asked.number), *about)) for answer in (YES, NO))
        buttons = [components.button(yes, label, style), components.button(no, "No")]
    content = f"{words.title(match)}: {sentence} {mentions_of(*others)}"
    return Message(content, view=components.view(*buttons), mentions=ringing(*others))
