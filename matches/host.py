"""The host of all matches: lobby, seats, turns, votes, time, and what has to be told to whom."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from db import Database
from db.leases import Shards
from matches.absence import Absence
from matches.archive import Archive
from matches.clock import Clock, SystemClock
from matches.computers import Computers
from matches.delivery.dms import DirectMessages, Ration
from matches.delivery.reach import Reach
from matches.delivery.thinking import Thinker
from matches.lobby import Lobbies
from matches.play import Play
from matches.privacy import Privacy
from matches.replay import Replays
from matches.settings import Settings
from matches.votes import Votes


class Host(Lobbies, Play, Votes, Absence, Replays, Archive, Settings, Privacy, DirectMessages, Reach, Thinker):
    """Runs matches.

    Every method is one short transaction (or only reads); every refusal is a `HostError` with a sentence for the
    person, and changes nothing. All times come from `clock`, all randomness from `entropy`, which draws the secret
    seed of each match; `computers` are the computer players. Without any, such play as think little and at once.
    Of several hosts over one store each needs a `name` of its own (`Desk.name`), and `shards` where it carries some.
    `ration` says how many direct messages may be opened anew.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        computers: Computers | None = None,
        name: str | None = None,
        shards: Shards | None = None,
        ration: Ration | None = None,
    ) -> None:
        super().__init__(database, clock or SystemClock(), entropy)
        self.name = name or self.name
        self.shards = shards
        self.ration = ration or self.ration
        self._computers = computers or Computers.casual()
