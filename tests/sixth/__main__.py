"""``make game KEY=four`` begins a new game: it copies the sixth game into the rooms under another key.

An unusable key gets one sentence on standard error, and exit status 2.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from string import ascii_uppercase
from typing import Final, NamedTuple

from games import GAMES
from tests.sixth.bring import KEY
from tests.sixth.game import GAME

SIXTH: Final = Path(__file__).parent
ROOT: Final = SIXTH.parent.parent

WRONG: Final = 2
"""Exit status for a key that cannot be used."""

COPIES: Final = {
    "game": "games/{key}",
    "render": "render/{key}",
    "judgement.py": "matches/computers/judgements/{key}.py",
    "rules": "games/rules",
    "test_rules.py": "tests/games/test_{key}.py",
    "material.py": "tests/games/material/{key}.py",
    "reading.py": "tests/render/reading/{key}.py",
    "look.py": "tests/render/looks/{key}.py",
    "logs": "tests/logs",
}
"""Files and folders of the sixth game, and where they belong in the rooms."""

COG: Final = '''"""{name} on Discord; everything that its commands do is shared by all games."""

from __future__ import annotations

from cogs.commands.game_cog import GameCog


class {name}(GameCog, game="{key}"):
    """``/{key} new|play|hand|board|rules``."""
'''
"""The new game's cog. The sixth game's own has one more command, which tests of limits would have to name."""

MODULES: Final = {"tests.sixth.game": "games.{key}", "tests.sixth.render": "render.{key}"}


Copied = tuple[list[Path], list[Path]]
"""The files that were made, and those that were changed."""


class Insertion(NamedTuple):
    """`text` is inserted into `file`, before the first `end` that follows `begin`."""

    file: str
    begin: str
    end: str
    text: str


INSERTIONS: Final = (
    Insertion("games/__init__.py", "from games import ", "\n", ", {key}"),
    Insertion("games/__init__.py", "GAMES: ", "\n}", '\n    "{key}": {key}.GAME,'),
    Insertion("README.md", "| game | players |", "\n\n", "\n| {name} | {players} | {summary} |"),
    Insertion(
        "docs/computer-players.md", "| game | what it knows |", "\n\n", "\n| {name} | which stone is a cairn's last |"
    ),
    Insertion(
        "docs/fair-deals.md",
        "| line | how it is drawn |",
        "\n\n",
        "\n| {name} `deal` | The tokens `A B C D`, shuffled. Seat 0 gets the first, seat 1 the second, … |",
    ),
    Insertion("docs/verify_deals.py", "PLAYERS: ", "}", ', "{key}": (2, 3)'),
    Insertion(
        "docs/verify_deals.py",
        "match self.game, word:",
        "\n        raise Unreadable",
        '\n            case "{key}", "deal":'
        "\n                return f\"deal {{''.join(draw.shuffled('ABCD')[: self.players])}}\"",
    ),
    Insertion(
        "matches/ratings/model.py",
        "COMPUTERS: ",
        "\n}",
        '\n    "{key}": {{"easy": 1200.0, "normal": 1500.0, "hard": 1650.0, "expert": 1700.0}},',
    ),
    Insertion("benchmarks/rules.py", "FLOORS: ", "}", ', "{key}": 0.5'),
    Insertion(
        "render/gallery.py",
        "GALLERY: ",
        "\n}",
        '\n    "{key}": Shown(5, 0, "{key}-turn", Lobby((Sitting("Hana", remark="host"),), 1, "24 hours a turn", '
        '"1 more needed")),',
    ),
)


def main(arguments: Sequence[str]) -> int:
    """Copy the sixth game under the key in `arguments`, and print every file that was made or changed."""
    return begun(arguments, checked, copied)


def begun(arguments: Sequence[str], check: Callable[[str], str], copy: Callable[[str], Copied]) -> int:
    """Copy something under the key in `arguments`, format and print each file. Return the exit status."""
    try:
        made, changed = copy(check(" ".join(arguments)))
    except ValueError as error:
        print(error, file=sys.stderr)
        return WRONG
    tidy(*made, *changed)
    for word, paths in (("made", made), ("changed", changed)):
        print("\n".join(f"{word:8}{path.relative_to(ROOT)}" for path in sorted(paths)))
    return 0


def copied(key: str) -> Copied:
    """Copy the sixth game under this key."""
    cog = ROOT / "cogs" / f"{key}.py"
    cog.write_text(COG.format(key=key, name=key.title()), "utf-8")
    made = [cog]
    for original, path in originals(key):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(renamed(original.read_text("utf-8"), key), "utf-8")
        made.append(path)
    info = GAME.info
    players = f"{info.min_players}-{info.max_players}"
    words = {"key": key, "name": key.title(), "players": players, "summary": info.summary}
    return made, insert(INSERTIONS, words)


def checked(key: str) -> str:
    """The key itself. Raises ValueError with a sentence if it can't be that of a new game."""
    if not re.fullmatch(r"[a-z]{1,32}", key):
        raise ValueError(f"A key is 1 to 32 letters from a to z, as in `make game KEY=four`, and not {key!r}.")
    name = key.title()
    if iskeyword(key) or iskeyword(name):
        raise ValueError(f"{key!r} is a word of Python, so no module can be called so. Choose another key.")
    stems = {name for room in ("games", "render", "cogs") for name in names_in(room)}
    modules = [path.read_text("utf-8") for path, _ in originals(key) if path.suffix == ".py"]
    words = {word for module in modules for word in re.findall(r"\w+", module)}
    if key in {*GAMES, *stems} or name in words or any(path.exists() for _, path in originals(key)):
        raise ValueError(f"{key!r} is taken by another game or by a part of the program. Choose another key.")
    return key


def names_in(room: str) -> set[str]:
    """The names of all files of a room, and of their folders. What Python compiled may be left from something gone."""
    files = (path for path in (ROOT / room).rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {name for path in files for name in (path.stem, path.parent.name)}


def originals(key: str) -> Iterator[tuple[Path, Path]]:
    """Every file of the sixth game that is copied, and its place in the new game."""
    for source, target in COPIES.items():
        for path in (SIXTH / source, *(SIXTH / source).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                beneath = path.relative_to(SIXTH / source).as_posix().replace(KEY, key)
                yield path, ROOT / target.format(key=key) / beneath


def renamed(text: str, key: str) -> str:
    """The text of a file of the sixth game with the key, the name and the letter of the rules of the new game."""
    for module, other in MODULES.items():
        text = text.replace(module, other.format(key=key))
    letter, own = letter_of(key), GAME.info.end_rule[0]
    text = text.replace(KEY, key).replace(KEY.title(), key.title())
    text = re.sub(rf"\b{own}(?=\d)", letter, text)
    return re.sub(rf"\btest_{own.lower()}(?=\d)", f"test_{letter.lower()}", text)


def letter_of(key: str) -> str:
    """The letter of the game's rule numbers: the first of its key that no other game has, or any."""
    taken = {game.info.end_rule[0] for game in (*GAMES.values(), GAME)}
    return next(letter for letter in key.upper() + ascii_uppercase if letter not in taken)


def insert(insertions: Iterable[Insertion], words: Mapping[str, str]) -> list[Path]:
    """Insert lines, formatted with `words`, into the files that list all games or features. Return these files."""
    for file, begin, end, text in insertions:
        path = ROOT / file
        before = path.read_text("utf-8")
        at = before.index(end, before.index(begin))
        # Where a game was added before, the formatter may have left a comma behind it.
        added = text.lstrip(", ") if before[:at].rstrip().endswith(",") else text
        path.write_text(f"{before[:at]}{added.format(**words)}{before[at:]}", "utf-8")
    return [ROOT / file for file in sorted({insertion.file for insertion in insertions})]


def tidy(*paths: Path) -> None:
    """Sort the imports of these modules and format them: another key makes other lines."""
    modules = [str(path) for path in paths if path.suffix == ".py"]
    for command in (("check", "--select", "I", "--fix"), ("format",)):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--no-cache"]
        subprocess.run([*ruff, *modules], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
