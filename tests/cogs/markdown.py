r"""What Discord's clients and servers would interpret in a message, as far as a name could cause it.

Stricter than Discord: every sign that could open something counts, whether or not anything closes it. A backslash
escapes one ASCII sign. But the server looks for mentions, and ignores backslashes.
"""

import re
import unicodedata
from typing import Final

_FENCE: Final = re.compile(r"```.*?```", re.DOTALL)
_CODE: Final = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_LINE_START: Final = re.compile(r"[ ]*(?:#{1,3}|-#|>>>|>|[-*+]|[0-9]+[.)])(?=[ ])")
_ANGLE: Final = re.compile(
    r"<(?:@[!&]?[0-9]+|#[0-9]+|a?:\w+:[0-9]+|t:-?[0-9]+(?::\w)?|/[^:>\n]+:[0-9]+|id:\w+|[a-z]+://[^>\s]+"
    r"|[^>\s@]+@[^>\s]+|\+[0-9]+)>"
)
_URL: Final = re.compile(r"(?i)[a-z][a-z0-9+.-]*://[^\s<]|(?:discord|dis)(?:\.gg|\.gift|\.new|(?:app)?\.com/\w+)/\w")
_EMOJI: Final = re.compile(r":[A-Za-z0-9_+~-]+:")
_SIGNS: Final = "*_~|`[]"
_MENTIONS: Final = re.compile(r"@everyone|@here|<@[!&]?[0-9]+>|<#[0-9]+>")

BREAK: Final = "\u200b"
ISOLATES: Final = re.compile("\u2068([^\u2066-\u2069\u202a-\u202e\n]*)\u2069")
HARMFUL: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3164]")
"""Control characters, line ends except ``\n``, direction marks, and invisible characters."""


def active(text: str) -> list[str]:
    """Everything in a message that Discord would interpret, in order, and the contents of code."""
    found = [f"mentioned {each}" for each in _MENTIONS.findall(text)]
    found += [f"harmful {ord(each):04x}" for each in HARMFUL.findall(ISOLATES.sub(r"\1", text))]
    at, line_start = 0, True
    while at < len(text):
        if line_start and (start := _LINE_START.match(text, at)):
            found.append(f"line {start[0].strip()}")
            at, line_start = start.end() + 1, False
            continue
        letter, line_start = text[at], text[at] == "\n"
        if line_start:
            found.append("line")
        elif letter == "\\" and text[at + 1 : at + 2].isascii() and re.match(r"[^0-9A-Za-z\s]", text[at + 1 : at + 2]):
            at += 1
        elif block := _FENCE.match(text, at) or _CODE.match(text, at):
            found.append(f"code of {block[0].count(chr(10))} lines")
            at = block.end() - 1
        elif angle := _ANGLE.match(text, at):
            found.append(angle[0])
            at = angle.end() - 1
        elif other := _URL.match(text, at) or _EMOJI.match(text, at):
            found.append(other[0])
            at = other.end() - 1
        elif letter in _SIGNS:
            found.append(letter)
        at += 1
    return found


def read(text: str) -> str:
    """What somebody reads of it, without blocks of code (there names are cut)."""
    visible = ISOLATES.sub(r"\1", _FENCE.sub("", text)).replace(BREAK, "")
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", visible)


def harmless_label(text: str) -> bool:
    """Whether a text that is shown without markdown has something to read and nothing harmful in it."""
    return not HARMFUL.search(text) and BREAK not in text and any(unicodedata.category(c)[0] in "LNPS" for c in text)
