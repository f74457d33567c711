"""The host of all matches: lobby, seats, turns, time, and what has to be told to whom."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta

from db import Database
from matches.clock import Clock, SystemClock
from matches.records import Match, NewMatch, Person, Shown, Telling, Verification, View, Vote


class Host:
    """Runs matches. Every method is one short transaction; every refusal is a `HostError` and changes nothing."""

    def __init__(
        self,
        database: Database,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock or SystemClock()
        self._entropy = entropy

    # The lobby.

    async def open(self, request: NewMatch, host: Person) -> Match:
        """Open a lobby; the host sits down at once. Raises NotFound or Refused (players, options)."""
        raise NotImplementedError

    async def join(self, match_id: int, person: Person) -> Match:
        """Sit down (nothing happens to who sits already); the match starts when its wanted size is reached."""
        raise NotImplementedError

    async def leave(self, match_id: int, user_id: int) -> Match:
        """Stand up before the start. The host hands the table on; an empty table is cancelled."""
        raise NotImplementedError

    async def remove(self, match_id: int, by: int, user_id: int) -> Match:
        """The host removes somebody before the start."""
        raise NotImplementedError

    async def add_computer(self, match_id: int, by: int, level: str = "normal") -> Match:
        """The host adds a computer player; the match starts when its wanted size is reached."""
        raise NotImplementedError

    async def remove_computer(self, match_id: int, by: int) -> Match:
        """The host removes the computer player added last."""
        raise NotImplementedError

    async def start(self, match_id: int, by: int) -> Match:
        """The host starts: seats are drawn from the seed, the first chance lines stored."""
        raise NotImplementedError

    async def cancel(self, match_id: int, by: int, moderator: bool = False) -> Match:
        """Cancel a lobby (host, moderators) or end a match (moderators; else a vote of the seated persons).

        When the vote is still open the status is unchanged and `Match.ballots` tells who has voted.
        """
        raise NotImplementedError

    async def rematch(self, match_id: int, person: Person) -> Match:
        """A new lobby for the same people at the same place; whoever asks second joins the first one's."""
        raise NotImplementedError

    # What Discord tells.

    async def note_dm(self, user_id: int, open: bool) -> None:
        """Remember whether this person's direct messages are open."""
        raise NotImplementedError

    async def set_lobby_message(self, match_id: int, message_id: int) -> None:
        """Remember the lobby message."""
        raise NotImplementedError

    async def set_thread(self, match_id: int, thread_id: int | None) -> None:
        """Remember the thread in which the match is played (``None``: the channel after all)."""
        raise NotImplementedError

    async def set_board_message(self, match_id: int, message_id: int, ply: int) -> None:
        """Remember the latest board post and the ply it shows; an older one than known changes nothing."""
        raise NotImplementedError

    # Play.

    async def act(
        self,
        match_id: int,
        user_id: int,
        text: str,
        *,
        ply: int | None = None,
        interaction_id: int | None = None,
        typed: bool = False,
    ) -> Match:
        """Take an action, given as canonical text, or as people type it (`typed`).

        `ply` is the one of the board that was pressed: an older one raises Stale. An `interaction_id` that was seen
        before changes nothing. Raises NotFound, NotSeated, NotYourTurn, WrongTime, NotAllowed, Frozen, Refused.
        """
        raise NotImplementedError

    async def resign(self, match_id: int, user_id: int, interaction_id: int | None = None) -> Match:
        """Give up: with two players the other wins, with more the computer plays on (P15)."""
        raise NotImplementedError

    async def take_back(self, match_id: int, user_id: int, interaction_id: int | None = None) -> Match:
        """Whoever comes back takes the seat over from the computer (P14)."""
        raise NotImplementedError

    async def vote(self, match_id: int, user_id: int, choice: Vote) -> Match:
        """What to do about somebody whose time is up (P13): WAIT, COMPUTER or END."""
        raise NotImplementedError

    async def verify(self, match_id: int) -> Verification:
        """Check commitment, seats and every chance line of a match that is over against its seed."""
        raise NotImplementedError

    # Views.

    async def match(self, match_id: int) -> Match:
        """The match as it stands. Raises NotFound."""
        raise NotImplementedError

    async def view(self, match_id: int, user_id: int | None) -> View:
        """The position as this person may see it. Raises NotFound, WrongTime before the start, Frozen."""
        raise NotImplementedError

    async def history(self, match_id: int, user_id: int | None, since: int = 0) -> tuple[Shown, ...]:
        """The lines from number `since` on as this person may see them: whole once the match is over."""
        raise NotImplementedError

    async def matches_of(self, user_id: int) -> tuple[Match, ...]:
        """This person's matches that are not over: those that wait for him first, then the newest first."""
        raise NotImplementedError

    async def matches_in(self, place_id: int) -> tuple[Match, ...]:
        """The lobbies and running matches of a channel or thread, newest first."""
        raise NotImplementedError

    async def recent(self, user_id: int, limit: int = 25) -> tuple[Match, ...]:
        """This person's finished matches, the latest first."""
        raise NotImplementedError

    # The outbox.

    async def claim(self, lease: timedelta, match_id: int | None = None, limit: int = 100) -> tuple[Telling, ...]:
        """What has to be told now (of one match, or of all), oldest first, leased for so long to the caller."""
        raise NotImplementedError

    async def told(self, telling_id: int) -> None:
        """It was told (or is no longer worth telling)."""
        raise NotImplementedError

    async def retry(self, telling_id: int, after: timedelta) -> None:
        """It could not be told: offer it again after this time."""
        raise NotImplementedError

    # Time.

    async def run_due(self) -> bool:
        """Carry out what is due: reminders, overdue turns, lobbies to close, computers' turns. True if anything was."""
        raise NotImplementedError
