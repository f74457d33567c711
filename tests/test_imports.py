"""Imports point down only (DESIGN). Read from the source, so that no condition can hide an import."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from games import GAMES
from matches.features import FEATURES
from tests.sources import ROOT, modules, source

# The rooms that each room may import, besides itself.
ALLOWED = {
    "games": set(),
    "db": set(),
    "render": {"games"},
    "matches": {"games", "db"},
    "cogs": {"matches", "render", "games"},
}
ROOMS = {*ALLOWED, "bot", "tests", "benchmarks"}
WITHOUT_DISCORD = ("games", "db", "render", "matches")


def imported(path: Path) -> list[tuple[str, int]]:
    """The top-level packages that a module imports, anywhere in it, with the line."""
    said = source(path).imports
    assert not [module for module, _ in said if module.startswith(".")], f"{path}: say the full name"
    return [(module.partition(".")[0], line) for (module, _), line in said.items()]


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


def test_a_table_decides_without_a_store_a_loop_a_clock_or_chance_of_its_own() -> None:
    tables = [path for path in modules("matches") if path.parent.name == "table"]
    assert len(tables) > 1
    forbidden = {"sqlalchemy", "sqlite3", "asyncio", "threading", "concurrent", "time", "random", "secrets", "os"}
    assert not [(path, name) for path in tables for name, _ in imported(path) if name in forbidden]
    assert not [path for path in tables if source(path).called.keys() & {"now", "utcnow", "today"}]
    known = set(imports(ROOT, "matches"))
    outside = {name for path in tables for name in full_names(path, known) if name.startswith("matches.")}
    assert not outside & {
        "matches.engine.clock",
        "matches.work.stored",
        "matches.work.difference",
        "matches.work.unit_of_work",
    }


WORKERS = ("matches.engine.workers", "matches.computers.thinking", "matches.records.frames", "matches.ratings.ladder")
"""The modules that workers of `matches` import. Workers that draw import `render`, which may not import `db` anyway."""


@pytest.mark.parametrize("root", WORKERS)
def test_what_a_worker_imports_leads_to_no_store(root: str) -> None:
    assert not {f"{name} imports db" for name, others in reached_from(root).items() if "db" in others}


def test_whole_matches_are_played_without_discord() -> None:
    reached = reached_from("tests.matches.test_whole_matches")
    assert {"matches"} < set(reached["tests.matches.test_whole_matches"])
    outside = {name for others in reached.values() for name in others}
    assert not outside & {"discord", "simcord", "cogs", "bot", "render"}


def reached_from(root: str) -> dict[str, set[str]]:
    """The modules of a room that this one imports, directly or not, with the top-level packages that each imports."""
    paths = paths_of(ROOT, root.partition(".")[0])
    reached: dict[str, set[str]] = {}
    left = [root]
    while left:
        name = left.pop()
        if name not in reached:
            reached[name] = {package for package, _ in imported(paths[name])}
            left += imported_by(name, paths)
    return reached


def test_no_part_of_the_host_imports_another_part() -> None:
    host = {name: others for name, others in imports(ROOT, "matches").items() if name.startswith("matches.host")}
    parts = {name for name in host["matches.host.host"] if name.startswith("matches.host.")}
    assert len(parts) > 10
    del host["matches.host.host"]
    assert {f"{name} imports {other}" for name, others in host.items() for other in others & parts} == set()


def test_the_engine_knows_no_game_and_no_table() -> None:
    known = set(imports(ROOT, "matches"))
    engine = [path for path in modules("matches") if path.parent.name == "engine"]
    assert len(engine) > 1
    named = {name for path in engine for name in full_names(path, known)}
    assert not {
        name for name in named if name.startswith("matches.") and name.split(".")[1] not in ("engine", "errors")
    }
    assert not {name for name in named if name.partition(".")[0] == "games"}


def test_only_the_store_speaks_sql() -> None:
    for room in ("games", "render", "matches", "cogs"):
        assert not found(room, {"sqlalchemy", "alembic", "aiosqlite", "sqlite3"})


DELIVERY = {*("tellings", "board_posts", "hands", "posting", "tidying", "healing", "threads", "lobbies"), "gathering"}
"""The modules of delivery that only the porter imports."""

OWED = {"claim", "claim_due", "told", "retry", "computers_turn", "happen", "put_off", "take_over", "renew"}
"""What only the scheduler calls; a commit also calls `told`."""

SCHEDULER = "matches.host.scheduler"


def test_nobody_but_the_porter_delivers() -> None:
    within = {"delivery", *(feature.key for feature in FEATURES)}
    outside = [path for path in modules("cogs") if path.parent.name not in within and path.name != "face.py"]
    assert outside
    entered = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in outside
        for name in delivery_names(path)
        if (path, name) != (ROOT / "cogs" / "__init__.py", "porter")
    ]
    assert entered == []
    driving = {str(path.relative_to(ROOT)) for path in outside if SCHEDULER in full_names(path, set())}
    assert driving == {"cogs/client.py"}, "which waits for its tasks at the end"


def test_nobody_but_the_scheduler_takes_up_what_is_owed() -> None:
    asked = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for room, names in (("cogs", OWED), ("matches", OWED - {"told"}))
        for path in modules(room)
        if path.parent != ROOT / "matches" / "delivery" and name_of(path.relative_to(ROOT)) != SCHEDULER
        for name, line in source(path).attributes.items()
        if name in names
    ]
    assert asked == []


def delivery_names(path: Path) -> Iterator[str]:
    """The modules of `cogs.delivery` that a module imports."""
    for module, name in source(path).imports:
        if f"{module}.".startswith("cogs.delivery."):
            yield [*module.split("."), name][2]


def test_the_porter_alone_enters_the_rooms_of_delivery() -> None:
    assert {path.stem for path in modules("cogs") if path.parent.name == "delivery"} == {
        *DELIVERY,
        "__init__",
        "porter",
    }


FEATURE_KEYS = {feature.key for feature in FEATURES}

FLOORS: dict[str, tuple[set[str], ...]] = {
    "db": (
        {"failures", "model"},
        {"migrations"},
        {"store"},
        {"results"},
        FEATURE_KEYS,
        {"features"},
        {"people"},
        {"matches"},
        {"upkeep"},
    ),
    "matches": (
        {"errors"},
        {"engine"},
        {"computers"},
        {"analysis"},
        {"records"},
        {"results"},
        {"table"},
        {"work"},
        {"delivery"},
        FEATURE_KEYS,
        {"features"},
        {"host"},
        {"api"},
    ),
    "cogs": (
        {"internals", "drawing", "log_format"},
        {"gate", "servers"},
        {"client"},
        {"text", "process"},
        {"press", "preview"},
        {"post"},
        {"lobby"},
        {"play", "look", "delivery"},
        {"learn"},
        {"commands"},
        {"face"},
        FEATURE_KEYS,
        set(GAMES),
    ),
}
"""By room, its folders and modules from the ground up: each imports only from below, and nothing from beside it."""

WITHOUT_CIRCLES = ("games", "db", "matches", "render", "cogs", "benchmarks")
"""Rooms in which nothing imports itself by way of others."""


@cache
def imports(root: Path, room: str) -> dict[str, set[str]]:
    """By module, what it imports of its own room, including imports for types alone.

    Importing a module also runs the packages around it, except those that contain the importer.
    """
    paths = paths_of(root, room)
    return {importer: imported_by(importer, paths) for importer in paths}


def paths_of(root: Path, room: str) -> dict[str, Path]:
    return {name_of(path.relative_to(root)): path for path in (root / room).rglob("*.py")}


def imported_by(importer: str, paths: dict[str, Path]) -> set[str]:
    """What a module imports of these, also by running the packages around it."""
    named = {name for name in full_names(paths[importer], paths) if name in paths}
    around = {package for name in named for package in packages_around(name)}
    return (named | around.difference(packages_around(importer))) - {importer}


def name_of(path: Path) -> str:
    """``cogs/press/reply.py`` as ``cogs.press.reply``, and ``cogs/press/__init__.py`` as ``cogs.press``."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def packages_around(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:depth]) for depth in range(1, len(parts))}


def full_names(path: Path, modules: Collection[str]) -> Iterator[str]:
    """What a module imports: the submodule of that name if there is one, otherwise the package."""
    for module, name in source(path).imports:
        yield full if (full := f"{module}.{name}") in modules else module


def check_no_circle(graph: dict[str, set[str]]) -> None:
    """Check that no module imports itself by way of others. Raises CycleError, which names the circle."""
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("room", FLOORS)
def test_the_folders_of_a_room_import_in_one_direction(room: str) -> None:
    floor = {folder: number for number, folders in enumerate(FLOORS[room]) for folder in folders}
    # The package itself names what is in it for others.
    graph = {name: others for name, others in imports(ROOT, room).items() if name != room}
    folder = {name: folder_of(name) for name in graph}
    assert set(folder.values()) == set(floor)
    astray = [
        f"{importer} imports {other}"
        for importer, others in graph.items()
        for other in others
        if other == room or (folder[other] != folder[importer] and floor[folder[other]] >= floor[folder[importer]])
    ]
    assert astray == []


@pytest.mark.parametrize("room", WITHOUT_CIRCLES)
def test_no_module_and_no_folder_imports_itself_by_way_of_others(room: str) -> None:
    graph = imports(ROOT, room)
    check_no_circle(graph)
    folders: dict[str, set[str]] = {}
    for importer, others in graph.items():
        folders.setdefault(folder_of(importer), set()).update(map(folder_of, others))
    check_no_circle({folder: others - {folder, ""} for folder, others in folders.items() if folder})


def folder_of(module: str) -> str:
    """The folder or module just inside the room; nothing for the room's package itself, which names what is in it."""
    return module.partition(".")[2].partition(".")[0]


@pytest.mark.parametrize(
    ("files", "circle"),
    [
        ({"a": "import room.b", "b": "from room import a"}, {"room.a", "room.b"}),
        ({"a": "from room.b import it", "b": "if TYPE_CHECKING:\n    from room.a import It"}, {"room.a", "room.b"}),
        (
            {"a": "from room.inner.b import it", "inner/__init__": "import room.a", "inner/b": ""},
            {"room.a", "room.inner"},
        ),
        ({"__init__": "from room.a import it", "a": "from room import other"}, {"room", "room.a"}),
    ],
)
def test_circles_are_found_wherever_they_run(files: dict[str, str], circle: set[str], tmp_path: Path) -> None:
    for name, text in files.items():
        path = tmp_path / "room" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.raises(CycleError) as caught:
        check_no_circle(imports(tmp_path, "room"))
    assert set(caught.value.args[1]) == circle


OF_SERVERS = {
    *("guild", "guilds", "get_guild", "fetch_guild", "me", "default_role", "guild_permissions"),
    *("get_channel", "get_channel_or_thread", "get_thread", "get_role", "get_scheduled_event", "private_channels"),
    *("get_user", "get_member", "users", "permissions_for", "overwrites", "parent", "roles", "top_role"),
}
"""What discord.py answers from its cache, which stays empty if a new process resumes a session."""

CACHE = {"cogs/servers.py", "cogs/process/slimming.py"}
"""The module that reads the cache, and the one that decides what gets into it."""


def test_one_module_reads_what_discord_py_remembers_of_servers() -> None:
    reading: dict[str, set[str]] = {}
    for path in modules("bot.py", "cogs"):
        if found := source(path).read.keys() & OF_SERVERS:
            reading[str(path.relative_to(ROOT))] = found
    preview = {where for where in reading if where.startswith("cogs/preview/")}
    assert set(reading) - preview == CACHE


HARNESS = {
    *("tests.wire.discord_standin", "tests.wire.bot_process", "tests.wire.launcher", "tests.wire.table"),
    *("tests.server", "tests.proxy"),
}
"""The stand-in for Discord, and the harness of the bot's process: its launcher, tables, server, and the proxy."""


def test_benchmarks_use_the_stand_in_and_the_harness_of_the_process_and_nothing_else_of_the_tests() -> None:
    known = {name_of(path.relative_to(ROOT)) for path in modules("tests")}
    used = {name for path in modules("benchmarks") for name in full_names(path, known) if name.startswith("tests")}
    assert used == HARNESS


def test_only_what_a_game_brings_is_imported_by_a_name_that_is_made_up() -> None:
    """So all other imports can be found by a search of the source."""
    finding = {
        f"{path.relative_to(ROOT)}"
        for path in modules(*ALLOWED)
        for imported in [{name for _, name in source(path).imports}]
        if (imported | source(path).names | source(path).attributes.keys()) & {"import_module", "__import__"}
    }
    assert finding <= {*(f"{room}/__init__.py" for room in ALLOWED), "matches/computers/judgements/__init__.py"}


def of_one_name() -> dict[str, list[Path]]:
    """The modules by file name, except those that each game, feature or package brings under the same name."""
    found: dict[str, list[Path]] = {}
    brought = {*GAMES, "judgements", *(feature.key for feature in FEATURES)}
    for path in modules(*ALLOWED, "benchmarks"):
        inside = path.relative_to(ROOT)
        if path.name not in ("__init__.py", "__main__.py") and not brought.intersection(inside.parts):
            found.setdefault(path.name, []).append(inside)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


@pytest.mark.parametrize(("name", "paths"), of_one_name().items(), ids=of_one_name())
def test_files_of_one_name_are_sides_of_one_thing_and_say_so(name: str, paths: list[Path]) -> None:
    """Each one's docstring names the others."""
    for path in paths:
        said = source(ROOT / path).docstring
        missing = [str(other) for other in paths if other != path and f"`{other}`" not in said]
        assert not missing, f"{path} doesn't say what it has to do with {missing}: do, or rename it"
