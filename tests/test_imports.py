"""Imports point down only (DESIGN): read from the source, so that no import can hide behind a condition."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# What each room may import of ours, beside itself.
ALLOWED = {
    "games": set(),
    "db": set(),
    "render": {"games"},
    "matches": {"games", "db"},
    "cogs": {"matches", "render", "games"},
}
ROOMS = {*ALLOWED, "bot", "tests", "benchmarks"}
WITHOUT_DISCORD = ("games", "db", "render", "matches")


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The top-level packages that a module imports, wherever in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name.partition(".")[0], node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively: say the full name"
            yield (node.module or "").partition(".")[0], node.lineno


def found(room: str, forbidden: set[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(room)
        for name, line in imported(path)
        if name in forbidden
    ]


def test_every_room_has_modules_to_look_at() -> None:
    assert all(modules(room) for room in ALLOWED)


@pytest.mark.parametrize("room", ALLOWED)
def test_imports_point_down_only(room: str) -> None:
    assert not found(room, ROOMS - ALLOWED[room] - {room})


def test_games_use_the_standard_library_and_nothing_else() -> None:
    names = {name for path in modules("games") for name, _ in imported(path)}
    assert names - {"games"} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("room", WITHOUT_DISCORD)
def test_discord_is_known_in_cogs_only(room: str) -> None:
    assert not found(room, {"discord"})


def test_games_know_no_chance_of_their_own_and_no_clock() -> None:
    rules = [path for path in modules("games") if path.name != "__main__.py"]
    forbidden = {"random", "secrets", "time", "datetime", "asyncio"}
    assert not [path for path in rules for name, _ in imported(path) if name in forbidden]


def test_only_the_store_speaks_sql() -> None:
    for room in ("games", "render", "matches", "cogs"):
        assert not found(room, {"sqlalchemy", "alembic", "aiosqlite", "sqlite3"})


DELIVERY = {"tellings", "healing", "threads", "lanes", "lobbies"}
"""The rooms of delivery that only the porter enters."""

OWED = {"claim", "claim_due", "told", "retry", "run_due", "run_time", "computers_turn", "happen", "take_over", "renew"}
"""What only whoever delivers asks of the host."""


def test_nobody_but_the_porter_sends_what_is_owed() -> None:
    outside = [path for path in modules("cogs") if path.parent.name != "delivery"]
    assert outside
    entered = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in outside
        for name in delivery_names(path)
        if (path, name) != (ROOT / "cogs" / "__init__.py", "porter")
    ]
    assert entered == []
    asked = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}"
        for path in outside
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in OWED
    ]
    assert asked == []


def delivery_names(path: Path) -> Iterator[str]:
    """The modules of `cogs.delivery` that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "cogs.delivery":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cogs.delivery."):
            yield (node.module or "").split(".")[2]


def test_the_porter_alone_enters_the_rooms_of_delivery() -> None:
    assert {path.stem for path in modules("cogs") if path.parent.name == "delivery"} == {
        *DELIVERY,
        "__init__",
        "porter",
    }
