"""A position of Saboteur and its rules: whose turn it is, what is legal, what follows (S1-S21)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self, TypeVar

from games.core import CHANCE, TERMINAL, GameInfo, Notation, Part, Rng, Stage, Step, lead
from games.grid import EDGES, Cell, neighbours
from games.saboteur import actions, chance, components, views
from games.saboteur.actions import DROPS, PASS, TAKES, Action, breaks, digs, numbers, repairs
from games.saboteur.board import Maze
from games.saboteur.choices import choices
from games.saboteur.components import CARD_OF, DIGGER, FINISH, FIXED, HELD, MAP, ROCK, ROLE_NAMES, SABOTEUR, TOOLS
from games.saboteur.gold import MOST_DRAWN, Round, pay_saboteurs, without
from games.saboteur.hopeless import is_lost
from games.saboteur.position import NO_EFFECT, Effect, SaboteurPosition
from games.saboteur.refusals import why_illegal

V = TypeVar("V")


@dataclass(frozen=True)
class SaboteurState(SaboteurPosition):
    """A position of Saboteur and its rules. The fields are those of `SaboteurPosition`."""

    notation: ClassVar = Notation(
        actions.action_to_string, actions.string_to_action, actions.read, why_illegal, choices
    )
    info: ClassVar[GameInfo] = GameInfo(
        key="saboteur",
        name="Saboteur",
        summary="Dwarves dig for gold, and some secretly stop them.",
        min_players=3,
        max_players=10,
        rules_version=1,
        # The first player, and per round: roles, goals, deal, one line for every card, gold and its takes.
        max_game_length=1 + components.ROUNDS * (3 + len(components.DECK) + 1 + MOST_DRAWN),
        turn_rule="S5",
        end_rule="S21",
        key_rule="Path cards fit all their neighbours and lead back to the ladder.",
        hands=True,
        hidden_information=True,
        steps=(
            Step("card", "Which card?"),
            Step("target", "Where?"),
            Step("turn", "Which way up?", turns=True),
            Step("tool", "Which tool?", joins=20),
        ),
        suspected=ROLE_NAMES[SABOTEUR],
    )

    @classmethod
    def cleared(cls, players: int, **fields: Any) -> Self:
        """Return a position before the deal, with an empty maze and nobody's cards."""
        nothing = ((),) * players
        return cls(players, CHANCE, None, hands=nothing, discards=nothing, **fields)

    @property
    def stage(self) -> Stage:
        """`SERIES` while players take gold, else `TURN`."""
        return Stage.SERIES if self.due == "take" else Stage.TURN

    # What is legal.

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        if self.due == "take":
            return tuple(TAKES[value] for value in sorted(set(self.decided[-1].passing)))
        hand = dict.fromkeys(self.hands[player])
        if not hand:
            return (PASS,)
        legal: list[Action] = []
        held = 0
        for card in hand:
            legal.append(DROPS[card])
            pieces = HELD[card]
            if pieces:
                held |= pieces
            else:
                legal += _PLAYS[card](self, card)
        pick, lantern, wagon = self.broken
        if held and not (pick | lantern | wagon) >> player & 1:
            for cell, fits in self.maze.frontier.items():
                playable = fits & held
                if playable:
                    row = digs(cell)
                    for number in numbers(playable):
                        legal.append(row[number])
        return tuple(legal)

    def _breaks(self, card: str) -> tuple[actions.Break, ...]:
        tool = card[1]
        return breaks(tool, ~self.broken[TOOLS.index(tool)] & (1 << self.players) - 1)

    def _repairs(self, card: str) -> list[actions.Repair]:
        return [each for tool in card[1:] for each in repairs(card, tool, self.broken[TOOLS.index(tool)])]

    def _rock_falls(self, _: str) -> list[actions.RockFall]:
        return [actions.rock_fall(cell) for cell in self.maze.cards if cell not in FIXED]

    def _looks(self, _: str) -> list[actions.LookAt]:
        cards = self.maze.cards
        return [look for cell, look in actions.LOOKS.items() if cell not in cards]

    def forced_action(self) -> Action | None:
        """Return the last gold card, or a pass without cards. Anything else would tell something about a hand."""
        if self.due == "take" and len(self.decided[-1].passing) == 1:
            return TAKES[self.decided[-1].passing[0]]
        if self.due == "turn" and not self.hands[self.current_player]:
            return PASS
        return None

    def default_action(self) -> Action | None:
        """Return the highest gold card while gold is taken. In a lost round discard the first card. Else ``None``."""
        if self.due == "take":
            return TAKES[self.decided[-1].passing[-1]]
        hand = self.hands[self.current_player] if self.is_lost else ()
        return DROPS[hand[0]] if hand else None

    @property
    def is_lost(self) -> bool:
        """Whether everybody can see that nobody will reach the treasure in this round: it's proven."""
        plays = sum(map(len, self.hands)) + len(self.stock) - self.drawn
        return self.due == "turn" and bool(is_lost(self.maze.cards, self.pile, plays))

    # What follows.

    def _apply_action(self, player: int, action: Action) -> Self:
        after: Self = _EFFECTS[type(action)](self, player, action)
        return after

    def _dig(self, player: int, action: actions.Dig) -> Self:
        """Lay a path card and turn up the finish cards that it reaches, until nothing more turns up (S14, S15)."""
        card = CARD_OF[action.piece]
        maze = self.maze.lay(action.cell, action.piece)
        if maze.frontier.keys().isdisjoint(FINISH):
            return self._spend(player, action, card, {"maze": maze})
        turned_up: tuple[Cell, ...] = ()
        treasure = False
        while not treasure and (arrived := tuple(cell for cell in FINISH if cell in maze.frontier)):
            pieces = [self._facing(maze, cell, action.cell) for cell in arrived]
            for cell, piece in zip(arrived, pieces, strict=True):
                maze = maze.lay(cell, piece)
            turned_up += arrived
            treasure = components.TREASURE_CARD in pieces
        changes = {"maze": maze, "effect": Effect(turned_up)}
        state = self._spend(player, action, card, changes, draw=not treasure)
        return state._end_round(DIGGER, player) if treasure else state

    def _facing(self, maze: Maze, cell: Cell, laid: Cell) -> str:
        """Return the finish card of `cell` as it lies once it is reached: a stone's curve meets the path (S14)."""
        goal = self.goals[FINISH.index(cell)]
        if goal == components.TREASURE:
            return components.TREASURE_CARD
        ways_in = tuple(maze.ways_in(cell))
        beside = neighbours(cell)
        way = next((edge for edge in ways_in if beside[edge] == laid), ways_in[0])
        return goal if EDGES[way] in goal else components.turned(goal)

    def _drop(self, player: int, action: actions.Drop) -> Self:
        discards = _replaced(self.discards, player, (*self.discards[player], action.card))
        return self._spend(player, action, action.card, {"discards": discards})

    def _break(self, player: int, action: actions.Break) -> Self:
        broken = self._toggled(action.tool, action.seat)
        return self._spend(player, action, f"-{action.tool}", {"broken": broken})

    def _repair(self, player: int, action: actions.Repair) -> Self:
        pile = (*self.pile, action.card, f"-{action.tool}")
        broken = self._toggled(action.tool, action.seat)
        return self._spend(player, action, action.card, {"broken": broken, "pile": pile})

    def _toggled(self, tool: str, seat: int) -> tuple[int, ...]:
        """Return `broken` after a tool of `seat` was broken or repaired."""
        number = TOOLS.index(tool)
        return _replaced(self.broken, number, self.broken[number] ^ 1 << seat)

    def _rock_fall(self, player: int, action: actions.RockFall) -> Self:
        piece = self.maze.cards[action.cell]
        pile = (*self.pile, ROCK, CARD_OF[piece])
        changes = {"maze": self.maze.remove(action.cell), "pile": pile, "effect": Effect(removed=piece)}
        return self._spend(player, action, ROCK, changes)

    def _look_at(self, player: int, action: actions.LookAt) -> Self:
        finish = FINISH.index(action.cell)
        seen = _replaced(self.seen, finish, self.seen[finish] | 1 << player)
        return self._spend(player, action, MAP, {"seen": seen, "pile": (*self.pile, MAP)})

    def _pass(self, player: int, action: actions.Pass) -> Self:
        """End the turn without a card (S5)."""
        return self.evolve(current_player=(player + 1) % self.players, last=(player, action), effect=NO_EFFECT)

    def _spend(self, player: int, action: Action, card: str, changes: dict[str, Any], *, draw: bool = True) -> Self:
        """End a turn that cost `card`: draw, and pass the turn on (S5). The very last card ends the round (S16).

        `changes` are the fields that the action itself changed.
        """
        hand = list(self.hands[player])
        hand.remove(card)
        if draw and self.drawn < len(self.stock):
            insort(hand, self.stock[self.drawn])
            changes["drawn"] = self.drawn + 1
        changes["hands"] = _replaced(self.hands, player, tuple(hand))
        changes["current_player"] = (player + 1) % self.players
        changes["last"] = player, action
        changes.setdefault("effect", NO_EFFECT)
        state = self.evolve(**changes)
        return state if hand or not draw or any(state.hands) else state._end_round(SABOTEUR, player)

    # How a round ends and begins.

    def _end_round(self, winners: str, player: int) -> Self:
        """End the round in which `player` took the last turn (S4, S15-S17). Maps are forgotten, saboteurs are paid."""
        ended = self.evolve(starter=(player + 1) % self.players, seen=(0, 0, 0))
        if winners == DIGGER:
            won = Round(winners, self.roles, reached_by=player)
            return ended.evolve(current_player=CHANCE, due="gold", decided=(*self.decided, won))
        paid, gold_stock = pay_saboteurs(self.gold_stock, self.roles)
        lost = Round(winners, self.roles, paid=paid)
        return ended.evolve(decided=(*self.decided, lost), gold_stock=gold_stock)._next_round()

    def _next_round(self) -> Self:
        """Go on to the next round's roles, or end the match (S4, S21)."""
        if len(self.decided) == components.ROUNDS:
            return self.evolve(current_player=TERMINAL, due="nothing")
        return self.evolve(current_player=CHANCE, due="roles")

    def _take(self, player: int, action: actions.Take) -> Self:
        """Take a gold card. The rest goes counter-clockwise to the next digger (S18)."""
        won = self.decided[-1]
        won = replace(won, takes=(*won.takes, action.value))
        state = self.evolve(
            last=(player, action),
            effect=NO_EFFECT,
            decided=(*self.decided[:-1], won),
            current_player=won.taker(len(won.takes)),
        )
        return state if won.passing else state._next_round()

    def _roles(self, _: int, action: actions.Roles) -> Self:
        """Clear the table and deal the roles (S1, S4)."""
        return self.cleared(
            self.players,
            due="goals",
            decided=self.decided,
            gold_stock=self.gold_stock,
            roles=action.roles,
            starter=self.starter,
        )

    def _deal(self, _: int, action: actions.Deal) -> Self:
        dealt = self.evolve(hands=action.hands, stock=action.stock)
        return dealt._begin_round(self.starter) if self.decided else dealt.evolve(due="first")

    def _begin_round(self, starter: int) -> Self:
        return self.evolve(due="turn", current_player=starter, starter=starter)

    def _gold(self, _: int, action: actions.Gold) -> Self:
        won = replace(self.decided[-1], drawn=action.cards)
        return self.evolve(
            due="take",
            current_player=won.taker(0),
            decided=(*self.decided[:-1], won),
            gold_stock=without(self.gold_stock, action.cards),
        )

    # Chance and what is hidden.

    sample_chance = chance.sample
    check_chance = chance.check

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Redeal what `player` can't know: roles, finish cards, hands, discards, the stock, gold."""
        return self.evolve(**views.resampled(self, player, rng))

    # What people see and read.

    observation = views.observe
    open_observation = views.observe_openly
    __str__ = views.everything
    seen_by = staticmethod(actions.seen_by)

    @property
    def rounds_over(self) -> int:
        """The number of decided rounds whose gold has been taken (S15-S19)."""
        return len(self.decided) - (self.due in ("gold", "take"))

    def returns(self) -> tuple[float, ...]:
        """Return the nuggets of every seat."""
        return tuple(float(sum(self.gold_of(seat))) for seat in range(self.players))

    def scored(self) -> tuple[tuple[int, ...], ...]:
        """Return the nuggets of every seat after each decided round (S18, S19)."""
        rounds = [[sum(past.cards_of(seat)) for seat in range(self.players)] for past in self.decided]
        return tuple(tuple(map(sum, zip(*rounds[:number], strict=True))) for number in range(1, len(rounds) + 1))

    def parts(self) -> tuple[tuple[Part, ...], ...]:
        """Return gold-digger or saboteur for every seat and every decided round (S15, S16)."""
        return tuple(
            tuple(Part(ROLE_NAMES[past.roles[seat]], past.roles[seat] == past.winners) for past in self.decided)
            for seat in range(self.players)
        )

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return the most nuggets of a seat, and the most of the others (S21)."""
        return f"{lead([round(merit) for merit in merits], 'nugget')}."


_PLAYS: Final[Mapping[str, Callable[[SaboteurState, str], Iterable[Action]]]] = {
    **dict.fromkeys(components.BREAK_CARDS, SaboteurState._breaks),
    **dict.fromkeys(components.REPAIR_CARDS, SaboteurState._repairs),
    ROCK: SaboteurState._rock_falls,
    MAP: SaboteurState._looks,
}

_EFFECTS: Final[Mapping[type[Action], Callable[..., Any]]] = {
    actions.Dig: SaboteurState._dig,
    actions.Drop: SaboteurState._drop,
    actions.Break: SaboteurState._break,
    actions.Repair: SaboteurState._repair,
    actions.RockFall: SaboteurState._rock_fall,
    actions.LookAt: SaboteurState._look_at,
    actions.Pass: SaboteurState._pass,
    actions.Take: SaboteurState._take,
    actions.Roles: SaboteurState._roles,
    actions.Goals: lambda state, _, action: state.evolve(due="deal", goals=action.goals),
    actions.Deal: SaboteurState._deal,
    actions.First: lambda state, _, action: state._begin_round(action.seat),
    actions.Gold: SaboteurState._gold,
}


def _replaced(values: tuple[V, ...], index: int, value: V) -> tuple[V, ...]:
    new = list(values)
    new[index] = value
    return tuple(new)


def new_match(players: int, options: Mapping[str, str]) -> SaboteurState:
    """Return the position before the roles are dealt. The game has no options."""
    return SaboteurState.cleared(players)
