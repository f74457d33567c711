"""Fair deals: all draws follow from a seed that the lobby commits to, and from the presses after that.

`docs/fair-deals.md` specifies this, so that anybody can check a match in any language. Every hash is that of one line
of ASCII text, so ``printf %s "…" | sha256sum`` computes it by hand.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from db.model.ids import MatchId, Ply
from games.core.hashed import HashedRng

SEED_BYTES: Final = 32

SCHEME: Final = 2
"""The version of `docs/fair-deals.md` that new matches use. Every match keeps the version that it was opened with."""

RESTORED: Final = "restored"

POST: Final = "post"
"""The kind of entry in `Draws.pressed` for the lobby's message, which counts if the match starts without a press."""


class Stream(HashedRng):
    """The random numbers of one draw of one match: an `Rng` that everybody can repeat once they know the seed.

    `draw` is its name (``seats``, ``chance-0``, …). Draws are independent, however many numbers each uses. `key` is
    the hash of the presses, which version 1 doesn't have.
    """

    def __init__(self, seed: bytes, match_id: MatchId, draw: str, key: str | None = None) -> None:
        tail = f" seed={seed.hex()}" if key is None else f" key={key} seed={seed.hex()}"
        super().__init__(f"ambit/{1 if key is None else 2} match={match_id} draw={draw} block=", tail)


class Draws(NamedTuple):
    """All draws of one match.

    `pressed` is what counts in them beside the `seed`, in order: ``join-8``, ``leave-9`` and ``start-10`` with the
    numbers of the interactions, or ``post-11`` with that of the lobby's message; and ``restored-2-5`` where the store
    was restored for the second time, for the chance lines from number 5 on.
    """

    seed: bytes
    match_id: MatchId
    scheme: int = SCHEME
    pressed: tuple[str, ...] = ()

    @property
    def commitment(self) -> str:
        """The commitment that the lobby publishes: 64 hexadecimal digits. It is bound to this match by its number."""
        return _hash(f"ambit/{self.scheme} match={self.match_id} seed={self.seed.hex()}")

    def seats(self, players: int, first: int | None = None) -> tuple[int, ...]:
        """The lobby's positions in the order of the seats: entry *i* is the position that gets seat *i*.

        `first`: the seat that position 0 has without a draw (`games.log.Branch`). Only the others are drawn then.
        """
        order = list(range(players))
        self._stream("seats", 0).shuffle(order)
        if first is not None:
            order.remove(0)
            order.insert(first, 0)
        return tuple(order)

    def branch(self, number: int) -> str:
        """The seed of a `games.log.Branch` before chance line `number`: 32 hexadecimal digits."""
        stream = self._stream("branch", number)
        return f"{stream.word():016x}{stream.word():016x}"

    def chance(self, number: int) -> Stream:
        """The random numbers of the match's chance line `number`. Chance lines alone are counted, from 0."""
        return self._stream(f"chance-{number}", number)

    def computer(self, ply: Ply, number: int) -> Stream:
        """The random numbers of a computer that thinks at this ply, before chance line `number`."""
        return self._stream(f"computer-{ply}", number)

    def _stream(self, draw: str, number: int) -> Stream:
        if self.scheme == 1:
            return Stream(self.seed, self.match_id, draw)
        counted = (press for press in self.pressed if _counts(press, number))
        key = _hash(f"ambit/{self.scheme} match={self.match_id} presses={','.join(counted)}")
        return Stream(self.seed, self.match_id, draw, key)


def restores(pressed: tuple[str, ...]) -> int:
    """Return the restore count that the match knows."""
    known = (press.split("-")[1] for press in reversed(pressed) if press.startswith(RESTORED))
    return int(next(known, 0))


def _counts(press: str, number: int) -> bool:
    """Whether this press counts for the chance line with this number."""
    what, *numbers = press.split("-")
    return what != RESTORED or int(numbers[1]) <= number


def _hash(line: str) -> str:
    return sha256(line.encode("ascii")).hexdigest()
