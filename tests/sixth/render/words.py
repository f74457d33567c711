"""Moor in words."""

from __future__ import annotations

from games.core import Played
from render.grammar import MAX_ALT_TEXT, MAX_TEXT_BOARD, counted, cut, does, listed, plain, verb, verdict, within
from render.style import People
from tests.sixth.game.actions import Action, Deal
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import MoorObservation


def say(played: Played[Action], seen: MoorObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, action = played
    if isinstance(action, Deal):
        return "Everybody gets a token in secret."
    claimed = seen.last == played and not seen.stones[LETTERS.index(action.cairn)]
    who = people[player]
    taken = f"{does(who, 'takes')} {counted(action.number, 'stone')} from cairn {action.cairn}"
    return f"{taken} and {verb(who, 'has')} it." if claimed else f"{taken}."


def advise(action: Action, seen: MoorObservation, people: People) -> str:
    """A possible action as advice."""
    assert not isinstance(action, Deal)
    return f"take {counted(action.number, 'stone')} from cairn {action.cairn}"


def turn(seen: MoorObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    if seen.outcome is not None:
        winners = [people[seat] for seat in seen.outcome.winners] or ["nobody"]
        return f"The match is over: {listed(winners)} {'wins' if len(winners) == 1 else 'win'}."
    if seen.current_player < 0:
        return "The tokens are being dealt."
    return f"It’s {people[seen.current_player]}’s turn: take up to {seen.most} stones."


def cairn_words(seen: MoorObservation, place: int, people: People) -> str:
    """What is left of a cairn, or who has it."""
    owner = seen.owners[place]
    return counted(seen.stones[place], "stone") if owner is None else f"{people[owner]} has it"


def player_words(seen: MoorObservation, seat: int) -> str:
    """Points, and after the end the token."""
    points = counted(seen.scores[seat], "point")
    return points if seen.tokens is None else f"{points}, token {seen.tokens[seat]}"


def alt_text(seen: MoorObservation, people: People) -> str:
    """The picture in words."""
    short = tuple(plain(name) for name in people)
    parts = ["Moor.", say(seen.last, seen, short) if seen.last else "", turn(seen, short)]
    parts += [f"Cairn {letter}: {cairn_words(seen, place, short)}." for place, letter in enumerate(LETTERS)]
    parts += [f"{name}: {player_words(seen, seat)}." for seat, name in enumerate(short)]
    return within(MAX_ALT_TEXT, parts)


def hand_text(seen: MoorObservation, people: People) -> str | None:
    """The viewer's token."""
    if seen.viewer is None:
        return None
    return "You have no token yet." if seen.token is None else f"Your token is {seen.token}."


def text_board(seen: MoorObservation, people: People) -> str:
    """The position for a fixed-width font."""
    names = tuple(plain(name, 24) for name in people)
    rows = ["Moor", turn(seen, names)]
    for place, letter in enumerate(LETTERS):
        stones = "o" * seen.stones[place]
        rows.append(f"{letter}  {stones:<7}{cairn_words(seen, place, names)}")
    rows += [f"{name}: {player_words(seen, seat)}" for seat, name in enumerate(names)]
    if seen.token is not None:
        rows.append(f"your token: {seen.token}")
    return cut("\n".join(rows), MAX_TEXT_BOARD)


def headline(seen: MoorObservation, people: People) -> str:
    """Who wins, by how many points."""
    return verdict(seen.outcome.winners if seen.outcome else (), seen.scores, people, "point")


def end_text(seen: MoorObservation, people: People) -> str:
    """Standings with the tokens, and why."""
    if seen.outcome is None:
        return ""
    order = sorted(range(seen.players), key=lambda seat: (-seen.scores[seat], seat))
    lines = [f"{place}. {people[seat]}: {player_words(seen, seat)}" for place, seat in enumerate(order, 1)]
    return "\n".join([*lines, seen.outcome.reason])
