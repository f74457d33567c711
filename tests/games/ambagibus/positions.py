"""Positions of Ambagibus as text pictures: ``owner:card`` for a card as it lies, a dot for a free cell.

``0:cave`` is a Cave-in of seat 0. The upper left cell of a picture is ``0,0`` unless `corner` says otherwise.
"""

from games.ambagibus import AmbagibusState
from games.ambagibus.board import EMPTY, Maze
from games.ambagibus.state import Cards
from games.grid import Cell


def maze(picture: str, corner: Cell = (0, 0)) -> Maze:
    """The maze of a picture, without a check of the rules."""
    built = EMPTY
    for down, line in enumerate(picture.strip().splitlines()):
        for right, word in enumerate(line.split()):
            if word == ".":
                continue
            owner, card = word.split(":")
            cell = (corner[0] + right, corner[1] - down)
            built = built.lay(cell, "1000" if card == "cave" else card, int(owner))
            if card == "cave":
                built = built.cave_in(cell)
    return built


def position(
    picture: str,
    *rows: str,
    variant: str = "basic",
    decks: tuple[str, ...] = (),
    known: tuple[int, ...] = (),
    corner: Cell = (0, 0),
) -> AmbagibusState:
    """A turn of seat 0. `rows` are the face-up cards by seat, `decks` what each deck holds from the top.

    Without `decks`, every deck holds one crossing, so that the match doesn't end for lack of cards.
    """
    decks = decks or ("1234",) * len(rows)
    known = known or (0,) * len(rows)
    return AmbagibusState(
        players=len(rows),
        current_player=0,
        last=None,
        variant=variant,
        cards=tuple(
            Cards(tuple(row.split()), tuple(deck.split()), count)
            for row, deck, count in zip(rows, decks, known, strict=True)
        ),
        maze=maze(picture, corner),
        starter=0,
    )
