"""Players from the code of another commit, each in a process that runs this module there.

A process reads a line of JSON for each question, and writes a line with the action as text.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.measure import PeerMissing
from benchmarks.players import Table, chooser
from games.core import State
from matches.computers.levels import Level

HERE: Final = Path(__file__).parents[2]
"""The code of this commit."""


@contextmanager
def code_of(commit: str) -> Iterator[Path]:
    """Put the files of a commit into a temporary folder. Raises PeerMissing if the clone doesn't have it."""
    try:
        packed = subprocess.run(["git", "archive", commit], cwd=HERE, capture_output=True, check=True).stdout
    except (subprocess.CalledProcessError, FileNotFoundError) as missing:
        raise PeerMissing(f"This plays commit {commit}. Here is no Git, or no such commit.") from missing
    with TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
        yield Path(folder)


class Expert:
    """An expert of the code in a folder, for one match: a `players.Chooser`.

    Others of the same code share its process. So they play before this match or after it.
    """

    def __init__(self, code: Path, table: Table, effort: float, seed: str) -> None:
        self._process, self._told = _process(code), 0
        self._begin = "begin", list(table), effort, seed

    def __call__(self, state: State[Any], player: int, lines: list[tuple[int, Any]]) -> Any:
        """Return its action. It is told the lines since its last one."""
        if not self._told:
            self._ask(*self._begin)
        new = [(who, state.action_to_string(action)) for who, action in lines[self._told :]]
        self._told = len(lines)
        return state.string_to_action(player, self._ask("play", player, new))

    def _ask(self, *question: Any) -> str:
        to, answers = self._process.stdin, self._process.stdout
        assert to is not None
        assert answers is not None
        print(json.dumps(question), file=to, flush=True)
        return str(json.loads(answers.readline()))


@cache
def _process(code: Path) -> subprocess.Popen[str]:
    # -P keeps this module's folder out of the path. So all imports are from `code`.
    command = [sys.executable, "-P", __file__]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=code, env={**os.environ, "PYTHONPATH": str(code)}, stdin=pipe, stdout=pipe, text=True
    )


def _answer_questions() -> None:
    for line in sys.stdin:
        kind, *told = json.loads(line)
        if kind == "begin":
            named, effort, seed = told
            table = Table(*named)
            state, lines, play = table.start(), list[tuple[int, Any]](), chooser(Level.EXPERT, effort, Random(seed))
            said = ""
        else:
            player, new = told
            for who, text in new:
                action = state.string_to_action(who, text)
                lines.append((who, action))
                state = state.child(who, action)
            said = state.action_to_string(play(state, player, lines))
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    _answer_questions()
