"""What the modules of the program import and name, each read and parsed once in a process."""

import ast
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PROGRAM: Final = ("bot.py", "cogs", "db", "games", "matches", "render")
"""The rooms of the bot."""


class Source(NamedTuple):
    """What the tests ask of a module. Lines are those of the first place."""

    imports: dict[tuple[str, str], int]
    """By module and name, ``""`` being the name of ``import module``. A relative module begins with its dots."""
    names: frozenset[str]
    """The names that its expressions use alone: variables, functions."""
    attributes: dict[str, int]
    """The names after a dot, whatever is done with them."""
    read: dict[str, int]
    """Those that are neither assigned nor deleted."""
    called: dict[str, int]
    dotted: dict[str, int]
    """The attributes of what is one name: ``self.host``."""
    docstring: str


@cache
def modules(*rooms: str) -> tuple[Path, ...]:
    """The modules of these rooms, by path. A room may be one module."""
    paths = [ROOT / room for room in rooms]
    return tuple(each for path in paths for each in (sorted(path.rglob("*.py")) if path.is_dir() else [path]))


def parsed(path: Path) -> ast.Module:
    """Parse a module. Its tree isn't kept: it takes forty times as much memory as the file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def source(path: Path) -> Source:
    """Parse a module and say what is in it."""
    found = Source({}, frozenset(), {}, {}, {}, {}, ast.get_docstring(tree := parsed(path)) or "")
    names = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                for alias in node.names:
                    found.imports.setdefault((alias.name, ""), node.lineno)
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                for alias in node.names:
                    found.imports.setdefault((module, alias.name), node.lineno)
            case ast.Name():
                names.add(node.id)
            case ast.Attribute():
                found.attributes.setdefault(node.attr, node.lineno)
                if isinstance(node.ctx, ast.Load):
                    found.read.setdefault(node.attr, node.lineno)
                if isinstance(node.value, ast.Name):
                    found.dotted.setdefault(f"{node.value.id}.{node.attr}", node.lineno)
            case ast.Call(func=ast.Attribute() as method):
                found.called.setdefault(method.attr, method.lineno)
    return found._replace(names=frozenset(names))
