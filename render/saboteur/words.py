"""Saboteur in words: single lines of the log, alternative texts, the board as text, the end (rules page, Notation)."""

from __future__ import annotations

from games.core import HIDDEN, Played
from games.grid import Cell, cell_to_string
from games.saboteur.actions import (
    HIDDEN_GOLD,
    Action,
    Break,
    Deal,
    Dig,
    Drop,
    First,
    Goals,
    Gold,
    LookAt,
    Pass,
    Repair,
    RockFall,
    Roles,
    Take,
    card_played,
)
from games.saboteur.components import MAP, ROCK, ROLE_NAMES, START, TOOL_NAMES, card_name
from games.saboteur.observation import FinishCard, RoundResult, SaboteurObservation
from render.grammar import (
    MAX_ALT_TEXT,
    MAX_TEXT_BOARD,
    You,
    acts,
    counted,
    cut,
    does,
    grid,
    listed,
    plain,
    spelled,
    verb,
    verdict,
    whose,
    within,
)
from render.style import People


def card_words(name: str) -> str:
    """A card in words that are short enough to stand beside it in the hand."""
    return "look under a finish card" if name == MAP else card_name(name)


def _named(card: str) -> str:
    """A card in a sentence, with the name that can be typed: ``a fork (NES)``, ``a map``."""
    if card in (ROCK, MAP):
        return f"a {card_name(card)}"
    return f"a {card_name(card)} ({card})" if card.isalpha() else f"the card {card} ({card_name(card)})"


def finish_words(card: FinishCard) -> str:
    """What the viewer knows about a finish card, in words."""
    if card.kind is None:
        return "face down"
    found = "the treasure" if card.kind == "T" else "a stone"
    return found if card.card else f"face down ({found})"


def _whose(people: People, player: int, owner: int) -> str:
    if player == owner:
        return "your own" if isinstance(people[owner], You) else "their own"
    return whose(people[owner])


def say(played: Played[Action], seen: SaboteurObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, action = played
    if isinstance(action, Roles | Goals | Deal | First | Gold):
        return _say_chance(action, seen, people)
    who, latest = people[player], seen.last == played
    match action:
        case Dig(piece, cell):
            laid = f"{does(who, 'lays' if piece.islower() else 'digs')} {_named(piece)} at {cell_to_string(cell)}"
            return f"{laid}{_reached(seen) if latest else '.'}"
        case RockFall(cell):
            what = _named(seen.removed) if latest and seen.removed else "the card"
            return f"{whose(who, first=True)} rock-fall removes {what} at {cell_to_string(cell)}."
        case LookAt(cell):
            told = next((card.kind for card in seen.finish_cards if card.cell == cell), None)
            mine = seen.viewer == player and told is not None and latest
            found = f": {'the treasure' if told == 'T' else 'a stone'}" if mine else ""
            return f"{does(who, 'looks')} under the finish card at {cell_to_string(cell)}{found}."
        case Break(tool, seat):
            return f"{does(who, 'breaks')} {_whose(people, player, seat)} {TOOL_NAMES[tool]}."
        case Repair(_, seat, tool):
            return f"{does(who, 'repairs')} {_whose(people, player, seat)} {TOOL_NAMES[tool]}."
        case Drop(card):
            return f"{does(who, 'discards')} {'a card' if card == HIDDEN else _named(card)} face down."
        case Take(value):
            return f"{does(who, 'takes')} a gold card{'' if value == HIDDEN_GOLD else f' worth {value}'}."
        case Pass():
            return f"{does(who, 'has')} no cards left and {verb(who, 'passes')}."


def advise(action: Action, seen: SaboteurObservation, people: People) -> str:
    """A possible action as advice. Cards are numbered as in the picture of the hand."""
    card = card_played(action)
    number = f"(card {1 + seen.hand.index(card)})" if card in seen.hand else ""
    named = f"the {card_name(card)} {number}".rstrip() if card is not None else ""
    match action:
        case Dig(piece, cell):
            return f"{'lay' if piece.islower() else 'dig'} {named} at {cell_to_string(cell)}"
        case RockFall(cell):
            return f"use {named} on {cell_to_string(cell)}"
        case LookAt(cell):
            return f"use {named} to look under the finish card at {cell_to_string(cell)}"
        case Break(tool, seat):
            return f"break {whose(people[seat])} {TOOL_NAMES[tool]} {number}".rstrip()
        case Repair(_, seat, tool):
            return f"repair {whose(people[seat])} {TOOL_NAMES[tool]} {number}".rstrip()
        case Drop():
            return f"discard {named}"
        case Take(value):
            return f"take a gold card worth {value}"
        case _:
            return "pass"


def _reached(seen: SaboteurObservation) -> str:
    """The end of the sentence about a path card: the finish cards that it turned up, if any."""
    found = [card for card in seen.finish_cards if card.cell in seen.turned_up]
    names = [f"a stone at {cell_to_string(card.cell)}" for card in found if card.kind != "T"]
    treasure = len(names) < len(found)
    reached = [*names, "the treasure"] if treasure else names
    return f" and reaches {listed(reached)}{'!' if treasure else '.'}" if reached else "."


def _say_chance(action: Roles | Goals | Deal | First | Gold, seen: SaboteurObservation, people: People) -> str:
    match action:
        case Roles():
            return f"Round {seen.round_number}: everybody gets a role."
        case Goals():
            return "The three finish cards are laid face down."
        case Deal():
            return f"Everybody gets {counted(max(seen.hand_sizes, default=0), 'card')}."
        case First(seat):
            return f"{does(people[seat], 'begins')}."
        case Gold():
            return f"{spelled(seen.gold_passing).capitalize()} gold cards go round."


def turn(seen: SaboteurObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    says = "{} takes a gold card next." if seen.phase == "gold" else "It’s {}’s turn."
    return acts(seen, people, f"Round {seen.round_number} is being set up.", says)


def shown_role(seen: SaboteurObservation, seat: int) -> str | None:
    """A player's role once everybody knows it (S17). The viewer's own stands only behind a spoiler (P27)."""
    return seen.roles[seat] if seen.left_over is not None else None


def _state_of(seen: SaboteurObservation, seat: int) -> list[str]:
    """What lies in front of a player, in words."""
    parts = [counted(seen.hand_sizes[seat], "card")] if seen.uncovered is None else []
    if seen.broken[seat]:
        parts.append(f"broken {listed([TOOL_NAMES[tool] for tool in seen.broken[seat]])}")
    if seen.uncovered is not None:
        parts.append(counted(seen.uncovered.totals[seat], "nugget"))
    elif seen.gold_counts[seat]:
        parts.append(counted(seen.gold_counts[seat], "gold card"))
    if role := shown_role(seen, seat):
        parts.append(ROLE_NAMES[role])
    return parts


def alt_text(seen: SaboteurObservation, people: People) -> str:
    """The picture in words."""
    room = 32 if seen.players <= 5 else 16
    short = tuple(plain(name, room) for name in people)
    parts = [f"Saboteur, round {seen.round_number} of 3."]
    if seen.last is not None:
        parts.append(say(seen.last, seen, short))
    parts.append(turn(seen, short))
    parts += _round_words(seen)
    if seen.finish_cards:
        doors = [f"{cell_to_string(card.cell)} {finish_words(card)}" for card in seen.finish_cards]
        parts.append(f"Finish cards: {', '.join(doors)}.")
    parts.append(f"Stock: {counted(seen.stock_size, 'card')}.")
    parts += [f"{short[seat]}: {', '.join(_state_of(seen, seat))}." for seat in range(seen.players)]
    laid = [_cell_words(seen, cell) for cell in sorted(seen.maze) if cell != START]
    if laid:
        parts.append(f"The mine from the ladder at 0,0: {laid[0]}{',' if len(laid) > 1 else '.'}")
        parts += [f"{text}," for text in laid[1:-1]] + [f"{laid[-1]}." for _ in laid[1:2]]
    return within(MAX_ALT_TEXT, parts)


def _cell_words(seen: SaboteurObservation, cell: Cell) -> str:
    return f"{cell_to_string(cell)} {seen.maze[cell]}{' cut off' if cell in seen.cut_off else ''}"


def _round_words(seen: SaboteurObservation) -> list[str]:
    """How the current round ended, if it has ended."""
    decided = [result for result in seen.results if result.number == seen.round_number]
    return [
        "The gold-diggers have reached the treasure." if result.winners == "D" else f"{winners(result)} won the round."
        for result in decided
    ]


def role_text(seen: SaboteurObservation, people: People) -> str | None:
    """The viewer's secret role, in words."""
    return None if seen.role is None else f"You are a {ROLE_NAMES[seen.role]}."


def hand_text(seen: SaboteurObservation, people: People) -> str | None:
    """What the viewer alone knows, except for their role, in words."""
    if seen.viewer is None:
        return None
    lines = []
    if seen.hand:
        lines.append(f"Your cards: {', '.join(f'{name} ({card_words(name)})' for name in seen.hand)}.")
    elif seen.phase == "dig":
        lines.append("You have no cards left.")
    if seen.broken[seen.viewer]:
        tools = listed([TOOL_NAMES[tool] for tool in seen.broken[seen.viewer]])
        lines.append(
            f"Your {tools} {'is' if len(seen.broken[seen.viewer]) == 1 else 'are'} broken: no path cards for now."
        )
    looked = [card for card in seen.finish_cards if seen.viewer in card.seen_by and card.kind and not card.card]
    lines += [
        f"You’ve looked at {cell_to_string(card.cell)}: {'the treasure' if card.kind == 'T' else 'a stone'}."
        for card in looked
    ]
    if seen.discards:
        lines.append(f"You’ve discarded {listed([_named(card) for card in seen.discards])} face down.")
    if seen.offered:
        lines.append(f"Take one gold card: {listed([str(value) for value in seen.offered], 'or')}.")
    if seen.gold:
        cards = f"{' + '.join(map(str, seen.gold))} = " if len(seen.gold) > 1 else ""
        lines.append(f"Your gold: {cards}{counted(sum(seen.gold), 'nugget')}.")
    return "\n".join(lines)


def text_board(seen: SaboteurObservation, people: People) -> str:
    """The position for a fixed-width font."""
    names = [plain(name, 32 if seen.players <= 4 else 20) for name in people]
    head = [f"Saboteur, round {seen.round_number}/3, stock {seen.stock_size}"]
    head.append(turn(seen, tuple(names)))
    foot = []
    for seat, name in enumerate(names):
        sign = ">" if seat == seen.current_player else " "
        foot.append(f"{sign}{name}: {', '.join(_state_of(seen, seat))}")
    foot.append("UP the ladder, T the treasure, CAPITALS joined, small: dead end, * cut off, ? face down")
    fixed = "\n".join(head + foot)
    room = MAX_TEXT_BOARD - len(fixed) - 2
    signs = _signs(seen)
    maze = grid(signs) if signs else ""
    if len(maze) > room:
        # A maze too large for a grid: its cards in a list.
        maze = cut(", ".join(f"{cell_to_string(cell)} {sign}" for cell, sign in sorted(signs.items())), room)
    return "\n".join([*head, maze, *foot])


def _signs(seen: SaboteurObservation) -> dict[Cell, str]:
    """What lies in each cell, as a short sign."""
    signs = {cell: card + ("*" if cell in seen.cut_off else "") for cell, card in seen.maze.items()}
    for door in seen.finish_cards:
        found = door.kind if door.kind == "T" else door.card or door.kind or ""
        hidden, apart = "" if door.card else "?", "*" if door.cell in seen.cut_off else ""
        signs[door.cell] = f"{hidden}{found}{apart}"
    if START in signs:
        signs[START] = "UP"
    return signs


def headline(seen: SaboteurObservation, people: People) -> str:
    """Who wins, with how many nuggets (S21)."""
    totals = seen.uncovered.totals if seen.uncovered else ()
    return verdict(seen.outcome.winners if seen.outcome else (), totals, people, "nugget")


def unreached(seen: SaboteurObservation) -> str:
    """Where the treasure was in a round that is over and didn't reach it, as a sentence."""
    names = ("upper", "middle", "lower")
    where = next((name for door, name in zip(seen.finish_cards, names, strict=False) if door.kind == "T"), "")
    return f"Nobody reached the treasure. It was under the {where} finish card."


def winners(result: RoundResult) -> str:
    """Who has won a round: a side, or nobody, if nobody reached the treasure and nobody was a saboteur."""
    if result.winners not in result.roles:
        return "Nobody"
    return f"The {ROLE_NAMES[result.winners]}s"


def round_text(seen: SaboteurObservation, people: People) -> str:
    """Which side won, who was on it, and what everybody may see of the gold it brought (S17-S19)."""
    if not seen.results:
        return ""
    result = seen.results[-1]
    who = winners(result)
    lines = [f"**{who} {'wins' if who == 'Nobody' else 'win'} round {result.number}.**"]
    if result.reached_by is not None:
        lines[0] += f" {people[result.reached_by]} reached the treasure."
    else:
        lines[0] += f" {unreached(seen)}"
    lines.append(_saboteurs(result, people, " this round: you suspected each other for nothing"))
    lines.append(gold_words(result, people))
    return "\n".join(lines)


def gold_words(result: RoundResult, people: People) -> str:
    """What a round brought, as far as everybody knows it (S18-S20): a sentence."""
    cards = {seat: count for seat, count in enumerate(result.gold_cards) if count}
    if not cards:
        return "Nobody gets gold."
    if result.winners == "S":
        paid = listed([f"{people[seat]} {count}" for seat, count in cards.items()])
        return f"Each saboteur gets {counted(result.pay, 'nugget')} (gold cards: {paid})."
    least, most = min(cards.values()), max(cards.values())
    if least == most and len(cards) > 1:
        return f"Each gold-digger took {_gold_cards(least)}."
    lucky = [people[seat] for seat, count in cards.items() if count == most]
    others = len(cards) - len(lucky)
    rest = f", the other gold-digger{'' if others == 1 else 's'} {spelled(least)}" if others else ""
    return f"{listed(lucky)} took {_gold_cards(most)}{' each' if len(lucky) > 1 else ''}{rest}."


def _gold_cards(number: int) -> str:
    return f"{spelled(number)} gold card{'' if number == 1 else 's'}"


def _saboteurs(result: RoundResult, people: People, so: str = "") -> str:
    """Who the saboteurs were, as a sentence; `so` ends it if there was none."""
    villains = [people[seat] for seat, role in enumerate(result.roles) if role == "S"]
    if not villains:
        return f"There was no saboteur{so}."
    return f"The saboteur{' was' if len(villains) == 1 else 's were'} {listed(villains)}."


def end_text(seen: SaboteurObservation, people: People) -> str:
    """Standings, and what was hidden until now."""
    if seen.outcome is None or seen.uncovered is None:
        return ""
    hidden = seen.uncovered
    lines = []
    order = sorted(range(seen.players), key=lambda seat: (-hidden.totals[seat], seat))
    for seat in order:
        place = 1 + sum(total > hidden.totals[seat] for total in hidden.totals)
        cards = sum(hidden.gold[seat], ())
        gold = f" ({' + '.join(map(str, cards))})" if len(cards) > 1 else ""
        lines.append(f"{place}. {people[seat]}: {counted(hidden.totals[seat], 'nugget')}{gold}")
    for result in seen.results:
        side = winners(result)
        lines.append(f"Round {result.number}: {side[0].lower()}{side[1:]} won. {_saboteurs(result, people)}")
    return "\n".join(lines)
