"""Check the deals of a match of Ambit without Ambit: ``python verify_deals.py FILE [SUM]``.

FILE is the file of ``/match log file:yes``, SUM the sum that ``/match verify`` shows. It needs only Python 3.11. It was
written from `fair-deals.md` beside this file, and shares no code with the bot. Exit status: 0 if everything agrees, 1
if something doesn't, 2 if the file can't be read.

It doesn't check the players' moves. ``python -m games replay FILE`` checks that they follow the rules, and which cards
remain if that depends on them. The sum shows that the moves are the original ones.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

REMARKS: Final = ("sum", "match", "scheme", "commitment", "seed", "presses", "seats")
SCHEMES: Final = ("1", "2")
PRESS: Final = re.compile(r"(?:join|leave|start)-[0-9]+|post-[1-9][0-9]*|restored-([0-9]+)-([0-9]+)", re.ASCII)
NUMBERS: Final = re.compile(r"[0-9]+(?:,[0-9]+)*", re.ASCII)
HEADER: Final = re.compile(r"game ([a-z]+) players=([0-9]+)(?: [a-z]+=[a-z0-9]+)* rules=[0-9]+", re.ASCII)
LINE: Final = re.compile(r"([0-9]+) (c|h|[0-9]+) (.+)", re.ASCII)
BRANCH: Final = re.compile(r"branch ([0-9]+) ([0-9a-f]{32})", re.ASCII)

PLAYERS: Final = {"abissal": (2, 3), "ambagibus": (2, 4), "ambush": (2, 2), "gambo": (2, 2), "saboteur": (3, 10)}

ABISSAL: Final = [f"{suit}{number}" for suit in "GOYTBP" for number in range(1, 7)]
GAMBO: Final = ["E1", "E2", "E3", "C1", "C2", "C3", "M1", "M2", "M3"]
_TWICE: Final = "1000,2000,3000,4000,1040,2030,4100,3200,bomb,cave"
_ONCE: Final = "1020,3040,1030,2040,1200,3400,1300,2400,2340,1340,1240,1230,4320,4310,4210,3210,1234,1324,1243,1432"
AMBAGIBUS: Final = sorted([*2 * _TWICE.split(","), *_ONCE.split(",")])
SABOTEUR: Final = sorted(
    6 * ["map"]
    + 5 * ["NESW", "NES", "NEW", "NE"]
    + 4 * ["NS", "NW"]
    + 3 * ["EW", "-P", "-L", "-W", "rock"]
    + 2 * ["+P", "+L", "+W"]
    + ["nesw", "nes", "new", "ns", "ew", "nw", "ne", "n", "e", "+PL", "+PW", "+LW"]
)
HANDS: Final = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
DIGGERS: Final = {3: 3, 4: 4, 5: 4, 6: 5, 7: 5, 8: 6, 9: 7, 10: 7}
GOLD: Final = [1] * 16 + [2] * 8 + [3] * 4
PAY: Final = {0: 0, 1: 4, 2: 3, 3: 3, 4: 2}

T = TypeVar("T")


class Unreadable(ValueError):
    """The file doesn't come from the bot; the message is a sentence."""


class File(NamedTuple):
    """The contents of the file: its remarks, the game and the number of players, and the chance lines' actions.

    `branch` is the seat and the seed of the line where the match was played on from another one, and `copied` the
    number of chance lines before that.
    """

    remarks: dict[str, str]
    summed: str
    game: str
    players: int
    chance: list[str]
    branch: tuple[int, str] | None
    copied: int


def read(text: str) -> File:
    """Parse a file. Raises Unreadable."""
    rows = text.removesuffix("\n").split("\n")
    remarks = {}
    for name, row in zip(REMARKS, rows, strict=False):
        if not row.startswith(f"# {name}="):
            raise Unreadable(f"The file must have the remark {name}, in its place.")
        remarks[name] = row.partition("=")[2]
    header, *lines = rows[len(REMARKS) :] or [""]
    found = HEADER.fullmatch(header)
    if not found or found[1] not in PLAYERS:
        raise Unreadable("After its remarks the log must begin with its game.")
    chance: list[str] = []
    branch, copied = None, 0
    for number, row in enumerate(lines):
        line = LINE.fullmatch(row)
        if not line or line[1] != str(number):
            raise Unreadable(f"Line {number} of the log cannot be read.")
        if line[2] == "c":
            chance.append(line[3])
        elif line[2] == "h" and (drawn := BRANCH.fullmatch(line[3])):
            branch, copied = (int(drawn[1]), drawn[2]), len(chance)
    return File(remarks, text.partition("\n")[2], found[1], int(found[2]), chance, branch, copied)


def hashed(line: str) -> str:
    return sha256(line.encode("ascii")).hexdigest()


class Draw:
    """The random numbers of one draw; `key` is the presses' key, which scheme 1 doesn't have."""

    def __init__(self, match: int, name: str, seed: str, key: str | None = None) -> None:
        self.words = self._read(f"ambit/{2 if key else 1} match={match} draw={name}", seed, key)

    @staticmethod
    def _read(head: str, seed: str, key: str | None) -> Iterator[int]:
        block, tail = 0, f" key={key} seed={seed}" if key else f" seed={seed}"
        while True:
            digest = hashed(f"{head} block={block}{tail}")
            yield from (int(digest[at : at + 16], 16) for at in (0, 16, 32, 48))
            block += 1

    def below(self, n: int) -> int:
        return next(word for word in self.words if word < 2**64 // n * n) % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed


def key_of(match: int, presses: str, number: int) -> str:
    """The key of the presses that count for chance line `number`; 0 for the seats, drawn first."""
    counted = []
    for press in filter(None, presses.split(",")):
        found = PRESS.fullmatch(press)
        if not found:
            raise Unreadable(f"This is no press: {press[:40]}")
        if found[2] is None or int(found[2]) <= number:
            counted.append(press)
    return hashed(f"ambit/2 match={match} presses={','.join(counted)}")


class Table:
    """The previous deals, as far as later deals depend on them: in Saboteur the gold."""

    def __init__(self, game: str, players: int) -> None:
        self.game, self.players = game, players
        self.dealt = 0
        self.gold = list(GOLD)
        self.saboteurs: int | None = None
        """The number of saboteurs in the current round, until gold has been drawn for it."""

    def expected(self, action: str, draw: Draw) -> str:
        """Compute what the chance line `action` must be. Raises Unreadable.

        Only the cards of a reshuffle are taken from the line itself, and sorted first.
        """
        word, _, body = action.partition(" ")
        self.dealt += 1
        match self.game, word:
            case "ambush" | "saboteur" | "abissal", "first":
                return f"first {draw.below(self.players)}"
            case "abissal", "deal":
                pool = draw.shuffled([c for c in ABISSAL if self.players == 3 or (c[0] != "G" and c[1] != "6")])
                hands = [sorted((pool.pop() for _ in range(11)), key=ABISSAL.index) for _ in range(self.players)]
                return f"deal {'/'.join(map(','.join, hands))}"
            case "ambagibus", "decks" if self.dealt == 1:
                return f"decks {'/'.join(','.join(draw.shuffled(AMBAGIBUS)) for _ in range(self.players))}"
            case "ambagibus", "reshuffle" if self.dealt > 1:
                return f"reshuffle {'/'.join(','.join(draw.shuffled(deck)) for deck in self._decks(body))}"
            case "gambo", "deal":
                return f"deal {'/'.join(''.join(draw.shuffled(GAMBO)) for _ in range(2))}"
            case "saboteur", "roles":
                *roles, left_over = draw.shuffled(("D" * DIGGERS[self.players]).ljust(self.players + 1, "S"))
                self._begin_round(roles.count("S"))
                return f"roles {''.join(roles)}/{left_over}"
            case "saboteur", "goals":
                return f"goals {','.join(draw.shuffled(['NE', 'NW', 'T']))}"
            case "saboteur", "deal":
                cards, size = draw.shuffled(SABOTEUR), HANDS[self.players]
                ends = range(0, size * self.players, size)
                hands = [sorted(cards[end : end + size]) for end in ends]
                return f"deal {'/'.join(map(','.join, hands))}|{','.join(cards[size * self.players :])}"
            case "saboteur", "gold" if self.saboteurs is not None:
                drawn = sorted(draw.shuffled(sorted(self.gold))[: min(self.players, 9)])
                self._take(drawn)
                self.saboteurs = None
                return f"gold {','.join(map(str, drawn))}"
        raise Unreadable(f"Chance cannot have drawn this here: {action[:40]}")

    def _decks(self, body: str) -> list[list[str]]:
        decks = [sorted(deck.split(",")) for deck in body.split("/")]
        if len(decks) != self.players or any(Counter(deck) - Counter(AMBAGIBUS) for deck in decks):
            raise Unreadable("A deck that was shuffled again has cards that were never in it.")
        return decks

    def _begin_round(self, saboteurs: int) -> None:
        """Begin a round. If no gold was drawn in the previous one, the saboteurs have won it: pay each of them."""
        for _ in range(self.saboteurs or 0):
            self._take(self._paid(PAY[self.saboteurs or 0]))
        self.saboteurs = saboteurs

    def _paid(self, owed: int) -> list[int]:
        """The highest amount that isn't above `owed`, with the fewest cards, with the highest card."""
        held, best = Counter(self.gold), list[int]()
        for threes in range(held[3] + 1):
            for twos in range(held[2] + 1):
                ones = min(held[1], owed - 3 * threes - 2 * twos)
                if ones >= 0:
                    cards = [1] * ones + [2] * twos + [3] * threes
                    best = max(best, cards, key=lambda each: (sum(each), -len(each), each[::-1]))
        return best

    def _take(self, cards: list[int]) -> None:
        for card in cards:
            self.gold.remove(card)


def troubles(text: str, told: str | None = None) -> Iterator[str]:
    """What doesn't agree, in sentences; `told` is the sum that the bot has shown. Raises Unreadable."""
    file = read(text)
    remarks = file.remarks
    match, scheme, seed, presses = (remarks[name] for name in ("match", "scheme", "seed", "presses"))
    least, most = PLAYERS[file.game]
    if not least <= file.players <= most or not match.isdecimal() or scheme not in SCHEMES:
        raise Unreadable("There is no such match, or this file is newer than this program.")
    summed = sha256(file.summed.encode()).hexdigest()
    if summed != remarks["sum"]:
        yield "The sum is not that of the file: something in it was changed."
    if told is not None and summed != told:
        yield "This is not the file whose sum was told."
    if hashed(f"ambit/{scheme} match={match} seed={seed}") != remarks["commitment"]:
        yield "The seed is not the one that the lobby committed to."
    if scheme == "2" and not re.search(r"(?:start|join|post)-[0-9]+(?:,restored-[0-9]+-[0-9]+)*$", presses):
        yield "The presses do not end with what started the match."

    def draw(name: str, number: int) -> Draw:
        return Draw(int(match), name, seed, key_of(int(match), presses, number) if scheme == "2" else None)

    order = [int(number) for number in remarks["seats"].split(",")] if NUMBERS.fullmatch(remarks["seats"]) else []
    drawn = draw("seats", 0).shuffled(sorted(order))
    if file.branch is not None and drawn:
        seat, told_seed = file.branch
        first = min(order)
        drawn.remove(first)
        drawn.insert(seat, first)
        words = draw("branch", file.copied).words
        if told_seed != f"{next(words):016x}{next(words):016x}":
            yield "The seed of the branch does not follow from the seed."
    if len(order) != file.players or drawn != order:
        yield "The seats do not follow from the seed."
    table = Table(file.game, file.players)
    for number, action in enumerate(file.chance):
        expected = table.expected(action, draw(f"chance-{number}", number))
        gold = file.branch is not None and action.startswith("gold ")
        if number >= file.copied and not gold and expected != action:
            yield f"Deal number {number + 1} does not follow from the seed."


def main(arguments: Sequence[str]) -> int:
    """Check one file and print the result. Return the exit status."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__)
        return 2
    try:
        text = Path(arguments[0]).read_bytes().decode("ascii")
        found = list(troubles(text, *arguments[1:]))
    except (OSError, UnicodeDecodeError, Unreadable) as error:
        print(error)
        return 2
    agrees = "Everything agrees: the seats and every deal follow from what was committed to."
    if read(text).branch is not None:
        agrees = (
            "This match was played on from another one, so its deals are not sealed. What was drawn since then follows "
            "from the seed (gold is not checked)."
        )
    print("\n".join(found) or agrees)
    if len(arguments) == 1:
        print(f"Sum: {sha256(text.partition(chr(10))[2].encode()).hexdigest()} (as `/match verify` tells it?)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
