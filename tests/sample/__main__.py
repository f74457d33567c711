"""``make feature KEY=league`` begins a new feature: it copies the sample into the rooms under another key.

An unusable key gets one sentence on standard error, and exit status 2.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Final

from matches.features import FEATURES
from tests.sixth.__main__ import ROOT, Copied, Insertion, begun, insert, names_in

SAMPLE: Final = Path(__file__).parent

COPIES: Final = {
    "db": "db/{key}",
    "matches": "matches/{key}",
    "cogs": "cogs/{key}",
    "migration.py": "db/migrations/versions/v{number}_{key}.py",
    "host_tests.py": "tests/matches/{key}/test_{key}.py",
    "face_tests.py": "tests/cogs/{key}/test_{key}.py",
}
"""Files and folders of the sample, and where they belong in the rooms."""

INSERTIONS: Final = (
    Insertion("matches/features.py", "from matches import ", "\n", ", {key}"),
    Insertion("matches/features.py", "FEATURES: ", "\n)", "\n    {key}.FEATURE,"),
    Insertion("db/features.py", "from db.model", "\n", "\nfrom db.{key} import kept as {key}"),
    Insertion("db/features.py", "KEPT: ", ")", ", {key}.KEPT"),
    Insertion(
        "docs/privacy-policy.md",
        "| orders: ",
        "\n",
        "\n| {key}: `match_id`, `user_id`, `text` | your notes about matches | to show them to you | as long as the "
        "match, or until you delete them |",
    ),
    Insertion("tests/cogs/test_limits.py", "COSTS: ", "\n}", '\n    "/{key}": Free.OWN,'),
    Insertion(
        "tests/cogs/test_privacy_page.py",
        "SAID = ",
        "\n}",
        '\n    "{key}": dict.fromkeys(("user_id", "text"), "Your notes about matches"),',
    ),
    Insertion("tests/db/test_plans.py", "from db.model", "\n", "\nfrom db.{key} import kept as {key}"),
    Insertion(
        "tests/db/test_plans.py",
        "QUESTIONS: ",
        "\n}",
        "\n    {key}.of_match: [lambda c: {key}.of_match(c, MATCH)],"
        '\n    {key}.store: [lambda c: {key}.store(c, MATCH, (), ({key}.{name}Row(USER, "x"),))],',
    ),
)


def main(arguments: Sequence[str]) -> int:
    """Copy the sample under the key in `arguments`, and print every file that was made or changed."""
    return begun(arguments, checked, copied)


def copied(key: str) -> Copied:
    """Copy the sample under this key."""
    latest = max(re.findall(r'^revision = "(\d+)"', path.read_text("utf-8"), re.M)[0] for path in migrations())
    number = f"{int(latest) + 1:04}"
    made = [ROOT / room / key / "__init__.py" for room in ("tests/matches", "tests/cogs")]
    for path in made:
        path.parent.mkdir(parents=True)
        path.touch()
    for original, path in originals(key, number):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"tests\.sample\.(db|matches|cogs)", r"\1.sample", original.read_text("utf-8"))
        text = text.replace("sample", key).replace("Sample", key.title())
        path.write_text(text.replace("{revision}", number).replace("{down_revision}", latest), "utf-8")
        made.append(path)
    return made, insert(INSERTIONS, {"key": key, "name": key.title()})


def checked(key: str) -> str:
    """The key itself. Raises ValueError with a sentence if it can't be that of a new feature."""
    if not re.fullmatch(r"[a-z]{1,16}", key):
        raise ValueError(f"A key is 1 to 16 letters from a to z, as in `make feature KEY=league`, and not {key!r}.")
    rooms = ("db", "matches", "cogs", "tests/matches", "tests/cogs")
    names = {name for room in rooms for name in names_in(room)}
    if iskeyword(key) or key in {*names, "sample", *(feature.key for feature in FEATURES)}:
        raise ValueError(f"{key!r} is taken by a part of the program, or a word of Python. Choose another key.")
    return key


def migrations() -> Iterator[Path]:
    """The files of migrations."""
    return (ROOT / "db" / "migrations" / "versions").glob("v*.py")


def originals(key: str, number: str) -> Iterator[tuple[Path, Path]]:
    """Every file of the sample that is copied, and its place in the new feature."""
    for source, target in COPIES.items():
        for path in (SAMPLE / source, *(SAMPLE / source).rglob("*.py")):
            if path.is_file():
                yield path, ROOT / target.format(key=key, number=number) / path.relative_to(SAMPLE / source)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
