"""What the documents say about the program is true: the numbers, files, options and tests that they name.

`tests/figures.py` has the sentences whose numbers come from the program. `OTHERS` lists sentences with other numbers:
``#`` stands for one, in figures or as a word. A number with a unit that no sentence covers fails. So for a new number
add its sentence to one of the two.
"""

import re
from importlib.util import find_spec
from typing import Final

import pytest

from benchmarks.__main__ import BENCHMARKS, BY_GAME
from benchmarks.measure import UNDER
from cogs.process import arguments
from games import GAMES
from matches.analysis import progress
from tests.figures import OURS
from tests.files import targets
from tests.pages import Page, page
from tests.sources import ROOT, modules

DOCS: Final = [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
DRAWN: Final = "docs/gallery.md"
PAGES: Final = [".env.example", "CONTRIBUTING.md", "README.md", *(name for name in DOCS if name != DRAWN)]
"""Where numbers are compared."""

COUNTS: Final = re.findall(r"\w+", "one two three four five six seven eight nine ten eleven twelve")
WORDS: Final[dict[str, float]] = (
    {word: count for count, word in enumerate(COUNTS, 1)}
    | {"a": 1, "an": 1, "first": 1, "half": 0.5, "twice": 2}
    | {"fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}
)
FIGURES: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
NUMBER: Final = rf"(?:{FIGURES}|\b(?:{'|'.join(WORDS)})\b)"
COUNTED: Final = rf"(?:{FIGURES}|\b(?:{'|'.join(word for word in WORDS if len(word) > 2 and word != 'one')})\b)"
"""Numbers that need a sentence in a list, without ``a`` and ``one``, which are hardly ever quantities."""

UNITS: Final = (
    *("seconds?", "minutes?", "hours?", "days?", "ms", "s", "kB", "MB", "GB", "bytes", "bits", "%", "percent"),
    *("points?", "pixels?", "characters", "decimals", "servers?", "shards?", "processes", "requests", "boards"),
    *("matches", "results", "positions", "iterations", "times", "lines", "leagues"),
)


OTHERS: Final[dict[str, dict[str, str]]] = {
    "Discord's": {
        "docs/listing.md": "(asked from # servers on",
        "docs/reliability.md": (
            "Discord allows answers for # minutes … (Discord allows # seconds) … keeps a nonce for # minutes"
        ),
        "docs/scaling.md": "within # minutes if Discord lets # do so at once",
    },
    "measured, in the program as it was then": {
        "docs/computer-players.md": (
            "some # seconds' work … some # minutes on two quiet processors … with #% of its iterations #.43 in … "
            "deals below #.54 with #% of the work and #.51 with #% … with #% #.40 in … In # positions of Gambo … "
            "proves a win within # lines … without a win within # lines … in # positions where one is proved within "
            "# lines … # matches of five experts … come from # matches of the copy … than those of # matches of the "
            "program … With little work, # lines ahead in # worlds, the copy scores … and # lines ahead in # worlds "
            "#.65 … best play # lines ahead #.67 (#.63 to #.71) in # with # worlds … # lines ahead in # worlds #.63"
        ),
        "docs/pictures.md": "four to # times as long for files that are 7 to # percent smaller",
        "docs/ratings.md": (
            "for some # matches of two players … correctly after # matches each goes … With # matches of a league "
            "per day"
        ),
        "docs/scaling.md": (
            "takes # kB in a file and # kB on a server … a million take 7 or # GB … with few players | # | … adds some "
            "# kB if it has 30 channels and 25 roles, and # kB if … and # s more with # shards … # s with # shards. A "
            "server's boards … match in a file | # kB | … match on a server | # kB | … Discord in memory | # kB |"
        ),
    },
    "computed or assumed on the page itself": {
        "docs/operating.md": "That is enough for some # servers",
        "docs/scaling.md": (
            "up to # servers | … a peak of # times the mean … # moves a day per active player … # servers are "
            "another quarter … A million servers are about # shards in 20 to # processes … (one of # shards"
        ),
    },
    "an example": {
        "docs/fair-deals.md": "when the log has # lines",
        "docs/ratings.md": "answers in # hours (median)",
        "docs/review.md": (
            "# to # % were confirmed … it had # runs in at most # worlds … were worth as little as # equal ones … "
            "told # verdicts, of which # stayed … fitted to # rounds at mixed … In # of them nobody is … experts of # "
            "were older … In # rounds to which neither is fitted"
        ),
        "docs/runbook.md": (
            "in # s` | it was migrated … longest at work is 7, for # s` … has delayed # requests by # s in the "
            "median … are, # s after the start"
        ),
        "docs/scaling.md": "that ended more than # days ago",
    },
    "how a test or a benchmark is made": {
        "docs/computer-players.md": "notice of # matches between experts",
        "docs/reliability.md": (
            "ends within # seconds with exit code … "
            "# processes with their own shards … over # results in the same moment … on # servers, delay nobody … 99 "
            "of # boards"
        ),
        "docs/scaling.md": "a small proxy with # processes",
    },
    "a convention, a scale or a definition": {
        "CONTRIBUTING.md": (
            "five to # positions … its cog, # lines … the game in # lines … at # pixels' width … an imperative of at "
            "most # characters"
        ),
        "docs/computer-players.md": "what makes a few # iterations enough",
        "docs/fair-deals.md": "no # matches share … Its # bytes are four words of # bytes … Version # Matches",
        "docs/pictures.md": "drawn once at # times their size … which is # times a just noticeable difference",
        "docs/ratings.md": "where # points are odds",
        "docs/taps.md": "that suffices for # %",
    },
}
"""By reason and page, parts of its sentences with numbers that the program doesn't have, between ``…``."""


def pattern(sentence: str, gap: str) -> re.Pattern[str]:
    """Matches the sentence with any numbers in its gaps."""
    return re.compile(f"({NUMBER})".join(map(re.escape, re.split(gap, sentence))), re.IGNORECASE)


def number(said: str) -> float:
    """The value of a number that a text has in figures or as a word."""
    return WORDS[said.lower()] if said.lower() in WORDS else float(said.replace(",", ""))


@pytest.mark.parametrize("name", PAGES)
def test_the_numbers_of_a_page_are_those_of_the_program_or_have_a_reason(name: str) -> None:
    text, wrong, covered = page(name).text, [], set[int]()
    others = [part for pages in OTHERS.values() if name in pages for part in pages[name].split(" … ")]
    for sentence, gap in [*((each, FIGURES) for each in OURS.get(name, ())), *((each, "#") for each in others)]:
        found = [*pattern(sentence, gap).finditer(text)]
        covered |= {match.start(group) for match in found for group in range(1, len(match.groups()) + 1)}
        ours = [pytest.approx(float(figure)) for figure in re.findall(gap, sentence) if gap == FIGURES]
        if not found or (ours and [*map(number, found[0].groups())] != ours):
            wrong.append(f"{sentence} (the page has {found[0][0] if found else 'no such sentence'})")
    assert not wrong
    quantity = re.compile(rf"(?<![\w.#/-])({COUNTED})(?= ?(?:{'|'.join(UNITS)})(?!\w))", re.IGNORECASE)
    loose = [
        text[max(0, found.start() - 60) : found.end() + 30]
        for found in quantity.finditer(text)
        if found.start() not in covered
    ]
    assert not loose, "Add these to OURS in tests/figures.py with their constants, or to OTHERS"


ROOMS: Final = "benchmarks|cogs|db|docs|games|matches|render|tests"

ROWS: Final = {*range(1, 33), 34, 36, 39, 40, 42, 43}
"""The built rows of the product page."""

OPTIONS: Final = {"--help", "--version", *(f"--{name.replace('_', '-')}" for name in vars(arguments.read([])))}


@pytest.mark.parametrize("name", [".env.example", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", *DOCS])
def test_everything_that_a_page_names_or_links_is_there(name: str) -> None:
    read = page(name)
    for link in (each for each in read.links if "://" not in each):
        path, _, heading = link.partition("#")
        target = ((ROOT / name).parent / path if path else ROOT / name).resolve().relative_to(ROOT)
        assert (ROOT / target).exists(), link
        assert not heading or heading in page(str(target)).anchors, link
    code = "\n".join([read.source] if name == ".env.example" else read.code + read.blocks)
    files = {path for path in code.split("\n") if re.fullmatch(rf"(?:{ROOMS})/[\w./]*", path)}
    files |= set(re.findall(r"-r (requirements[\w-]*\.txt)", code))
    assert not [path for path in files if not (ROOT / path).exists()]
    modules = set(re.findall(r"python -m ((?:benchmarks|games|matches|tests)[\w.]*)", code))
    assert not [module for module in modules if find_spec(module) is None]
    assert set(re.findall(r"python -m benchmarks ([a-z]\w*)", code)) <= {*BENCHMARKS, *BY_GAME}
    assert set(re.findall(r"^make ([\w-]+)", code, re.MULTILINE)) <= targets()
    for command in re.findall(r"python bot\.py (.*)", code):
        assert set(re.findall(r"--[a-z-]+", command)) <= OPTIONS, command


# FOUND V4
def test_the_page_about_reviews_has_what_was_measured_with_the_version_that_ships_and_says_what_follows() -> None:
    cells = page("docs/review.md").marked("measured").rows
    assert len(cells) > 30
    ships = {GAMES[key].info.name: version for key, version in progress.VERSIONS.items()}
    for table, *_, measured in cells:
        assert measured.endswith(f", version {ships[table.partition(',')[0]]}"), "run `python -m benchmarks review`"
    under = {f"{table}, {what}" for table, what, *_, verdict, _ in cells if verdict == UNDER.lower()}
    follows = re.findall(r"^\* \*\*(.+):\*\* \w", page("docs/review.md").source, re.MULTILINE)
    assert len(follows) == len(under)
    for row in under:
        table, _, what = row.partition("players, ")
        assert any(each.startswith(table) and what.endswith(each.partition("players, ")[2]) for each in follows), row


def test_every_test_that_holds_a_promise_is_there() -> None:
    """A file without a folder lies in `tests/wire`. ``…`` is the file named before, or the rest of a name."""
    file = ROOT
    for path, name in re.findall(r"`([\w/]*\w+\.py|…)(?:::(\w+…?))?`", page("docs/reliability.md").text):
        if path != "…":
            file = ROOT / path if "/" in path else ROOT / "tests" / "wire" / path
        defined = re.findall(r"^(?:async )?def (\w+)", file.read_text("utf-8"), re.MULTILINE)
        whole = name.removesuffix("…")
        assert any(each == name or (name != whole and each.startswith(whole)) for each in defined) or not name, name


def test_every_row_of_the_product_page_has_a_test_named_after_it() -> None:
    """``test_p04_p21_…`` is named after two."""
    texts = [path.read_text("utf-8") for path in modules("tests") if path.name.startswith("test_")]
    named = [rows for each in texts for rows in re.findall(r"^(?:async )?def test((?:_p\d\d)+)_", each, re.MULTILINE)]
    assert {int(row) for rows in named for row in rows.split("_p")[1:]} == ROWS


def test_the_readme_begins_with_what_it_is_a_match_in_motion_and_two_ways_in() -> None:
    title, *titles = [heading for heading, (level, *_) in page("README.md").headings.items() if level <= 2]
    assert title == "Ambit"
    assert titles == ["What it does", "Try it now", "Add it to a server", "How to run it", "How to develop it"]
    first = Page(page("README.md").source.partition("\n## ")[0])
    lines = [line for line in first.source.split("\n") if line]
    assert sum(not line.startswith(("#", "!", "**")) for line in lines) == 3, "three lines say what it is"
    picture, *links = first.links
    assert (ROOT / picture).stat().st_size < 400_000
    assert links == ["#add-it-to-a-server", "#try-it-now"]
