"""What people type and paste around a canonical text, and where the case of letters tells two texts apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

CLOSE: Final = 0.6
"""From this likeness on (1: the same) a text may be another one misspelt."""

_LOOKED_AT: Final = 40
"""Signs of what was typed that are compared; no move is longer."""

_AROUND: Final = re.compile(r"^[\s`'\"“”„‟‘’‚«»*_~|(\[]+|[\s`'\"“”„‟‘’‚«»*_~|)\].,;:!]+$")
"""Quotation marks, markdown and stops. No canonical text begins or ends with one of them (conformance tests)."""
_QUOTED: Final = str.maketrans("‹›", "<>")
_LOG_NUMBERS: Final = re.compile(r"[0-9]{1,6}[`.:)]*\s+(?:[0-9]{1,2}\s+(?=\S))?")
_LETTERS: Final = re.compile(r"[A-Za-z]+")
_SPACES: Final = re.compile(r"\s+")
_DASHES: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": "x", "→": ">", "’": "'"})


def undecorated(text: str) -> str:
    """A text without what may stand around it where it is quoted, and without what `shortened` does to it.

    What is left of a canonical text that is pasted as it was shown is that very text.
    """
    visible = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return _AROUND.sub("", visible.translate(_QUOTED))


def without_numbers(text: str) -> str | None:
    """What follows the ply, and perhaps the seat, with which a line of a log begins; ``None`` where there is no ply."""
    found = _LOG_NUMBERS.match(text)
    return undecorated(text[found.end() :]) if found else None


def recased(text: str) -> Iterator[str]:
    """The text with one of its words in the other case: in capital letters instead of small ones, or the reverse."""
    for found in _LETTERS.finditer(text):
        yield text[: found.start()] + found[0].swapcase() + text[found.end() :]


def in_the_case_of(typed: str, texts: Sequence[str]) -> list[str]:
    """Those of `texts`, which differ in case only, that `typed` agrees with wherever they differ."""
    if any(len(text) != len(typed) for text in texts):
        return []
    differing = [place for place, signs in enumerate(zip(*texts, strict=True)) if len(set(signs)) > 1]
    return [text for text in texts if all(text[place] == typed[place] for place in differing)]


def squeezed(text: str) -> str:
    """Without white space and with typographic signs as ASCII ones."""
    return _SPACES.sub("", text.translate(_DASHES))


def fold(text: str) -> str:
    """What two texts share when case, white space and typographic signs do not matter."""
    return squeezed(text).casefold()


def likeliest(moves: Mapping[str, Sequence[str]], typed: Sequence[str]) -> tuple[str, bool]:
    """The move in which most of what was typed is found, and whether the two texts are close to each other.

    `moves` are texts, each with what the steps are called in which a person picks it; both are looked through. Of those
    that have as much of it comes first one that begins with it, or is picked in most steps: a card at its place before
    the same card put away. `typed` are readings of one text.
    """

    typed = [each[:_LOOKED_AT] for each in typed]

    def found(in_it: str, kept: Callable[[str], str] = fold) -> float:
        return max(_in_common(kept(each), kept(in_it)) / max(1, len(each)) for each in typed)

    def likely(text: str) -> tuple[float, float, float, bool, int]:
        written, steps = found(text), moves[text]
        begins = fold(text).startswith(tuple(map(fold, typed)))
        return max(written, found("".join(steps))), written, found(text, squeezed), begins, len(steps)

    best = max(moves, key=likely)
    return best, any(SequenceMatcher(None, fold(each), fold(best), autojunk=False).ratio() >= CLOSE for each in typed)


def _in_common(one: str, other: str) -> int:
    """How many signs of two texts agree, in their order."""
    return sum(block.size for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks())


def shortened(text: str, length: int = 40) -> str:
    """A quotation of what somebody typed, on one line and harmless in a message."""
    plain = _SPACES.sub(" ", "".join(c if c.isprintable() else " " for c in text)).replace("`", "'").strip()
    plain = plain.replace("@", "@\u200b").replace("<", "‹").replace(">", "›")
    return plain if len(plain) <= length else plain[: length - 1] + "…"
