"""A game is more than its rules: the tests name what is missing."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import FunctionType
from typing import get_type_hints

import pytest

from docs.verify_deals import PLAYERS
from games import GAMES, pages
from games.__main__ import main
from games.illustrations import split_illustrations
from tests.conformance.matches import GOLDEN_LOGS, LOGS
from tests.pages import page
from tests.sources import ROOT, parsed

MAX_SECTION = 1500
LONGEST_OF_FIVE = 120
"""Longest section of the rules for people, in characters."""

MAX_LINES = 500
"""Longest module of a game."""

SHAPE = {
    "games": {
        "components": (),
        "actions": ("Action", "action_to_string", "string_to_action", "read"),
        "observation": (),
        "refusals": ("why_illegal",),
        "choices": ("choices",),
        "state": ("new_match",),
        "__init__": ("GAME",),
    },
    "render": {
        "components": (),
        "words": ("say", "alt_text", "text_board", "end_text"),
        "board": ("MOOD", "paint"),
        "__init__": ("RENDERER",),
    },
}
"""The modules that every game has, by room, and what each of them defines."""

_TITLE = re.compile(r"^## .+ \((?P<rules>[A-Z][0-9A-Z, -]*)\)$")
_SPAN = re.compile(r"(?P<letter>[A-Z])(?P<first>[0-9]+)(?:-[A-Z]?(?P<last>[0-9]+))?")


def rule_numbers(key: str) -> set[int]:
    """The rule numbers that the page for people covers."""
    spans = _SPAN.finditer(titles(key))
    return {n for span in spans for n in range(int(span["first"]), int(span["last"] or span["first"]) + 1)}


def titles(key: str) -> str:
    """The spans of rules in the titles of that page: ``S1, S2-S4``."""
    found = [title for line in pages.page(key).splitlines() if (title := _TITLE.match(line))]
    return ", ".join(title["rules"] for title in found)


def files_of_tests(key: str) -> list[Path]:
    """The test modules of one game's rules."""
    tests = ROOT / "tests" / "games"
    return [*tests.glob(f"test_{key}.py"), *tests.glob(f"{key}/test_*.py")]


def has_lessons(key: str) -> bool:
    """Whether there is a file of lessons beside the rules for people."""
    return GAMES[key].rules.joinpath("lessons", f"{key}.toml").is_file()


def row_of(key: str, name: str) -> list[str]:
    """The first row about a game in a table of this page; empty if there is none."""
    return next((row for row in page(name).rows if f"{row[0]} ".startswith(f"{GAMES[key].info.name} ")), [])


@pytest.mark.parametrize("key", GAMES)
def test_a_game_has_renderer_cog_tests_rules_page_and_golden_log(key: str) -> None:
    judgements = ROOT / "matches" / "computers" / "judgements"
    readers, looks = ROOT / "tests" / "render" / "reading", ROOT / "tests" / "render" / "looks"
    needed = {
        f"a renderer in render/{key}/": (ROOT / "render" / key / "__init__.py").exists(),
        f"a cog in cogs/{key}.py": (ROOT / "cogs" / f"{key}.py").exists(),
        f"tests in tests/games/{key}/ or tests/games/test_{key}.py": bool(files_of_tests(key)),
        f"the rules for people in {GAMES[key].rules}/{key}.md": GAMES[key].rules.joinpath(f"{key}.md").is_file(),
        f"lessons in {GAMES[key].rules}/lessons/{key}.toml": has_lessons(key),
        f"a golden log in tests/logs/{key}-*.log": any(path.stem.startswith(f"{key}-") for path in GOLDEN_LOGS),
        f"a reader of its words, legal and worth, in tests/render/reading/{key}.py": {"legal", "worth"}
        <= defined(readers / f"{key}.py"),
        f"its LOOK (colours, signs, places) in tests/render/looks/{key}.py": "LOOK" in defined(looks / f"{key}.py"),
        "what the gallery shows of it, in GALLERY of render/gallery.py": key in listed("render/gallery.py", "GALLERY"),
        f"its JUDGEMENT in matches/computers/judgements/{key}.py": "JUDGEMENT"
        in defined(judgements / f"{key}.py") | defined(judgements / key / "__init__.py"),
        "what that knows, in docs/computer-players.md": bool(row_of(key, "docs/computer-players.md")),
        "the ratings of its computers, in COMPUTERS of matches/ratings/model.py": key
        in listed("matches/ratings/model.py", "COMPUTERS"),
        "the floor of its speed, in FLOORS of benchmarks/rules.py": key in listed("benchmarks/rules.py", "FLOORS"),
        "how chance draws in it, in docs/fair-deals.md": bool(row_of(key, "docs/fair-deals.md")),
        "the same in PLAYERS and Table.expected of docs/verify_deals.py": key
        in listed("docs/verify_deals.py", "PLAYERS"),
        "its row in README.md": row_of(key, "README.md")[-1:] == [GAMES[key].info.summary],
    }
    missing = [name for name, there in needed.items() if not there]
    assert not missing, f"{key} lacks {'; '.join(missing)}"


@pytest.mark.parametrize("room", SHAPE)
@pytest.mark.parametrize("key", GAMES)
def test_a_game_has_the_modules_that_all_games_have(key: str, room: str) -> None:
    check_shape(ROOT / room / key, room)


def check_shape(folder: Path, room: str) -> None:
    """Check that a game's folder has the modules that all games have in this room, and none is too long."""
    missing = []
    for module, names in SHAPE[room].items():
        path = folder / f"{module}.py"
        there = defined(path)
        missing += [f"{module}.py"] * (not there)
        missing += [f"{name} in {module}.py" for name in names if name not in there]
    assert not missing, f"{folder} lacks {', '.join(missing)}"
    long = [path.name for path in folder.glob("*.py") if len(path.read_text("utf-8").splitlines()) > MAX_LINES]
    assert not long, f"{folder} has modules of more than {MAX_LINES} lines: {long}"


def defined(path: Path) -> set[str]:
    """The functions, classes and constants that a module defines itself; empty without the module."""
    names = set[str]()
    if not path.exists():
        return names
    for node in parsed(path).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=targets):
                names.update(target.id for target in targets if isinstance(target, ast.Name))
    return names


def listed(file: str, name: str) -> set[str]:
    """The keys of the dictionary `name` of a module, read from its source."""
    for node in parsed(ROOT / file).body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.Dict(keys=keys)) if found == name:
                return {str(key.value) for key in keys if isinstance(key, ast.Constant)}
    raise LookupError(f"{file} has no dictionary called {name}.")


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_for_people_cover_every_rule_in_short_sections(key: str) -> None:
    numbers = rule_numbers(key)
    assert numbers == set(range(1, max(numbers) + 1))
    prose, _ = split_illustrations(pages.page(key))
    for section in re.split(r"^## ", prose, flags=re.MULTILINE)[1:]:
        assert len(section) <= MAX_SECTION, section.splitlines()[0]


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_for_people_begin_with_the_game_in_five_lines(key: str) -> None:
    prose, _ = split_illustrations(pages.page(key))
    first = re.split(r"^## ", prose, flags=re.MULTILINE)[1]
    title, *lines = [line for line in first.splitlines() if line]
    assert title == "The game in five lines"
    assert [line[:3] for line in lines] == [f"{number}. " for number in range(1, 6)]
    assert max(len(line) for line in lines) <= LONGEST_OF_FIVE


def test_a_rule_leads_to_its_game_by_the_letter_before_its_number() -> None:
    letters = {key: {span["letter"] for span in _SPAN.finditer(titles(key))} for key in GAMES}
    for key, game in GAMES.items():
        assert letters[key] == {game.info.turn_rule[0]} == {game.info.end_rule[0]}
        assert not [other for other in GAMES if other != key and letters[other] & letters[key]]


@pytest.mark.parametrize("key", GAMES)
def test_every_numbered_rule_has_a_test_of_its_own(key: str) -> None:
    check_rules_are_tested(key, files_of_tests(key))


def check_rules_are_tested(key: str, files: list[Path]) -> None:
    """Every rule of the page for people has a test in one of these modules."""
    letter = GAMES[key].info.end_rule[0].lower()
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    untested = [n for n in sorted(rule_numbers(key)) if not re.search(rf"def test_{letter}{n:02}_", source)]
    assert not untested, f"no test_{letter}NN_… for rules {untested} of {key}"


@pytest.mark.parametrize("path", GOLDEN_LOGS, ids=lambda path: path.stem)
def test_a_golden_log_replays_to_its_recorded_result(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == path.with_suffix(".result").read_text(encoding="utf-8")


def test_every_result_belongs_to_a_golden_log() -> None:
    assert {path.stem for path in LOGS.glob("*.result")} <= {path.stem for path in GOLDEN_LOGS}


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_listed_under_its_own_key(key: str) -> None:
    info = GAMES[key].info
    assert info.key == key
    assert re.fullmatch(r"[a-z]{1,32}", key)
    assert 2 <= info.min_players <= info.max_players
    assert info.summary.endswith(".")
    assert all(option.default in option.values for option in info.options)


@pytest.mark.parametrize("key", GAMES)
def test_the_page_and_the_proof_have_the_numbers_of_players_that_a_game_has(key: str) -> None:
    info = GAMES[key].info
    least, most = info.min_players, info.max_players
    assert [info.name, str(least) if least == most else f"{least}-{most}", info.summary] in page("README.md").rows
    assert PLAYERS[key] == (least, most)


@pytest.mark.parametrize("key", GAMES)
def test_refusals_and_choices_are_made_from_the_observation_and_nothing_else(key: str) -> None:
    state = GAMES[key].new_initial_state(GAMES[key].info.min_players)
    notation = type(state).notation
    for function in (notation.why_illegal, notation.choices):
        assert isinstance(function, FunctionType)
        assert get_type_hints(function)["seen"] is type(state.observation(None))


@pytest.mark.parametrize("key", GAMES)
def test_a_game_refuses_players_and_options_that_it_does_not_have(key: str) -> None:
    info = GAMES[key].info
    for players in (info.min_players - 1, info.max_players + 1):
        with pytest.raises(ValueError, match=rf"^{info.name} is for "):
            GAMES[key].new_initial_state(players)
    with pytest.raises(ValueError, match=rf"^{info.name} has no option called nonsense\.$"):
        GAMES[key].new_initial_state(info.min_players, {"nonsense": "yes"})
    for option in info.options:
        with pytest.raises(ValueError, match=rf"^{info.name}: {option.name} has to be one of "):
            GAMES[key].new_initial_state(info.min_players, {option.name: "nonsense"})
