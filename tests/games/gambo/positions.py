"""Positions of Gambo as text pictures: three rows, north, corridor and south, with ``..`` for an empty square."""

from games.gambo import Fought, GamboState
from games.gambo.actions import Action, string_to_action
from games.gambo.board import LANES, SIDES
from games.gambo.components import PIECES


def position(
    picture: str,
    *,
    to_move: int = 0,
    scores: tuple[int, int] = (0, 0),
    swaps_in_a_row: tuple[int, int] = (0, 0),
    last: tuple[int, str] | None = None,
) -> GamboState:
    """The position of a picture, player 0 in the south. Missing pieces were removed in earlier duels."""
    rows = {words[0]: words[1:] for words in map(str.split, picture.strip().splitlines())}
    pieces, waiting, corridor = list[str](), (list[int](), list[int]()), list[int]()
    for lane in range(LANES):
        start, path = rows[SIDES[lane % 2]][lane // 2], rows["corridor"][lane]
        assert ".." in (start, path), "a lane holds at most one piece"
        if start != "..":
            waiting[lane % 2].append(lane)
        if path != "..":
            corridor.append(lane)
        pieces.append((start + path).replace(".", ""))
    gone = [[piece for piece in PIECES if piece not in pieces[side::2]] for side in (0, 1)]
    return GamboState(
        players=2,
        current_player=to_move,
        last=last and (last[0], string_to_action(*last)),
        pieces=tuple(pieces),
        waiting=(tuple(waiting[0]), tuple(waiting[1])),
        corridor=tuple(corridor),
        sides=(0, 1),
        scores=scores,
        swaps_in_a_row=swaps_in_a_row,
        duels=tuple(Fought(0, own, "1", other, "2", 0, 0) for own, other in zip(*gone, strict=True)),
    )


def play(state: GamboState, *lines: str) -> GamboState:
    """Play lines such as ``0 adv E2``, each checked: the number says whose turn it must be."""
    for line in lines:
        player, text = line.split(" ", 1)
        state = state.apply_action(int(player), string_to_action(int(player), text))
    return state


def legal(state: GamboState) -> list[str]:
    """The texts of the current player's legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions(state.current_player)]


def refusal(state: GamboState, what: str | Action, player: int | None = None) -> str | None:
    """Why the current player (or `player`) can't do it."""
    player = state.current_player if player is None else player
    found = state.why_illegal(player, string_to_action(player, what) if isinstance(what, str) else what)
    return None if found is None else str(found)
