"""Each setting is read where it changes something: not only where it is stored, offered and shown. FOUND B4.

`tests/cogs/test_settings.py`, `test_want.py` and others play what most of them change. Here nothing can be forgotten:
the names that hold somebody's settings are followed through every module outside of storing and showing.
"""

import ast
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Final

import pytest

from cogs.process.environment import Settings
from matches.api import GuildSettings, PlayerSettings, Terms
from tests.sources import ROOT, modules, parsed, source

STORE_OR_SHOW: Final = (
    *("cogs/commands/settings.py", "cogs/commands/setting_pages.py", "cogs/commands/privacy.py"),
    *("matches/host/settings.py", "db/people/settings.py", "db/people/own.py", "db/people/people.py"),
    *("db/model/", "db/migrations/", "db/upkeep/"),
)
"""Where a setting is stored, exported, deleted, offered or shown: reading it there changes nothing else."""

IN_ROWS: Final = {
    "who_cancels": ("matches/work/stored.py", "found.who_cancels is Cancellers.HOSTS"),
    "boards": ("matches/work/stored.py", "table.boards is Boards.ONE"),
    "quiet": ("matches/pledges/calls.py", "quiet.stored(known.quiet, known.zone)"),
    "at_once": ("matches/pledges/calls.py", "known.at_once and known.playing >= known.at_once"),
}
"""Settings that come in a row of a query, with other things: the module and the expression that decides by them."""

ENVIRONMENT: Final = "cogs/process/environment.py"

HOLDERS: Final = ("settings", "Settings")
"""What the name of a function, an attribute or a class ends with that gives somebody's settings."""


def gives_settings(node: ast.AST, known: set[str]) -> bool:
    """Whether an expression is somebody's settings, given the names that are known to hold them."""
    match node:
        case ast.Name(id=name):
            return name in known or name.endswith(HOLDERS)
        case ast.Attribute(attr=name):
            return name.endswith(HOLDERS)
        case ast.Call(func=inner) | ast.Await(value=inner):
            return gives_settings(inner, known)
        case ast.IfExp(body=one, orelse=other):
            return gives_settings(one, known) or gives_settings(other, known)
        case ast.BoolOp(values=values):
            return any(gives_settings(value, known) for value in values)
    return False


def holding(function: ast.AST) -> set[str]:
    """The names in a function that hold somebody's settings: assigned from such, or said to be such."""
    known: set[str] = set()
    naming = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.NamedExpr | ast.arg)]
    for _ in range(3):
        for node in naming:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if gives_settings(value, known):
                    known.add(name)
                case ast.NamedExpr(target=ast.Name(id=name), value=value) if gives_settings(value, known):
                    known.add(name)
                case ast.arg(arg=name, annotation=said) if said is not None and "Settings" in ast.unparse(said):
                    known.add(name)
    return known


def read_in(tree: ast.AST) -> Iterator[str]:
    """The attributes of settings that a module reads."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        known = holding(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and gives_settings(node.value, known):
                yield node.attr


@cache
def read() -> frozenset[str]:
    """The attributes of settings that are read outside of the module that reads those of the process."""
    return frozenset(
        attribute
        for path in modules("bot.py", "cogs", "matches", "db")
        if not path.relative_to(ROOT).as_posix().startswith((*STORE_OR_SHOW, ENVIRONMENT))
        and "ettings" in path.read_text("utf-8")
        for attribute in read_in(parsed(path))
    )


OF_PEOPLE_AND_SERVERS: Final = [each.name for kind in (PlayerSettings, GuildSettings) for each in fields(kind)]


@pytest.mark.parametrize("name", OF_PEOPLE_AND_SERVERS)
def test_a_setting_of_a_person_or_a_server_is_read_where_it_changes_something(name: str) -> None:
    if name not in IN_ROWS:
        assert name in read(), f"nothing outside of storing and showing reads `{name}`"
        return
    module, expression = IN_ROWS[name]
    assert not module.startswith(STORE_OR_SHOW)
    assert f".{name}" in expression
    said = (node for node in ast.walk(parsed(ROOT / module)) if isinstance(node, ast.Call | ast.Compare | ast.BoolOp))
    assert expression in map(ast.unparse, said)


def test_a_setting_that_nothing_reads_is_noticed() -> None:
    known = "settings = await host.settings.player_settings(user)\n    "
    for body, found in (
        (f"{known}return settings.ping", {"ping"}),
        (f"{known}chosen = settings\n    return chosen.ping", {"ping"}),
        ("if (mine := seat.settings) is not None:\n        return mine.large", {"large"}),
        ("terms = match.terms\n    return terms.pace", set()),
        (f"{known}settings.ping = 1", set()),
    ):
        tree = ast.parse(f"async def work(host, user, seat, match):\n    {body}")
        assert set(read_in(tree)) & {*OF_PEOPLE_AND_SERVERS} == found, body


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_setting_of_the_process_is_read_by_the_program(name: str) -> None:
    """By itself, or through a property of `Settings` that reads it and is itself read elsewhere."""
    own = parsed(ROOT / ENVIRONMENT)
    (settings,) = (node for node in own.body if isinstance(node, ast.ClassDef) and node.name == "Settings")
    # What checks a setting doesn't use it.
    parts = {
        part.name: {node.attr for node in ast.walk(part) if isinstance(node, ast.Attribute)}
        for part in settings.body
        if isinstance(part, ast.FunctionDef)
        and not any("validator" in ast.unparse(each) for each in part.decorator_list)
    }
    through = {name}
    for _ in parts:
        through |= {part for part, reads in parts.items() if reads & through}
    assert through & read(), f"nothing uses AMBIT_{name.upper()}"


OPENED_OR_SHOWN: Final = ("cogs/commands/game_cog.py", "cogs/lobby/", "matches/table/opening.py", "db/")
"""Where a table's terms are offered, stored, shown, and kept by a rematch."""


@pytest.mark.parametrize("name", [each.name for each in fields(Terms)])
def test_a_term_of_a_table_is_read_where_it_changes_something(name: str) -> None:
    reading = {path.relative_to(ROOT).as_posix() for path in modules("cogs", "matches") if name in source(path).read}
    assert [path for path in reading if not path.startswith(OPENED_OR_SHOWN)], (
        "only opening and showing a table read it"
    )
