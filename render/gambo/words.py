"""Gambo in words (rules page gambo.md, Notation)."""

from __future__ import annotations

from games.core import Played
from games.gambo.actions import Action, Advance, Deal, Duel, Pass, Side, Swap
from games.gambo.board import CORRIDOR_SQUARES, SIDES, START_SQUARES
from games.gambo.components import name_of, result
from games.gambo.observation import GamboObservation
from render.grammar import MAX_ALT_TEXT, MAX_TEXT_BOARD, acts, counted, cut, does, plain, verb, verdict, whose, within
from render.style import People


def owner_of(seen: GamboObservation, lane: int) -> int | None:
    """The owner of the pieces in a lane; ``None`` before the sides are chosen."""
    if not seen.sides:
        return None
    return seen.sides.index(SIDES[lane % 2])


def say(played: Played[Action], seen: GamboObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, action = played
    if isinstance(action, Deal):
        return "Both rows are filled at random."
    who = people[player]
    match action:
        case Side(side):
            return f"{does(who, 'takes')} the {side} side."
        case Advance(piece):
            moved = seen.moved if seen.last == played else ()
            where = next((move.destination for move in moved if (move.player, move.piece) == (player, piece)), None)
            return f"{does(who, 'sends')} {name_of(piece)} {f'to {where}' if where else 'into the corridor'}."
        case Swap((one, other)):
            return f"{does(who, 'swaps')} {name_of(one)} and {name_of(other)}."
        case Duel(attacker, target):
            wins, points = result(attacker, target)
            done = "beats" if wins else "loses to"
            one, other = whose(who, first=True), whose(people[1 - player])
            return f"{one} {name_of(attacker)} {done} {other} {name_of(target)}: {counted(points, 'point')}."
        case Pass():
            return f"{does(who, 'can’t')} move and {verb(who, 'passes')}."


def why_again(seen: GamboObservation, people: People) -> str:
    """Why the attacker of the duel that was just fought is to move again (G8)."""
    last = seen.last
    if last is None or not isinstance(last.action, Duel) or seen.current_player != last.player:
        return ""
    who = people[last.player]
    equal = seen.scores[last.player] == seen.scores[1 - last.player]
    return f"{who} attacked, so {who} plays again." if equal else f"{who} is behind, so {who} plays again."


def advise(action: Action, seen: GamboObservation, people: People) -> str:
    """A possible action as advice."""
    match action:
        case Side(side):
            return f"take the {side} side"
        case Advance(piece):
            return f"advance {name_of(piece)} to {CORRIDOR_SQUARES[seen.lanes(own=True)[piece]]}"
        case Swap((one, other)):
            return f"swap {name_of(one)} and {name_of(other)}"
        case Duel(attacker, target):
            me, other = whose(people[seen.current_player]), whose(people[1 - seen.current_player])
            return f"attack {other} {name_of(target)} with {me} {name_of(attacker)}"
        case _:
            return "pass"


def turn(seen: GamboObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    says = "It’s {}’s turn." if seen.sides else "{} chooses a side."
    return acts(seen, people, "The rows are being filled.", says)


def score(seen: GamboObservation, people: People) -> str:
    """The points, and the number of duels so far."""
    sides = seen.sides or ("", "")
    parts = [
        f"{people[seat]}{f' ({sides[seat]})' if sides[seat] else ''} {seen.scores[seat]}"
        for seat in range(seen.players)
    ]
    return f"{', '.join(parts)}; {counted(len(seen.duels), 'duel')} of 9 fought."


def alt_text(seen: GamboObservation, people: People) -> str:
    """The picture in words."""
    short = tuple(plain(name) for name in people)
    path = [f"{lane + 1} {piece}" for lane, piece in enumerate(seen.corridor) if piece]
    parts = ["Gambo.", say(seen.last, seen, short) if seen.last else "", turn(seen, short), score(seen, short)]
    parts.append(f"In the corridor: {', '.join(path) if path else 'nobody'}.")
    for name, row in (("north", seen.north), ("south", seen.south)):
        waiting = [f"{name[0]}{place + 1} {piece}" for place, piece in enumerate(row) if piece]
        parts.append(f"Waiting in the {name}: {', '.join(waiting) if waiting else 'nobody'}.")
    return within(MAX_ALT_TEXT, parts)


def text_board(seen: GamboObservation, people: People) -> str:
    """The position for a fixed-width font: a row for every square of the corridor, which runs downwards here."""
    names = tuple(plain(name, 24) for name in people)
    rows = ["Gambo", turn(seen, names), score(seen, names), "north corridor  south"]
    for lane, piece in enumerate(seen.corridor):
        start = START_SQUARES[lane]
        waiting = (seen.north if lane % 2 else seen.south)[lane // 2] or "--"
        beside = f"{start} {waiting}"
        north, south = (beside, "") if lane % 2 else ("", beside)
        rows.append(f"{north:<6}{lane + 1:>4} {piece or '..'}   {south}".rstrip())
    rows.append("E elephant beats C cat beats M mouse beats E")
    if seen.current_player >= 0 and (bar := seen.swap_bars[seen.current_player]):
        rows.append(f"No swap this turn ({bar}).")
    return cut("\n".join(rows), MAX_TEXT_BOARD)


def headline(seen: GamboObservation, people: People) -> str:
    """Who wins, by how many points (G13)."""
    winners = seen.outcome.winners if seen.outcome else ()
    return verdict(winners, seen.scores, people, "point", "the last duel decides")


def end_text(seen: GamboObservation, people: People) -> str:
    """Standings, and why the match ended so."""
    if seen.outcome is None:
        return ""
    order = sorted(range(seen.players), key=lambda seat: (seat not in seen.outcome.winners, seat))  # type: ignore[union-attr]
    lines = [f"{place}. {people[seat]}: {counted(seen.scores[seat], 'point')}" for place, seat in enumerate(order, 1)]
    return "\n".join([*lines, seen.outcome.reason])
