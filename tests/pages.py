"""Reads documents as GitHub does (CommonMark with tables): headings, links, code, tables and sentences."""

from __future__ import annotations

import re
from functools import cache, cached_property
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.sources import ROOT

MARKDOWN: Final = MarkdownIt("commonmark").enable("table")


@cache
def page(name: str) -> Page:
    """A document of the repository, by its path."""
    return Page((ROOT / name).read_text("utf-8"))


class Page:
    """A document, or a part of one. Texts keep their signs, such as ``**`` and backticks."""

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def tokens(self) -> list[Token]:
        return MARKDOWN.parse(self.source)

    @cached_property
    def parts(self) -> list[Token]:
        """What its sentences and cells consist of."""
        return [part for token in self.tokens for part in token.children or ()]

    @cached_property
    def headings(self) -> dict[str, tuple[int, int, int]]:
        """By heading, its level, its line, and the one behind it."""
        return {
            text.content: (int(opening.tag[1]), opening.map[0], opening.map[1])
            for opening, text in pairwise(self.tokens)
            if opening.type == "heading_open" and opening.map
        }

    @cached_property
    def anchors(self) -> set[str]:
        """What can be linked."""
        return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in self.headings}

    def under(self, title: str) -> Page:
        """What is between this heading and the next one of its level or a higher one."""
        level, _, begins = self.headings[title]
        ends = (line for other, line, _ in self.headings.values() if line >= begins and other <= level)
        return Page("\n".join(self.source.splitlines()[begins : next(ends, None)]))

    def marked(self, name: str) -> Page:
        """What is between the comments of this name."""
        return Page(self.source.split(f"<!-- {name} -->")[1].split(f"<!-- end of {name} -->")[0])

    @cached_property
    def links(self) -> list[str]:
        """The addresses of its links and pictures."""
        return [str(part.attrs[name]) for part in self.parts for name in ("href", "src") if name in part.attrs]

    @cached_property
    def blocks(self) -> list[str]:
        """Its blocks of code."""
        return [token.content for token in self.tokens if token.type in ("fence", "code_block")]

    @cached_property
    def code(self) -> list[str]:
        """The pieces of code in its sentences."""
        return [part.content for part in self.parts if part.type == "code_inline"]

    @cached_property
    def tables(self) -> list[list[list[str]]]:
        """The cells of each table by row, without its head."""
        found: list[list[list[str]]] = []
        for opening, token in pairwise(self.tokens):
            if opening.type == "table_open":
                found.append([])
            elif token.type == "tr_open" and opening.type != "thead_open":
                found[-1].append([])
            elif opening.type == "td_open":
                found[-1][-1].append(token.content)
        return found

    @cached_property
    def rows(self) -> list[list[str]]:
        """The rows of all its tables."""
        return [row for table in self.tables for row in table]

    @cached_property
    def text(self) -> str:
        """Its sentences in one line, without code blocks and without what a program writes between two comments."""
        found, written = [], False
        for token in self.tokens:
            if comment := re.fullmatch(r"<!-- (end of )?\w+ -->\n?", token.content):
                written = not comment[1]
            elif not written:
                found.append(token.content if token.type == "inline" else "|" * token.type.startswith(CELLS))
        return " ".join(" ".join(found).split())


CELLS: Final = ("tr_open", "th_close", "td_close")
"""Where a row of a table has its lines."""
