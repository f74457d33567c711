"""Fair deals: all draws follow from a seed that the lobby commits to, and from the presses after that.

`docs/fair-deals.md` specifies this, so that anybody can check a match in any language. Every hash is that of one line
of ASCII text, so ``printf %s "…" | sha256sum`` computes it by hand.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final, NamedTuple

from db.model.ids import MatchId, Ply

SEED_BYTES: Final = 32

SCHEME: Final = 2
"""The version of the page that new matches use. Every match keeps the version that it was opened with."""

RESTORED: Final = "restored"

POST: Final = "post"
"""What counts is the lobby's message, because the match starts without a press."""

_WORD_BYTES: Final = 8
_WORDS: Final = 1 << (8 * _WORD_BYTES)


class Stream:
    """The random numbers of one draw of one match: an `Rng` that everybody can repeat once they know the seed.

    `draw` is its name (``seats``, ``chance-0``, …). Draws are independent, however many numbers each uses. `key` is
    the hash of the presses, which version 1 doesn't have.
    """

    def __init__(self, seed: bytes, match_id: MatchId, draw: str, key: str | None = None) -> None:
        self._head = f"ambit/{1 if key is None else 2} match={match_id} draw={draw} block="
        self._tail = f" seed={seed.hex()}" if key is None else f" key={key} seed={seed.hex()}"
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        """The next 64 bits. A SHA-256 block has four such words, each with its most significant byte first."""
        if not self._words:
            digest = sha256(f"{self._head}{self._block}{self._tail}".encode("ascii")).digest()
            self._block += 1
            starts = reversed(range(0, len(digest), _WORD_BYTES))
            self._words = [int.from_bytes(digest[start : start + _WORD_BYTES], "big") for start in starts]
        return self._words.pop()

    def randrange(self, stop: int, /) -> int:
        """Return a number ``0 .. stop - 1``. Words are skipped until one is below the largest multiple of `stop`."""
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

    def seats(self, players: int) -> tuple[int, ...]:
        """The lobby's positions in the order of the seats: entry *i* is the position that gets seat *i*."""
        order = list(range(players))
        self._stream("seats", 0).shuffle(order)
        return tuple(order)

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
