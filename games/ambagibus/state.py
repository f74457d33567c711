"""The positions of Ambagibus and its rules, basic and advanced (games/rules/ambagibus.md, A1-A16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

from games.ambagibus import components
from games.ambagibus.actions import PASS, Action, Bury, Play, Shuffle, action_to_string, read, string_to_action
from games.ambagibus.board import EMPTY, ORIGIN, Maze
from games.ambagibus.choices import choices
from games.ambagibus.components import ADVANCED, BASIC, BOMB, CARD_OF, CAVE, KIND, ROW_SIZE, ways
from games.ambagibus.observation import AmbagibusObservation, MazeCard
from games.ambagibus.refusals import why_illegal
from games.core import CHANCE, HIDDEN, TERMINAL, GameInfo, Notation, Option, Rng, State, Step, lead, shuffled


class Cards(NamedTuple):
    """A player's unplayed cards: the face-up `row`, and the `deck` from the top.

    The lowest `known` cards of the deck were put there in public. Nobody knows the order of the others.
    """

    row: tuple[str, ...]
    deck: tuple[str, ...]
    known: int = 0

    def draw(self, size: int) -> Cards:
        """Return the cards after drawing until the row has `size` cards, or the deck is empty."""
        missing = size - len(self.row)
        if missing <= 0 or not self.deck:
            return self
        deck = self.deck[missing:]
        return Cards(self.row + self.deck[:missing], deck, min(self.known, len(deck)))

    def without(self, card: str) -> Cards:
        """Return the cards with one `card` taken from the row."""
        index = self.row.index(card)
        return Cards(self.row[:index] + self.row[index + 1 :], self.deck, self.known)

    def bury(self, card: str) -> Cards:
        """Return the cards with one `card` of the row put at the bottom of the deck."""
        rest = self.without(card)
        return Cards(rest.row, (*rest.deck, card), rest.known + 1)


class Opening(NamedTuple):
    """The start of a match: who starts (A1) with which card (A2), and the cards that every seat has revealed."""

    starter: int
    card: str
    revealed: tuple[tuple[str, ...], ...]


def opening(decks: Sequence[Sequence[str]]) -> Opening:
    """Return the opening: cards are revealed from the top until one player beats the others (A1), or all are (A2)."""
    tied = list(range(len(decks)))
    depths = [0] * len(decks)
    for depth in range(len(components.DECK)):
        totals = {seat: components.total(decks[seat][depth]) for seat in tied}
        for seat in tied:
            depths[seat] += 1
        tied = [seat for seat in tied if totals[seat] == max(totals.values())]
        if len(tied) == 1:
            break
    revealed = tuple(tuple(deck[:depth]) for deck, depth in zip(decks, depths, strict=True))
    starter = tied[0]
    return Opening(starter, next(card for card in reversed(revealed[starter]) if card in components.TUNNELS), revealed)


@dataclass(frozen=True)
class AmbagibusState(State[Action]):
    """A position of Ambagibus.

    Attributes:
        cards: by seat the unplayed cards.
        starter: the seat that started, ``None`` until the first shuffle.
        revealed: by seat the cards that the first shuffle turned up (A1).
        gone: the cards that Bombs have taken out of the game, Bombs included, with their owners.
    """

    notation: ClassVar = Notation(action_to_string, string_to_action, read, why_illegal, choices)
    info: ClassVar[GameInfo] = GameInfo(
        key="ambagibus",
        name="Ambagibus",
        summary="Build one maze, and close the most sections.",
        min_players=2,
        max_players=4,
        rules_version=1,
        # At most 160 cards are played. Between two plays a player with a playable card buries for at most 40 turns,
        # the length of a deck. If nobody has a playable card, the match is over (A15).
        max_game_length=2 + 160 * (1 + 4 * 40),
        turn_rule="A2",
        end_rule="A15",
        key_rule="Cards fit all neighbours, and join your own passages first.",
        hands=False,
        hidden_information=True,
        steps=(
            Step("card", "Which card?"),
            Step("at", "Where?"),
            Step("turned", "Which way round?", turns=True),
        ),
        options=(Option("variant", "Variant", (ADVANCED, BASIC), ADVANCED),),
    )

    variant: str
    cards: tuple[Cards, ...]
    maze: Maze = EMPTY
    starter: int | None = None
    revealed: tuple[tuple[str, ...], ...] = ()
    gone: tuple[tuple[int, str], ...] = ()

    @property
    def row_size(self) -> int:
        """The number of face-up cards that a player has while their deck lasts (A7, A11)."""
        return ROW_SIZE[self.variant]

    # Actions.

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        row = self.cards[player].row
        if not row:
            return (PASS,)
        actions: list[Action] = []
        cells, _ = self.maze.placements(player, row)
        held = row if len(row) == 1 else tuple(dict.fromkeys(row))
        spaces = self.maze.spaces
        for card in held:
            if card == BOMB:
                actions += [Play(BOMB, cell) for cell in self.maze.cells_of(player)]
            elif card == CAVE:
                actions += [Play(CAVE, cell) for cell in self.maze.open_cells_of(player)]
            else:
                for cell in cells:
                    space = spaces[cell]
                    actions += [Play(turned, cell) for turned in ways(card, space.needed, space.closed)]
        return tuple(actions) if actions else tuple(map(Bury, held))

    def _apply_action(self, player: int, action: Action) -> Self:
        if isinstance(action, Play):
            return self._play(player, action)
        if isinstance(action, Shuffle):
            return self._shuffle(action)
        own = self.cards[player]
        if isinstance(action, Bury):
            own = own.bury(action.card)
        return self._end_turn(player, action, own, self.maze)

    def _play(self, player: int, play: Play) -> Self:
        card, cell = play
        maze = self.maze
        own = self.cards[player].without(CARD_OF[card])
        if card == BOMB:
            tile = maze.tiles[cell]
            lying = (tile.card,) if tile.under is None else (tile.card, tile.under)
            gone = (*self.gone, *((player, CARD_OF[name]) for name in (BOMB, *lying)))
            return self._end_turn(player, play, own, maze.bomb(cell), gone=gone)
        if card == CAVE:
            return self._end_turn(player, play, own, maze.cave_in(cell))
        return self._end_turn(player, play, own, maze.lay(cell, card, player))

    def _end_turn(self, player: int, action: Action, own: Cards, maze: Maze, **changes: object) -> Self:
        """Return the position after a line by `player`. They have their `own` cards left, before they draw (A11)."""
        cards = list(self.cards)
        cards[player] = own if self.variant == BASIC else own.draw(self.row_size)
        return self._begin_turn((player + 1) % self.players, cards, maze, last=(player, action), **changes)

    def _begin_turn(self, player: int, cards: list[Cards], maze: Maze, **changes: object) -> Self:
        """Return the end of the match (A15), or the turn of `player`, who draws first in the basic game (A7)."""
        if not maze.spaces or not _anything_playable(maze, cards):
            player = TERMINAL
        elif self.variant == BASIC:
            cards[player] = cards[player].draw(self.row_size)
        return self.evolve(current_player=player, cards=tuple(cards), maze=maze, **changes)

    # Chance.

    def _shuffle(self, shuffle: Shuffle) -> Self:
        if self.starter is None:
            starter, card, revealed = opening(shuffle.decks)
            left = [sorted(deck) for deck in shuffle.decks]
            left[starter].remove(card)
            return self.evolve(
                starter=starter,
                revealed=revealed,
                maze=self.maze.lay(ORIGIN, card, starter),
                cards=tuple(Cards((), tuple(deck)) for deck in left),
            )
        size = self.row_size if self.variant == ADVANCED else 0
        cards = [Cards((), deck).draw(size) for deck in shuffle.decks]
        return self._begin_turn((self.starter + 1) % self.players, cards, self.maze)

    def sample_chance(self, rng: Rng) -> Action:
        """Shuffle every deck (A1, A2)."""
        return Shuffle(tuple(shuffled(sorted(own.deck), rng) for own in self.cards), self.starter is not None)

    def check_chance(self, action: Action) -> bool:
        """Return whether these are the decks that are shuffled now, in any order."""
        return (
            isinstance(action, Shuffle)
            and action.again == (self.starter is not None)
            and list(map(sorted, action.decks)) == [sorted(own.deck) for own in self.cards]
        )

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Shuffle the decks, except for the cards that players put at the bottom in public."""
        if self.is_terminal:
            return self
        cards = []
        for own in self.cards:
            unknown = len(own.deck) - own.known
            deck = shuffled(sorted(own.deck[:unknown]), rng) + own.deck[unknown:]
            cards.append(Cards(own.row, deck, own.known))
        return self.evolve(cards=tuple(cards))

    # What people may see.

    def returns(self) -> tuple[float, ...]:
        """Return the number of closed sections of every seat."""
        return tuple(float(len(self.maze.closed_sections(seat))) for seat in range(self.players))

    def merits(self) -> tuple[tuple[int, list[int]], ...]:
        """Return every seat's number of closed sections, and their sizes to break ties, the largest first (A16)."""
        sizes = [[len(section) for section in self.maze.closed_sections(seat)] for seat in range(self.players)]
        return tuple((len(own), own) for own in sizes)

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return how the match ended (A15), and whether the sizes of the sections decided (A16)."""
        if not self.maze.spaces:
            reason = "The maze is closed"
        elif not any(own.row or own.deck for own in self.cards):
            reason = "All cards have been played"
        else:
            reason = "None of the cards that are left can be played"
        counts = [count for count, _ in merits]
        if not any(counts):
            return f"{reason}: nobody has a closed section."
        rivals = counts.count(max(counts))
        tie = ""
        if rivals > 1:
            tie = ", and their sizes decide" if len(winners) < rivals else ", of the same sizes"
        return f"{reason}: {lead(counts, 'section')}{tie}."

    def observation(self, player: int | None) -> AmbagibusObservation:
        """Return what `player` may see: the same for everybody."""
        sections = tuple(self.maze.closed_sections(seat) for seat in range(self.players))
        last = self.last
        return AmbagibusObservation(
            *self.common_facts(player),
            variant=self.variant,
            starter=self.starter,
            revealed=self.revealed,
            maze=tuple(MazeCard(cell, tile.card, tile.owner) for cell, tile in sorted(self.maze.tiles.items())),
            passages=self.maze.passages(),
            closed_sections=sections,
            scores=tuple(map(len, sections)),
            rows=tuple(own.row for own in self.cards),
            deck_sizes=tuple(len(own.deck) for own in self.cards),
            bottoms=tuple(own.deck[len(own.deck) - own.known :] for own in self.cards),
            last_cell=last[1].cell if last and isinstance(last[1], Play) else None,
            decks=tuple(own.deck for own in self.cards) if self.is_terminal else None,
        )

    def open_observation(self) -> AmbagibusObservation:
        """Return a spectator's observation, plus every deck."""
        return replace(self.observation(None), decks=tuple(own.deck for own in self.cards))

    def seen_by(self, viewer: int | None, player: int, action: Action) -> Action:
        """Return a shuffle with only the cards that it turns up. Every other action is public."""
        if not isinstance(action, Shuffle):
            return action
        shown = self._turned_up(action)
        decks = (
            deck[:count] + (HIDDEN,) * (len(deck) - count) for deck, count in zip(action.decks, shown, strict=True)
        )
        return Shuffle(tuple(decks), action.again)

    def _turned_up(self, shuffle: Shuffle) -> tuple[int, ...]:
        """Return how many cards from the top of every deck a shuffle turns up in public.

        The starter's deck is the shortest: the first card of the maze came from it.
        """
        if not shuffle.again:
            return tuple(map(len, opening(shuffle.decks).revealed))
        if self.variant == ADVANCED:
            return (self.row_size,) * self.players
        sizes = [len(deck) for deck in shuffle.decks]
        first = (sizes.index(min(sizes)) + 1) % self.players
        return tuple(self.row_size if seat == first else 0 for seat in range(self.players))

    def __str__(self) -> str:
        rows = [f"{self.variant}, started by {self.starter}, to move {self.current_player}"]
        for seat, own in enumerate(self.cards):
            unknown = len(own.deck) - own.known
            deck = (*own.deck[:unknown], "|", *own.deck[unknown:])
            rows.append(f"{seat}: face up {' '.join(own.row) or '-'}; deck {' '.join(deck)}")
        rows.append(f"out of the game: {' '.join(f'{seat}:{card}' for seat, card in self.gone) or '-'}")
        return "\n".join((*rows, str(self.maze)))


def _anything_playable(maze: Maze, cards: Sequence[Cards]) -> bool:
    """Return whether any card that anyone still has can be played on the maze (A15)."""
    kinds = maze.kinds()
    for own in cards:
        for card in chain(own.row, own.deck):
            if KIND[card] & kinds:
                return True
    for player, own in enumerate(cards):
        left = {*own.row, *own.deck}
        if (BOMB in left and maze.cells_of(player)) or (CAVE in left and maze.open_cells_of(player)):
            return True
    return False


def new_match(players: int, options: Mapping[str, str]) -> AmbagibusState:
    """Return the position before the first shuffle."""
    return AmbagibusState(
        players=players,
        current_player=CHANCE,
        last=None,
        variant=options["variant"],
        cards=(Cards((), components.DECK),) * players,
    )
