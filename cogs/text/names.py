"""Escapes people's names for where they are shown (P31). Nothing else in `cogs` takes a name from a seat.

Discord parses markdown, mentions, links and times in the text of a message only. Labels, menus, alt texts and
autocompletion show a name as it is. Direction marks, line ends and invisible characters do harm everywhere.

discord.py's `escape_markdown` and `escape_mentions` don't escape links, times, channels, commands, emoji, numbered
lists and the small print of ``-#``. They also treat a name as a text with lines of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import discord
from confusable_homoglyphs.confusables import confusables_data

from matches.api import Application, Match, Person, Seat, UserId
from render import Computer, People, fonts
from render.grammar import YOU, cut

NOBODYS: Final = "Player"
"""Replaces a name without a visible character."""

LONGEST: Final = 32
"""Discord's limit for a name, in characters."""

SHORTER: Final = (LONGEST, 20, 14, 9)
"""The lengths to which names are cut, one after another, until a text fits."""

BREAK: Final = "\u200b"
"""An invisible character, which breaks all of Discord's patterns."""

ISOLATE: Final = "\u2068"
ISOLATE_END: Final = "\u2069"

_MAX_MARKS: Final = 5
"""The most marks on one letter, as in the Hebrew Bible. With more, a name covers the lines around it."""

_REMEMBERED: Final = 4096
"""The size of the caches of escaped names: a log of hundreds of lines has the same few in each."""

_BLANK_BRAILLE: Final = "\u2800"
_JOINERS: Final = frozenset("\u180e\u200c\u200d")
_UNSEEN = re.compile(
    # The flags of England, Scotland and Wales are invisible letters after a black flag.
    "(?P<flag>\U0001f3f4[\U000e0030-\U000e007a]+\U000e007f)"
    "|(?P<line>[\t-\r\x1c-\x1f\x85\u2028\u2029])"
    # Controls, surrogates, and Unicode's “default ignorable” characters except joiners and variation selectors.
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
    """Return a user with the name that the server shows, cleaned for the store. All names come in here."""
    return Person(UserId(user.id), plain(user.display_name))


@lru_cache(maxsize=_REMEMBERED)
def plain(name: str) -> str:
    """Return a name as it is stored, and shown where Discord parses no markdown: one line that isn't blank.

    Invisible characters are removed, except those that shape letters and emoji. So names of every script keep their
    look.
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
    """Whether this is a letter, number, punctuation mark or symbol."""
    return unicodedata.category(letter)[0] in "LNPS" and not _is_blank(letter)


@lru_cache(maxsize=_REMEMBERED)
def in_message(name: str, longest: int = LONGEST) -> str:
    """Return a name escaped for the text of a message, at any place in a line. Readers see `plain`, cut to `longest`.

    It mentions, links, hides and formats nothing. A name that is written from right to left doesn't reorder the words
    beside it.
    """
    text = cut(plain(name), longest)
    from_the_right = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    text = _LINE_START.sub(r"\g<0>\\", _MARKDOWN.sub(r"\\\g<0>", text))
    text = _BREAKABLE.sub(BREAK, text)
    return f"{ISOLATE}{text}{ISOLATE_END}" if from_the_right else text


def called(seat: Seat) -> str:
    """Return a seat's name as its table knows it, without markdown: with its number if it isn't alone there.

    The number comes first, so it stays where a name is cut: ``#3 Ann``. It is the player's; before the start, the order
    of sitting down.
    """
    name = plain(seat.name)
    number = 1 + (seat.position if seat.seat is None else seat.seat)
    return f"#{number} {name}" if seat.name in _not_alone(seat.beside) else name


@lru_cache(maxsize=_REMEMBERED)
def _not_alone(table: tuple[str, ...]) -> frozenset[str]:
    """Return the names that look like another one at this table, also in a picture."""
    counts = Counter(key for name in table for key in _looks(name))
    return frozenset(name for name in table if any(counts[key] > 1 for key in _looks(name)))


@lru_cache(maxsize=_REMEMBERED)
def _looks(name: str) -> frozenset[str]:
    """Return the keys of a name: for what people read, what a picture can show, and what is left where it's cut.

    Names that look alike share a key.
    """
    shown = _OWN_NUMBER.sub("", unicodedata.normalize("NFKC", plain(name)))
    seen = "".join(letter for letter in shown if unicodedata.category(letter)[0] not in "CZ")
    whole = "".join(map(_skeleton, _SELECTOR.sub("", seen).casefold()))
    whole = _LEVEL.sub("", whole) or whole
    drawn = "".join(run.text for run in fonts.runs(shown))
    return frozenset((whole, drawn, cut(whole, SHORTER[-1])))


def _skeleton(letter: str) -> str:
    """Return what stands for all letters that look like this one (Unicode's confusables)."""
    return _ALIKE.get(letter, letter)


def _alike() -> dict[str, str]:
    known = {each: [other["c"] for other in others] for each, others in confusables_data.items()}
    # A letter with several is what these look like. Of two alone with each other either one will do.
    pairs = {each: others[0] for each, others in known.items() if len(others) == 1}
    firsts = {each: min(each, other) if known.get(other) == [each] else other for each, other in pairs.items()}
    # Names are compared in small letters, so what looks like a capital I or O is in their small forms.
    return {each: first.casefold().replace("i", "l") for each, first in firsts.items()} | {"i": "l"}


_ALIKE: Final = _alike()
_LEVEL: Final = re.compile(rf"\([^()]*{''.join(map(_skeleton, 'computer'))}[^()]*\)$")
"""What a message writes after a computer's name, folded. Somebody can write it into their own."""
_OWN_NUMBER: Final = re.compile(r"^(?:#\s*[0-9]+\s*)+(?=\S)")


def people(match: Match, longest: int = LONGEST) -> People:
    """Return the names by seat for sentences in a message."""
    return tuple(of(seat, longest) for seat in match.seats)


def people_to(match: Match, reader: int | None) -> People:
    """Return the same for sentences to the player of the seat `reader`, who is called "you"; ``None``: to others."""
    return tuple(YOU if number == reader else name for number, name in enumerate(people(match)))


def of_nobody(match: Match) -> People:
    """Return a name for each seat that names nobody."""
    return tuple(f"Player {number}" for number in range(1, len(match.seats) + 1))


def plain_people(match: Match) -> People:
    """Return the names by seat for pictures and alt texts, which mark computers themselves."""
    return tuple(marked(seat) for seat in match.seats)


def first_people(match: Match) -> People:
    """Return the names by seat for pictures of earlier boards. Only computers from the start are marked."""
    return tuple(marked(seat) if seat.user_id is None else called(seat) for seat in match.seats)


def people_in_code(match: Match) -> People:
    """Return the names by seat for a code block. No name ends the block, or looks like a mention."""
    return tuple(_marked(seat, _BREAKABLE_IN_CODE.sub(BREAK, called(seat))) for seat in match.seats)


def marked(seat: Seat) -> str:
    """Return a seat's name for a picture, marked if a computer plays."""
    return _marked(seat, called(seat))


def _marked(seat: Seat, name: str) -> str:
    return name if seat.computer is None else Computer(name, guest=seat.user_id is not None)


def fitting(room: int, make: Callable[[int], str]) -> str:
    """Call `make` with ever shorter lengths of names until its text has at most `room` characters, and return it."""
    text = ""
    for longest in SHORTER:
        text = make(longest)
        if len(text) <= room:
            break
    return text


def of(seat: Seat, longest: int = LONGEST) -> str:
    """Return a seat's name for a sentence in a message. If a computer plays for its person, it says so."""
    return person_at(seat, longest) if seat.user_id is None else in_list(seat, longest)


def in_list(seat: Seat, longest: int = LONGEST) -> str:
    """Return a seat's name for a message that doesn't show the table. If a computer plays, it says so."""
    return person_at(seat, longest) + ("" if seat.computer is None else " (computer)")


def person_at(seat: Seat, longest: int = LONGEST) -> str:
    """Return a seat's name for a sentence in a message, whoever plays it now."""
    return in_message(called(seat), longest)


def asking(match: Match, application: Application) -> str:
    """Return the name of somebody who asks for a seat, for a message. They're told from everybody at the table."""
    at_table = tuple(seat.name for seat in match.seats)
    alone = application.name not in _not_alone((*at_table, application.name))
    return in_message(application.name) + ("" if alone else f" (<@{application.user_id}>)")


def seat_called(match: Match, text: str) -> Seat | None:
    """Return the seat that a computer plays and that somebody means: its number from 0, or its name, best as shown."""
    seats = [seat for seat in match.seats if seat.computer is not None]
    meant = text.strip().casefold()
    keys = ([str(seat.seat), called(seat).casefold(), plain(seat.name).casefold()] for seat in seats)
    return next((seat for seat, own in zip(seats, keys, strict=True) if meant in own), None)
