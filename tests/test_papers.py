"""The papers of a listed bot are true to the schema, and their texts fit into Discord's fields."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from db.model import schema

ROOT: Final = Path(__file__).parents[1]
POLICY: Final = (ROOT / "docs/privacy-policy.md").read_text("utf-8")
LISTING: Final = (ROOT / "docs/listing.md").read_text("utf-8")

DESCRIPTION, SUMMARY, EXPANDED, NAME, TAGS, TAG, PICTURES, WIDTH = 400, 200, 2000, 32, 5, 20, 5, 600
"""Discord's limits, in characters and numbers. It documents none for the expanded description."""


def stored() -> list[str]:
    """Every column that the program stores, as ``table.column``."""
    return sorted(f"{table}.{column.name}" for table, each in schema.metadata.tables.items() for column in each.columns)


def named() -> list[str]:
    """Every column in the policy's table, in the same form."""
    return [f"{table}.{column}" for row in rows() for table, column in columns_in(row[0])]


def rows() -> list[list[str]]:
    """The cells of the policy's table, without its head."""
    table = [line for line in POLICY.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1:]]


def columns_in(cell: str) -> list[tuple[str, str]]:
    """The columns that a first cell names: ``table: `column`, `column` ``."""
    table, _, columns = cell.partition(": ")
    return [(table, column) for column in re.findall(r"`(\w+)`", columns)]


def text_of(heading: str) -> str:
    """The text under a heading of the listing, with each paragraph on one line."""
    found = re.search(rf"^### {re.escape(heading)}\n\n(.*?)(?=^##|\Z)", LISTING, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return "\n\n".join(re.sub(r"\n(?![*\d])", " ", part) for part in found[1].strip().split("\n\n"))


def test_the_policy_names_each_stored_column_once_and_no_other() -> None:
    assert sorted(named()) == stored()


def test_the_policy_says_of_each_column_what_it_is_why_and_for_how_long() -> None:
    assert len(rows()) > 20
    assert all(len(row) == 4 and all(row) for row in rows())


def test_what_bears_an_id_of_a_person_is_kept_until_they_delete_it_or_shorter() -> None:
    """Only a bar outlives a deletion, and that somebody was excused. The table says so."""
    for row in rows():
        if "user_id" in {column for _, column in columns_in(row[0])}:
            assert re.search("delete|until|minutes|decided|closed|sent", row[3]), row[0]
            assert "as long as the program" not in row[3]
    outlives = ("bars:", "allowances:")
    assert [row for row in rows() if "also if you delete" in row[3]] == [
        row for row in rows() if row[0].startswith(outlives)
    ]


@pytest.mark.parametrize(
    ("heading", "most"),
    [("Name", NAME), ("Description", DESCRIPTION), ("Summary", SUMMARY), ("Expanded description", EXPANDED)],
)
def test_a_text_for_discord_fits_its_field(heading: str, most: int) -> None:
    text = text_of(heading)
    assert 0 < len(text) <= most, len(text)
    assert len(text) > most / 3 or heading == "Name", "it uses the room that there is"


def test_the_tags_fit() -> None:
    tags = re.findall(r"^\* (.*)$", text_of("Tags"), re.MULTILINE)
    assert 0 < len(tags) <= TAGS
    assert all(0 < len(tag) <= TAG for tag in tags)
    assert len(set(tags)) == len(tags)


def test_the_pictures_are_there_and_wide_enough() -> None:
    files = re.findall(r"`(docs/gallery/\S+)`", text_of("Pictures"))
    assert 0 < len(files) <= PICTURES
    for file in files:
        with Image.open(ROOT / file) as picture:
            assert picture.width >= WIDTH, file


def test_every_question_of_the_verification_has_an_answer_that_asks_nothing_back() -> None:
    questions = re.findall(r"^### (.*\?)$", LISTING, re.MULTILINE)
    assert len(questions) >= 6
    assert all(len(text_of(question)) > 40 for question in questions)


def test_the_link_to_add_the_bot_is_the_readmes() -> None:
    link = re.search(r"https://discord.com/oauth2/authorize\S+?(?=`)", LISTING)
    assert link is not None
    assert link[0] in (ROOT / "README.md").read_text("utf-8")
