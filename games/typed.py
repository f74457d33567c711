"""Clean up and compare what people type or paste instead of a canonical text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

CLOSE: Final = 0.6
"""Two texts at least this similar (1: equal) count as a misspelling of each other."""

_LOOKED_AT: Final = 40
"""Characters of the typed text that are compared. No move is longer."""

_AROUND: Final = re.compile(r"^[\s`'\"“”„‟‘’‚«»*_~|(\[]+|[\s`'\"“”„‟‘’‚«»*_~|)\].,;:!]+$")
"""Quotation marks, markdown and stops. No canonical text begins or ends with one of them (conformance tests)."""
_QUOTED: Final = str.maketrans("‹›", "<>")
_LOG_NUMBERS: Final = re.compile(r"[0-9]{1,6}[`.:)]*\s+(?:[0-9]{1,2}\s+(?=\S))?")
_LETTERS: Final = re.compile(r"[A-Za-z]+")
_SPACES: Final = re.compile(r"\s+")
_DASHES: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": "x", "→": ">", "’": "'"})


def by_word(said: Mapping[str, str]) -> dict[str, str]:
    """Return the meaning of each word, given the words of each meaning with spaces between them."""
    return {word: meaning for meaning, words in said.items() for word in words.split()}


def undecorated(text: str) -> str:
    """Return the text without quotation marks, markdown and stops around it, and undo what `shortened` replaces.

    If somebody pastes a canonical text as it was shown, this returns that canonical text.
    """
    visible = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return _AROUND.sub("", visible.translate(_QUOTED))


def without_numbers(text: str) -> str | None:
    """Return the text after the ply and the optional seat that begin a line of a log; ``None`` if there is no ply."""
    found = _LOG_NUMBERS.match(text)
    return undecorated(text[found.end() :]) if found else None


def recased(text: str) -> Iterator[str]:
    """Yield the text with the case of one of its words swapped."""
    for found in _LETTERS.finditer(text):
        yield text[: found.start()] + found[0].swapcase() + text[found.end() :]


def matching_case(typed: str, texts: Sequence[str]) -> list[str]:
    """Return those of `texts` that have the case of `typed` wherever they differ. They differ in case only."""
    if any(len(text) != len(typed) for text in texts):
        return []
    differing = [place for place, signs in enumerate(zip(*texts, strict=True)) if len(set(signs)) > 1]
    return [text for text in texts if all(text[place] == typed[place] for place in differing)]


def squeezed(text: str) -> str:
    """Return the text without white space, and with ASCII signs instead of typographic ones."""
    return _SPACES.sub("", text.translate(_DASHES))


def fold(text: str) -> str:
    """Return the text without white space, case and typographic signs. Texts with the same fold are alike to people."""
    return squeezed(text).casefold()


def likeliest(moves: Mapping[str, Sequence[str]], typed: Sequence[str]) -> tuple[str, bool]:
    """Return the move that most resembles what was typed, and whether the two texts are close (`CLOSE`).

    `moves` maps each move's text to the labels of the steps in which a person picks it. Both the text and the labels
    are searched. Of equally good moves, one that begins with the typed text wins, then the one with the most steps, so
    that playing a card comes before discarding it. `typed` are several readings of one text.
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
    """Return how many characters of two texts agree, in order."""
    return sum(block.size for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks())


def shortened(text: str, length: int = 40) -> str:
    """Return a quotation of what somebody typed, on one line and harmless in a message."""
    plain = _SPACES.sub(" ", "".join(c if c.isprintable() else " " for c in text)).replace("`", "'").strip()
    plain = plain.replace("@", "@\u200b").replace("<", "‹").replace(">", "›")
    return plain if len(plain) <= length else plain[: length - 1] + "…"
