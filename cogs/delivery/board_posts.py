"""Posts the boards of a match: a new post each turn, or one that is edited (P4).

A server chooses that by `/settings server`. Where one board is edited, a short message of its own calls the
player whose turn it is, since Discord notifies nobody of an edit. A board that is posted anew calls them itself.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from discord.utils import snowflake_time

from cogs.delivery.posting import Deliverer
from cogs.post import boards
from cogs.text import words
from matches.api import BoardPost, Kind, Match, Status, Telling

BOARD_STAYS: Final = timedelta(days=1)
"""A board that is older is posted anew: it lies far above what was written since, and Discord limits its edits."""


class BoardPosts(Deliverer):
    """Sends the boards of matches to Discord."""

    async def tell(self, row: Telling, match: Match) -> BoardPost | None:
        """Show the board, unless a later one was shown."""
        if match.status is Status.RUNNING and row.ply >= match.board_ply:
            return await self.show(row, match)
        return None

    async def tell_anew(self, row: Telling, match: Match) -> BoardPost | None:
        """Post the board at the bottom, because somebody has asked for it, or its time was given back (`row.seat`)."""
        if match.status is not Status.RUNNING or (match.turn_ply > row.ply and not match.one_board):
            return None
        return await self.show(row, match, anew=True)

    async def show(self, row: Telling, match: Match, *, anew: bool = False) -> BoardPost | None:
        """Edit the latest board, where the match has one that is edited, or post it. `anew`: don't edit."""
        view = await self.posting.view(match, None)
        given_back = row.kind is Kind.ANEW and row.seat is not None
        last = None if match.board_message_id is None else snowflake_time(match.board_message_id)
        notice = await self.bot.host.operating.announcement(last)
        message, is_moment, beside_call, turn, posted = await boards.board_post(
            self.bot, view, rings=row.rings and not row.quiet, given_back=given_back, notice=notice
        )
        # A big moment and the end of a round each have a post of their own, and the next board comes below it. But
        # computers that play alone show everything in one post (P26).
        anew = anew or ((is_moment or match.board_ply < view.round_ply) and not match.of_computers)
        if not anew and self._is_edited(match):
            edit, now = message, turn
            if _calls(row, match):
                edit, now = replace(message, content=beside_call), words.whose_turn(view, ping=False)
            if await self.posting.edit_board(match, edit, row):
                self.bot.boards_posted[match.board_message_id or 0] = edit.content, now
                return None if match.of_computers else await self._with_call(row, match)
        sent = await self.posting.post(match, replace(message, content=posted), row)
        self.bot.boards_posted[sent.id] = sent.content, turn
        return BoardPost(match.id, sent.id, view.ply, alone=match.one_board, stays=is_moment)

    async def tell_refresh(self, row: Telling, match: Match) -> BoardPost | None:
        """Update the buttons of the latest board, unless a newer board is due. If it is gone, post it again."""
        if match.status is not Status.RUNNING or match.board_ply >= match.ply or match.of_computers:
            return None
        buttons = boards.board_buttons(await self.posting.view(match, None))
        if await self.posting.edited(match.place_id, match.board_message_id, view=buttons):
            return None
        return await self.show(row, match, anew=True)

    def _is_edited(self, match: Match) -> bool:
        """Whether the latest board is edited instead of posting another one."""
        if match.board_message_id is None or match.of_computers:
            return match.of_computers
        is_young = match.board_at is not None and self.bot.host.now() - match.board_at < BOARD_STAYS
        return match.one_board and is_young

    async def _with_call(self, row: Telling, match: Match) -> BoardPost:
        """Call the player whose turn it is after an edit, if they want to be called in the match's place."""
        board = match.board_message_id
        assert board is not None
        edited = BoardPost(match.id, board, match.ply, alone=True)
        seat = match.mover
        if seat is None or not _calls(row, match):
            return edited
        # Discord takes a second message under the same nonce for the first one.
        call = await self.posting.post(
            match, boards.call(match, seat, board, pings=not row.quiet), row, nonce=f"{row.id}-call"
        )
        return edited._replace(call_id=call.id, turn_ply=match.turn_ply)


def _calls(row: Telling, match: Match) -> bool:
    """Whether a message of its own follows an edited board: the player wants to be called in the match's place."""
    seat = match.mover
    return row.rings and seat is not None and seat.present and seat.rings_in_place
