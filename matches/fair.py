"""Fair deals: everything that chance decides in a match follows from a seed that its lobby commits to.

`docs/fair-deals.md` says the same in words, precisely enough to check a match in any language; every hash is one of a
line of ASCII text, so ``printf %s "…" | sha256sum`` is enough to follow it by hand.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from db.ids import MatchId, Ply

SEED_BYTES: Final = 32

_WORD_BYTES: Final = 8
_WORDS: Final = 1 << (8 * _WORD_BYTES)


def commitment(seed: bytes, match_id: MatchId) -> str:
    """What the lobby shows before anybody joins: 64 hexadecimal digits, tied to this match by its number."""
    return sha256(f"ambit/1 match={match_id} seed={seed.hex()}".encode("ascii")).hexdigest()


class Stream:
    """The random numbers of one draw of one match; an `Rng` that everybody can repeat once the seed is told.

    `draw` names what is drawn (``seats``, ``chance-0``, …): no draw can be influenced by how many numbers another used.
    """

    def __init__(self, seed: bytes, match_id: MatchId, draw: str) -> None:
        self._head = f"ambit/1 match={match_id} draw={draw} block="
        self._tail = f" seed={seed.hex()}"
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        """The next 64 bits; a block of SHA-256 gives four, first things first, most significant byte first."""
        if not self._words:
            digest = sha256(f"{self._head}{self._block}{self._tail}".encode("ascii")).digest()
            self._block += 1
            starts = reversed(range(0, len(digest), _WORD_BYTES))
            self._words = [int.from_bytes(digest[start : start + _WORD_BYTES], "big") for start in starts]
        return self._words.pop()

    def randrange(self, stop: int, /) -> int:
        """A number ``0 .. stop - 1``: words are thrown away until one is below the largest multiple of `stop`."""
        if not 0 < stop <= _WORDS:
            raise ValueError(f"randrange needs a number from 1 to 2^64, not {stop}.")
        limit = _WORDS - _WORDS % stop
        word = self._word()
        while word >= limit:
            word = self._word()
        return word % stop

    def shuffle(self, x: list[Any], /) -> None:
        """Fisher-Yates in place, from the last place down to the second."""
        for last in range(len(x) - 1, 0, -1):
            other = self.randrange(last + 1)
            x[last], x[other] = x[other], x[last]


def seats(seed: bytes, match_id: MatchId, players: int) -> tuple[int, ...]:
    """The lobby's positions in the order of the seats: entry *i* is the position that gets seat *i*."""
    order = list(range(players))
    Stream(seed, match_id, "seats").shuffle(order)
    return tuple(order)


def chance(seed: bytes, match_id: MatchId, number: int) -> Stream:
    """The numbers for the match's chance line `number`, counted from 0 (other lines do not count)."""
    return Stream(seed, match_id, f"chance-{number}")


def computer(seed: bytes, match_id: MatchId, ply: Ply) -> Stream:
    """The numbers with which a computer player thinks at this ply."""
    return Stream(seed, match_id, f"computer-{ply}")
