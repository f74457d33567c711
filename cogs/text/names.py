"""People's names, made harmless for where they are read (P31). Nothing else in `cogs` takes a name from a seat.

Discord reads markdown, mentions, links and times in the text of a message, and in nothing else: labels, menus,
descriptions of pictures and what is offered while typing show a name as it is. Direction marks, ends of lines and what
nobody sees do harm everywhere.

discord.py's `escape_markdown` and `escape_mentions` were looked at: they leave links, times, channels, commands, emoji,
numbered lists and the small print of ``-#``, and take a name for a text with lines of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import discord

from matches.api import Match, Person, Seat, UserId
from render import Computer, People
from render.grammar import cut

NOBODYS: Final = "Player"
"""What stands for a name in which there is nothing to read."""

LONGEST: Final = 32
"""Discord's limit for a name, in characters."""

SHORTER: Final = (LONGEST, 20, 14, 9)
"""To what length names are cut, one after the other, where a text is too long with them."""

BREAK: Final = "\u200b"
"""A space without width: nobody sees it, and no pattern of Discord's has it."""

ISOLATE: Final = "\u2068"
ISOLATE_END: Final = "\u2069"

_MAX_MARKS: Final = 5
"""Marks on one letter, as the Hebrew Bible has them; with more a name covers the lines around it."""

_REMEMBERED: Final = 4096
"""Names that are kept ready: a log of hundreds of lines has the same few in each."""

_BLANK_BRAILLE: Final = "\u2800"
_JOINERS: Final = frozenset("\u180e\u200c\u200d")
_UNSEEN = re.compile(
    # The flags of England, Scotland and Wales are letters that nobody sees, behind a black flag.
    "(?P<flag>\U0001f3f4[\U000e0030-\U000e007a]+\U000e007f)"
    "|(?P<line>[\t-\r\x1c-\x1f\x85\u2028\u2029])"
    # Controls, halves of pairs, and what Unicode calls “default ignorable” but for joiners and variation selectors.
    "|[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
_SELECTOR = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MARKDOWN = re.compile(r"[\\`*_~|\[\]:<]")
_LINE_START = re.compile(r"^(?:(?=[-#+>])|[0-9]+(?=[.)]))")
_BREAKABLE_IN_CODE = re.compile(r"(?<=[<@`])")
_BREAKABLE = re.compile(r"(?<=[<@])|(?=/)")


def person(user: discord.abc.User) -> Person:
    """Somebody with the name that the server shows, as it is kept: here names come in."""
    return Person(UserId(user.id), plain(user.display_name))


@lru_cache(maxsize=_REMEMBERED)
def plain(name: str) -> str:
    """A name as it is kept, and as it is shown where Discord reads no markdown: one line with something to read.

    Names of every script look as they did: what nobody sees is left out, but for what shapes letters and emoji.
    """
    seen = _UNSEEN.sub(lambda found: found["flag"] or (" " if found["line"] else ""), name[:LONGEST])
    letters: list[str] = []
    marks = 0
    for letter in seen:
        before = letters[-1] if letters else " "
        after_nothing = _is_blank(before)
        if _is_blank(letter) or letter in _JOINERS:
            superfluous = after_nothing or (letter in _JOINERS and before in _JOINERS)
        elif _SELECTOR.match(letter):
            superfluous = after_nothing or before in _JOINERS or bool(_SELECTOR.match(before))
        else:
            kind = unicodedata.category(letter)
            heaped = kind == "Me" or unicodedata.combining(letter) > 0
            marks = marks + heaped if kind.startswith("M") else 0
            superfluous = (heaped and marks > _MAX_MARKS) or (not letters and kind.startswith("M"))
        if not superfluous:
            letters.append(letter)
    if letters and _is_blank(letters[-1]):
        letters.pop()
    return "".join(letters) if any(map(_is_read, letters)) else NOBODYS


def _is_blank(letter: str) -> bool:
    return letter.isspace() or letter == _BLANK_BRAILLE


def _is_read(letter: str) -> bool:
    """A letter, number, punctuation mark or sign."""
    return unicodedata.category(letter)[0] in "LNPS" and not _is_blank(letter)


@lru_cache(maxsize=_REMEMBERED)
def in_message(name: str, longest: int = LONGEST) -> str:
    """A name that can do nothing in the text of a message but be read, wherever in a line it stands.

    Nobody is mentioned by it, nothing linked, hidden or set differently, and words beside it keep their order where it
    is written from right to left. Whoever reads it sees `plain` (of it as much as `longest` says).
    """
    text = cut(plain(name), longest)
    from_the_right = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    text = _LINE_START.sub(r"\g<0>\\", _MARKDOWN.sub(r"\\\g<0>", text))
    text = _BREAKABLE.sub(BREAK, text)
    return f"{ISOLATE}{text}{ISOLATE_END}" if from_the_right else text


def people(match: Match, longest: int = LONGEST) -> People:
    """The names by seat for sentences in a message; those whom a computer plays now are called computers."""
    return tuple(of(seat, longest) for seat in match.seats)


def plain_people(match: Match) -> People:
    """The names by seat for pictures and their descriptions, which tell computers apart themselves."""
    return tuple(marked(seat) for seat in match.seats)


def first_people(match: Match) -> People:
    """The same for boards of the past: the computers that were there from the start."""
    return tuple(marked(seat) if seat.user_id is None else plain(seat.name) for seat in match.seats)


def people_in_code(match: Match) -> People:
    """The names by seat for a block of code: none ends it, and none is taken for a mention by who looks for those."""
    return tuple(_marked(seat, _BREAKABLE_IN_CODE.sub(BREAK, plain(seat.name))) for seat in match.seats)


def marked(seat: Seat) -> str:
    """Whoever has the seat, for a picture: the name, marked where a computer plays."""
    return _marked(seat, plain(seat.name))


def _marked(seat: Seat, name: str) -> str:
    return name if seat.computer is None else Computer(name, seat.computer, guest=seat.user_id is not None)


def fitting(room: int, make: Callable[[int], str]) -> str:
    """What `make` says with names of such a length, which is shortened until the text has at most `room` characters."""
    text = ""
    for longest in SHORTER:
        text = make(longest)
        if len(text) <= room:
            break
    return text


def of(seat: Seat, longest: int = LONGEST) -> str:
    """Whoever has the seat, for a sentence in a message: a person's name, or a computer's with what it is."""
    name, who = in_message(seat.name, longest), marked(seat)
    return f"{name} ({who.kind})" if isinstance(who, Computer) else name


def as_stored(match: Match, number: str) -> str | None:
    """The name by which the seat with this number is asked for; ``None`` where there is none. Not to be shown."""
    return next((seat.name for seat in match.seats if str(seat.seat) == number), None)
