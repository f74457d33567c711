"""The host of all matches: its parts share the unit of work and nothing else. None imports another.

`benchmarks/host.py` measures it under load.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, TypeVar

from db import OF_MATCH, SHOWN, Database
from db.matches import queries
from db.model.ids import MatchId, UserId
from db.store.leases import Shards
from matches.computers.pool import Computers
from matches.delivery.computer_turns import Thinker
from matches.delivery.dms import DirectMessages, Ration
from matches.delivery.outbox import Outbox
from matches.delivery.presence import Presence
from matches.delivery.timekeeper import BATCH, Timekeeper
from matches.engine.clock import Clock, SystemClock
from matches.errors import NOT_OFFERED, Frozen, NotAllowed, NotFound
from matches.features import FEATURES
from matches.host.absence import Absence
from matches.host.archive import Archive
from matches.host.lobby import Lobby
from matches.host.look import Look
from matches.host.operating import Operating
from matches.host.play import Play
from matches.host.privacy import Privacy
from matches.host.reach import Reach
from matches.host.retention import Retention
from matches.host.settings import Settings
from matches.host.store_state import State
from matches.host.votes import Votes
from matches.records.seen import Done
from matches.table.feature import Feature, first
from matches.table.value import Table
from matches.work.part import FeaturePart
from matches.work.unit_of_work import UnitOfWork

P = TypeVar("P", bound=FeaturePart)

NAME: Final = "host"
"""The default name under which a host leases rows."""


class Host:
    """Runs matches.

    Every method of its parts is one short transaction, or only reads. Every refusal is a `HostError` with a sentence
    for the person, and changes nothing. All times come from `clock`. All randomness comes from `entropy`, which draws
    the secret seed of each match, and when what people said in advance is played. `computers` are the computer players
    (default: weak ones that answer immediately). Hosts that share a store need distinct names, and the `shards` that
    each carries. A restarted process keeps its predecessor's name. `ration` limits how many direct messages are opened.
    `keep_days`: how many days a match keeps its lines after its end (default: for ever).
    `features`: what people can do beside matches.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        computers: Computers | None = None,
        name: str = NAME,
        shards: Shards | None = None,
        ration: Ration | None = None,
        keep_days: int | None = None,
        features: tuple[Feature[Table], ...] = FEATURES,
    ) -> None:
        self.work = UnitOfWork(database, clock or SystemClock(), name, shards, entropy)
        self.work.keep = None if keep_days is None else timedelta(days=keep_days)
        self.work.features = features
        thinkers = computers or Computers.casual()
        made = [each.part(self.work, thinkers) for each in features if each.part is not None]
        self.parts: dict[type[FeaturePart], FeaturePart] = {type(part): part for part in made}
        self.lobby = Lobby(self.work)
        self.play = Play(self.work)
        self.votes = Votes(self.work)
        self.absence = Absence(self.work)
        self.reach = Reach(self.work)
        self.look = Look(self.work)
        self.archive = Archive(self.work)
        self.settings = Settings(self.work)
        self.operating = Operating(self.work)
        self.privacy = Privacy(self.work, made)
        self.retention = Retention(self.work)
        self.dms = DirectMessages(self.work, ration or Ration())
        self.outbox = Outbox(self.work)
        self.presence = Presence(self.work)
        self.time = Timekeeper(self.work, self.presence)
        self.state = State(self.work, database)
        self.thinking = Thinker(self.work, thinkers)
        with_chores = (self.privacy, self.retention)
        self.chores = tuple(chore for part in (*with_chores, *made) for chore in part.chores)
        """What the scheduler does in the background."""

    def part(self, kind: type[P]) -> P:
        """Return the part of the host that a feature has. Raises NotAllowed if this bot doesn't have the feature."""
        found = self.parts.get(kind)
        if not isinstance(found, kind):
            raise NotAllowed(NOT_OFFERED)
        return found

    async def done_for(self, match_id: MatchId, user_id: UserId) -> list[Done]:
        """Return what features have done for this person since they last acted by hand.

        Raises NotFound, NotSeated, NotAllowed, WrongTime, Frozen, Unavailable.
        """
        found = [await part.done_for(match_id, user_id) for part in self.parts.values()]
        return [each for each in found if each is not None]

    async def learnt(self, user_id: UserId) -> dict[str, datetime]:
        """Return, by game, when this person had learnt it here. Raises Unavailable."""
        return {game: at for part in self.parts.values() for game, at in (await part.learnt(user_id)).items()}

    async def known_games(self, user_id: UserId) -> set[str]:
        """Return the games that this person has learnt here, or played to the end. Raises Unavailable."""
        return {*await self.learnt(user_id), *(tally.game for tally in await self.archive.tally_of(user_id))}

    async def strength(self, guild_id: int, game: str, user_id: UserId) -> int | None:
        """Return how good this person is at a game on a server; ``None`` if nobody knows. Raises Unavailable."""
        return first([await part.strength(guild_id, game, user_id) for part in self.parts.values()])

    async def meant(self, user_id: UserId, game: str) -> str:
        """Return in sentences what somebody may mean who has no match of this game. Raises NotFound, Unavailable."""
        return " ".join([told for part in self.parts.values() if (told := await part.meant(user_id, game))])

    async def end_what_is_left_out(self) -> None:
        """End what features have begun that this bot doesn't have. Raises Unavailable.

        Call it once no other process carries its shards: until then, people can begin more of it there.
        """
        left_out = {}
        for feature in (each for each in FEATURES if each not in self.work.features):
            await self.work.write(feature.withdrawn, self.now(), idempotent=True)
            left_out[feature.key] = feature.left_out
        for kept in (each for each in (*OF_MATCH, *SHOWN) if each.key in left_out):
            after = 0
            while numbers := await self.work.read_at_length(None, queries.open_with, kept.table, after, BATCH):
                for after in numbers:
                    with suppress(NotFound, Frozen):
                        await self.work.change(after, left_out[kept.key])

    def now(self) -> datetime:
        """The present moment by the injected clock."""
        return self.work.now()
