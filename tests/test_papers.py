"""The papers of a listed bot are true to the schema, and their texts fit into Discord's fields."""

import re
from typing import Final

import pytest
from PIL import Image

from db.model import schema
from tests.pages import page
from tests.sources import ROOT

LISTING: Final = page("docs/listing.md")
ROWS: Final = page("docs/privacy-policy.md").rows

DESCRIPTION, SUMMARY, EXPANDED, NAME, TAGS, TAG, PICTURES, WIDTH = 400, 200, 2000, 32, 5, 20, 5, 600
"""Discord's limits, in characters and numbers. It documents none for the expanded description."""


def columns_in(cell: str) -> list[str]:
    """The columns that a first cell names, as ``table.column``: ``table: `column`, `column` ``."""
    return [f"{cell.partition(':')[0]}.{column}" for column in re.findall(r"`(\w+)`", cell)]


def text_of(heading: str) -> str:
    """The text under a heading of the listing, with each paragraph on one line."""
    return re.sub(r"(?<!\n)\n(?![\n*\d])", " ", LISTING.under(heading).source.strip())


def test_the_policy_names_each_stored_column_once_and_no_other() -> None:
    stored = [f"{table}.{column.name}" for table, each in schema.metadata.tables.items() for column in each.columns]
    assert sorted(column for row in ROWS for column in columns_in(row[0])) == sorted(stored)


def test_the_policy_says_of_each_column_what_it_is_why_and_for_how_long() -> None:
    assert len(ROWS) > 20
    assert all(len(row) == 4 and all(row) for row in ROWS)


def test_what_bears_an_id_of_a_person_is_kept_until_they_delete_it_or_shorter() -> None:
    """Only a bar outlives a deletion, and that somebody was excused. The table says so."""
    for row in ROWS:
        if "`user_id`" in row[0]:
            assert re.search("delete|until|minutes|decided|closed|sent", row[3]), row[0]
            assert "as long as the program" not in row[3]
    outlives = [row[0] for row in ROWS if "also if you delete" in row[3]]
    assert outlives == [row[0] for row in ROWS if row[0].startswith(("bars:", "allowances:"))]


@pytest.mark.parametrize(
    ("heading", "most"),
    [("Name", NAME), ("Description", DESCRIPTION), ("Summary", SUMMARY), ("Expanded description", EXPANDED)],
)
def test_a_text_for_discord_fits_its_field(heading: str, most: int) -> None:
    text = text_of(heading)
    assert 0 < len(text) <= most, len(text)
    assert len(text) > most / 3 or heading == "Name", "it uses the room that there is"


def test_the_tags_fit() -> None:
    tags = [line.removeprefix("* ") for line in text_of("Tags").splitlines()]
    assert 0 < len(tags) <= TAGS
    assert all(0 < len(tag) <= TAG for tag in tags)
    assert len(set(tags)) == len(tags)


def test_the_pictures_are_there_and_wide_enough() -> None:
    files = LISTING.under("Pictures").code
    assert 0 < len(files) <= PICTURES
    for file in files:
        with Image.open(ROOT / file) as picture:
            assert picture.width >= WIDTH, file


def test_every_question_of_the_verification_has_an_answer_that_asks_nothing_back() -> None:
    questions = [title for title in LISTING.headings if title.endswith("?")]
    assert len(questions) >= 6
    assert all(len(text_of(question)) > 40 for question in questions)


def test_the_link_to_add_the_bot_is_the_readmes() -> None:
    (link,) = (code for code in LISTING.code if code.startswith("https://discord.com/oauth2/authorize"))
    assert link in page("README.md").source
