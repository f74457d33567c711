"""``/puzzle``: the day's puzzle, and puzzles of every game. ``/operator puzzle``: those that people have reported."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from discord.utils import format_dt

from cogs.commands.operator import check_owner
from cogs.commands.slash import Choices, Command, Option
from cogs.face import Face
from cogs.press.reply import Message, Press, whisper
from cogs.puzzles import posting, solving
from games import GAMES
from games.typed import fold
from matches.api import HostError, Kind, NotFound
from matches.puzzles import CaseRow, Puzzles, kinds
from matches.puzzles.kinds import KINDS, fitting
from matches.puzzles.puzzle import Shelf
from matches.puzzles.standing import PuzzleWish
from render.grammar import listed


async def _puzzle(press: Press, game: str | None, shelf: str | None, kind: str | None) -> None:
    """Show the day's puzzle, or another one."""
    await solving.open_any(press, _wish(game, None if shelf is None else Shelf(shelf), kind))


def _wish(game: str | None, shelf: Shelf | None, kind: str | None) -> PuzzleWish:
    """What somebody asks for. Raises NotFound with what to do instead, if no puzzle is like that."""
    offered = fitting(game, shelf)
    if game is not None and not offered:
        others = listed(sorted({each.shelf for each in fitting(game).values()}))
        raise NotFound(f"All puzzles of {_name(game)} are {others}. Leave out `shelf`.")
    if kind is None:
        return PuzzleWish(game, shelf)
    names = listed([f"“{_label(each, game)}”" for each in offered.values()], "or")
    likely = [each for each, _ in _matching(offered, game, kind)]
    key = next((each for each in (*offered, *KINDS) if _is_called(each, kind)), likely[0] if len(likely) == 1 else None)
    if key is None:
        raise NotFound(f"I don't know that kind of puzzle. Pick {names}.")
    meant = KINDS[key]
    if game is not None and game != meant.game:
        wrong = f"“{meant.title}” puzzles are of {_name(meant.game)}, not of {_name(game)}."
        raise NotFound(f"{wrong} Leave out `game`, or pick {names}.")
    if shelf not in (None, meant.shelf):
        raise NotFound(f"“{meant.title}” puzzles are all {meant.shelf}. Leave out `shelf`, or pick {names}.")
    return PuzzleWish.of_kind(key)


def _name(game: str) -> str:
    return GAMES[game].info.name


def _label(kind: kinds.Kind, game: str | None) -> str:
    """The name of a kind; with its game if none was picked."""
    return kind.title if game is not None else f"{kind.title} ({_name(kind.game)})"


def _is_called(key: str, written: str) -> bool:
    """Whether somebody who wrote this means that kind."""
    kind, meant = KINDS[key], fold(written).rstrip("?")
    return meant == key or meant in (fold(label).rstrip("?") for label in (kind.title, _label(kind, None)))


async def _offer_kinds(press: Press, current: str) -> Choices:
    """The kinds that fit the game and the shelf that were picked before."""
    given = vars(press.interaction.namespace)
    game, shelf = given.get("game"), given.get("shelf")
    offered = fitting(game, Shelf(shelf) if shelf in list(Shelf) else None)
    return [(label, key) for key, label in _matching(offered, game, current)]


def _matching(offered: Mapping[str, kinds.Kind], game: str | None, typed: str) -> list[tuple[str, str]]:
    """The kinds whose labels have what was typed in them, with these labels."""
    labels = {key: _label(kind, game) for key, kind in offered.items()}
    return [(key, label) for key, label in labels.items() if fold(typed) in fold(label)]


PUZZLE: Final = Command(
    "puzzle",
    "The day's puzzle, or one of a game: a position with something to find, just for you.",
    _puzzle,
    {
        "game": Option(
            str,
            "Which game (leave it out for the day's puzzle).",
            choices=[(game.info.name, key) for key, game in GAMES.items()],
        ),
        "shelf": Option(
            str,
            "How sure the answer is.",
            choices=[
                ("Proven: exact, every possibility tried", Shelf.PROVEN),
                ("Judged: what a long think found, without a proof", Shelf.JUDGED),
            ],
        ),
        "kind": Option(str, "What to find. You get more of the same kind next.", _offer_kinds),
    },
)


# What the operator decides about reported puzzles.

REPORTED: Final = 5
"""How many reported puzzles the status shows."""

DECISIONS: Final = {"keep": "stays: everybody can get it", "withdraw": "is withdrawn, a day's puzzle once it's over"}


async def _decide(press: Press, key: str, decision: str) -> None:
    """Keep a reported puzzle, also if it's withdrawn already, or withdraw it."""
    await check_owner(press)
    await press.host.part(Puzzles).decide(key.strip(), keep=decision == "keep")
    await whisper(press, Message(f"Puzzle {key.strip()} {DECISIONS[decision]}."))


async def reported(press: Press) -> list[str]:
    """Puzzles that people said are wrong, the latest first."""
    with suppress(HostError):
        cases = await press.host.part(Puzzles).cases(REPORTED)
        return [f"Puzzle {key} was reported {format_dt(case.reported_at, 'R')}: {_came(case)}" for key, case in cases]
    return []


def _came(case: CaseRow) -> str:
    """What came of the reports of a puzzle."""
    if case.kept_at is not None:
        return "it stays, as you've decided"
    if case.fault is not None:
        return f"withdrawn, since its proof has a fault: {case.fault[:200]}"
    if case.withdrawn_at is not None:
        return "withdrawn, since enough people said so"
    if case.enough_at is not None:
        return "**enough people say that it's wrong.** Withdraw or keep it with `/operator puzzle`"
    return "it's being checked" if case.checked_at is None else "it stays"


DECIDE: Final = Command(
    "puzzle",
    "Keep a puzzle that people have reported, also if it's withdrawn already, or withdraw it",
    _decide,
    {
        "key": Option(str, "The puzzle's key, as in `/operator status`", required=True),
        "decision": Option(str, "What becomes of it", choices=[(each, each) for each in DECISIONS], required=True),
    },
)


FACE: Final = Face(
    verbs=solving.HANDLERS,
    commands=(PUZZLE,),
    help={"ranks": "• `/puzzle` has a puzzle of the day, and more of every game."},
    to_servers={Kind.PUZZLE: posting.post, Kind.PUZZLE_OVER: posting.end},
    of_servers={"puzzles": posting.SETTING},
    for_operator=(DECIDE,),
    reports=(reported,),
)
