"""Names that would do something in a message if nothing escaped them."""

from typing import Final

from hypothesis import strategies as st

NASTY: Final = (
    "@everyone",
    "@here <@&1>",
    "<@1152921504611041281>",
    "<@!100000000000000000>",
    "<#100000000000000000>",
    "<t:0:R> <t:1764547200>",
    "</match leave:1234567890>",
    "<:e:123456789012345678>",
    "<id:customize>",
    "[free](https://example.org)",
    "[a](<http://x.y>)",
    "https://example.org/_a_",
    "hTTp://x",
    "discord.gg/abcdef",
    "<https://example.org>",
    "# Heading",
    "### Heading",
    "-# small print",
    "- list",
    "* list",
    "12. list",
    "> quote",
    ">>> all quoted",
    "||hidden||",
    "||",
    "**bold",
    "__under__",
    "_",
    "~~gone~~",
    "`code`",
    "```",
    "```py\nx",
    "\\",
    "\\\\*\\",
    "\\[x](y)",
    ":smile::tada:",
    "\u202eevil\u202d",
    "\u2067right\u2066",
    "\u2069\u2068\u2069",
    "\u200f\u200e\u061cAnn",
    "two\nlines",
    "a\r\n# b\u2028- c\u0085",
    "\x00\x07\x1b[31mred",
    "\u200b\u200c\u200d\u2060\ufeff",
    "\u3164",
    "\u2800\u2800",
    " \t ",
    "\u0301\u0302x",
    "Z" + "\u0335\u0321\u0489" * 10,
    "\U000e0041\U000e007f",
    "\ufe0f\u200d\ufe0f",
    "<\u200b@1>",
    "שרה (1. 2)",
    "*שרה* [x](http://y)",
    "*" * 32,
    "\\" * 32,
    "[" * 16 + "]" * 16,
    "/" * 32,
    "W" * 32,
)

_PIECES: Final = (
    *("*", "**", "_", "__", "~~", "||", "|", "`", "```", "\\", "[", "](", ")", "(", "<", ">", "@", "#", "/", ":", "!"),
    *("# ", "-# ", "- ", "> ", ">>> ", "1. ", "+ ", "everyone", "here", "http://", "https:", "discord.gg/", "a", "1"),
    *("\n", "\r", "\t", "\u2028", "\u0085", "\x00", "\x1b", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202e"),
    *("\u2066", "\u2067", "\u2068", "\u2069", "\u2060", "\ufeff", "\xad", "\u3164", "\u2800", "\u0335", "\ufe0f", " "),
    *("t:0:R>", "@1>", "#1>", ":e:1>", "/cmd:1>", "\u05e9", "\u0633", "\u0e01", "\u1820", "\u304b", "\U0001f3f4"),
    *("\U000e0067", "\U000e007f", "\U0001f468", "\u0d4d", "\u0f56"),
)


def hostile_names() -> st.SearchStrategy[str]:
    """Any characters of Unicode, and everything that Discord interprets, in any order."""
    letters = st.characters(exclude_categories=["Cs"])
    return (
        st.lists(st.sampled_from(_PIECES) | letters, min_size=1, max_size=24).map("".join).map(lambda name: name[:32])
    )
