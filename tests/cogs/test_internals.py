"""Each private name in `cogs/internals.py` is still there, and no other module uses a foreign one."""

import ast
from collections.abc import Iterator
from inspect import isfunction
from pathlib import Path
from typing import Final

import aiohttp
import discord
import pytest
from discord.shard import Shard
from discord.state import ConnectionState

from tests.files import ROOT

INTERNALS: Final = ROOT / "cogs" / "internals.py"
PREVIEW: Final = ROOT / "cogs" / "preview" / "world.py"
"""It replaces a private function of SimCord's, which draws the preview's page."""

OF_TUPLES: Final = {"_replace", "_asdict", "_make", "_fields"}


OWNERS: Final[dict[str, type]] = {
    "_connection": discord.AutoShardedClient,
    "_get_or_create_unavailable_guild": ConnectionState,
    "_remove_guild": ConnectionState,
    "_overwrites": discord.TextChannel,
    "_integration_owners": discord.Interaction,
    "_AutoShardedClient__shards": discord.AutoShardedClient,
    "_AutoShardedClient__queue": discord.AutoShardedClient,
    "_cancel_task": Shard,
    "_view": discord.ui.Item,
    "_parent": discord.InteractionResponse,
    "_channels": discord.Guild,
    "_threads": discord.Guild,
    "_members": discord.Guild,
    "_roles": discord.Guild,
    "_timeout": aiohttp.ClientSession,
}
"""By private name, the class whose objects have it."""


def private_names(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the private names that a module asks of what it hasn't made itself, with the line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }
    for node in nodes:
        match node:
            case ast.Attribute(attr=name) if name not in own | OF_TUPLES:
                pass
            case ast.Subscript(slice=ast.Constant(value=str(name))):  # vars(client)["_name"]
                pass
            case ast.Call(func=ast.Name(id="getattr" | "setattr"), args=[_, ast.Constant(value=str(name)), *_]):
                pass
            case ast.ImportFrom(names=[ast.alias(name=name), *_]):
                pass
            case _:
                continue
        if name.startswith("_") and not name.startswith("__"):
            yield name, node.lineno


@pytest.mark.parametrize(("name", "owner"), OWNERS.items(), ids=OWNERS)
def test_a_private_name_is_still_there(name: str, owner: type) -> None:
    """What isn't made before the client connects is looked for in the code of its class."""
    used = {each for method in filter(isfunction, vars(owner).values()) for each in method.__code__.co_names}
    why = f"{owner.__name__} has no {name} any more: find out what replaced it, and change cogs/internals.py."
    assert hasattr(owner, name) or name in used, why


def test_each_private_name_has_its_test() -> None:
    assert {name for name, _ in private_names(INTERNALS)} == set(OWNERS)


def test_no_other_module_uses_a_private_name_of_what_it_has_not_made() -> None:
    paths = {ROOT / "bot.py", *(ROOT / "cogs").rglob("*.py")} - {INTERNALS, PREVIEW}
    assert {f"{path.relative_to(ROOT)}:{line} {name}" for path in paths for name, line in private_names(path)} == set()
