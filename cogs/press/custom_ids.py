"""What a button, menu or form carries: the verb, the match, the ply it was made for and, on panels, the choices so far.

A custom_id has at most 100 characters and is sent to everybody who sees the message, so the ids on public messages
name nothing secret: only verb, match and ply.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cogs.text.words import OUT_OF_DATE
from matches.api import MatchId, NotAllowed, Ply

BUTTON: Final = "b"
MENU: Final = "s"
FORM: Final = "f"
MAX_LENGTH: Final = 100
BETWEEN: Final = "|"
"""Stands between the values of a path."""

ANYWAY: Final = "anyway"
"""In the path of a button: the person has been asked before."""

YES, NO = "yes", "no"
"""First in the path of the buttons of a question, before the number of the question."""

TYPED: Final = "typed"
"""The entry of a menu that opens the form of its verb."""

LISTED: Final = "listed"
"""In the path of a button: it stands in a private list of tables, not on the table's own message."""

_ID = re.compile(
    r"[bsf]:(?P<verb>[a-z]{1,12}):(?P<match>[0-9]{0,18}):(?P<ply>[0-9]{0,9}):(?P<page>[0-9]{0,3}):(?P<path>.*)",
    re.DOTALL,
)


class Ref(NamedTuple):
    """The meaning of one custom_id; `path` are values of choices (or other short words), `page` counts from 0."""

    verb: str
    match: MatchId | None = None
    ply: Ply | None = None
    path: tuple[str, ...] = ()
    page: int = 0

    def custom_id(self, kind: str = BUTTON) -> str:
        """The text for Discord. Raises ValueError past 100 characters (a game's values are too long then)."""
        text = self.text(kind)
        if len(text) > MAX_LENGTH:
            raise ValueError(f"custom_id is longer than {MAX_LENGTH} characters: {text!r}")
        return text

    def text(self, kind: str) -> str:
        """The text for Discord, without a limit."""
        match = "" if self.match is None else self.match
        ply = "" if self.ply is None else self.ply
        return f"{kind}:{self.verb}:{match}:{ply}:{self.page or ''}:{BETWEEN.join(self.path)}"


NOTHING: Final = Ref("")
"""What a command carries, or a custom_id that this program doesn't write."""


def parse(custom_id: str) -> Ref | None:
    """The meaning of a custom_id, or ``None`` for one that this program does not write."""
    found = _ID.fullmatch(custom_id)
    if found is None or len(custom_id) > MAX_LENGTH:
        return None
    return Ref(
        found["verb"],
        MatchId(int(found["match"])) if found["match"] else None,
        Ply(int(found["ply"])) if found["ply"] else None,
        tuple(found["path"].split(BETWEEN)) if found["path"] else (),
        int(found["page"] or 0),
    )


def is_id(text: str) -> bool:
    """Whether this is a decimal id that Discord or the store can have given: one below 2^63."""
    return text.isascii() and text.isdecimal() and len(text) < 20 and int(text) < 1 << 63


def expect(fits: bool) -> None:
    """Raise NotAllowed unless what a button or menu carries `fits`: none of ours carries anything else, or it's old."""
    if not fits:
        raise NotAllowed(OUT_OF_DATE)


def id_in(text: str) -> int:
    """The id that a button or menu names. Raises NotAllowed for a text that none of our buttons carries."""
    expect(is_id(text))
    return int(text)
