"""A match of Ambagibus that changes in place: the rules of `state`, for searches that play millions of turns.

`AmbagibusState` copies what a turn changes, and counts closed sections from scratch. A `Simulation` changes itself, and
keeps every section's number of open passages. It contains the order of the decks, so make one only of a resampled
position (`State.resample_from_infostate`), never of the true one. ``tests/games/ambagibus/test_simulation.py`` compares
it with `AmbagibusState`, line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.ambagibus.actions import PASS, Action, Bury, Play
from games.ambagibus.board import FOREIGN, NOTHING, SEATS, WALL, Tile, tunnel
from games.ambagibus.components import BOMB, CARD_OF, CAVE, KIND, ROW_SIZE
from games.ambagibus.gaps import BLANK, EDGES_AND_STEPS, STEPS, Gap, Place, cell_of, gap, place_of
from games.ambagibus.state import AmbagibusState
from games.core import Rng, shuffled

_BOMB: Final = KIND[BOMB]
_CAVE: Final = KIND[CAVE]
_CAVED_IN: Final = tuple(Tile(CAVE, owner, (WALL,) * 4) for owner in range(SEATS))
_ORIGIN: Final[Place] = 0


class Simulation:
    """A match in progress.

    Attributes:
        current_player: whose turn it is, also after the end.
        is_terminal: whether the match is over (A15).
        tiles: the cards in the maze by place.
        gaps: the empty places that open passages lead to; in an empty maze the origin.
        passages: every section's number of open passages, by the section's number. 0 is a closed section.
        sizes: the number of cards of a section, by its number.
        owners: the seat of a section, by its number.
        closed: by seat the number of closed sections.
        rows: by seat the face-up cards.
        decks: by seat the deck, the top card last.
        counts: by seat the number of cards of each kind in the row and the deck.
    """

    __slots__ = (
        "_around",
        "_kinds",
        "_owned",
        "_parents",
        "_sections",
        "closed",
        "counts",
        "current_player",
        "decks",
        "gaps",
        "is_terminal",
        "owners",
        "passages",
        "players",
        "row_size",
        "rows",
        "sizes",
        "tiles",
    )

    def __init__(self, state: AmbagibusState) -> None:
        self.players = state.players
        self.row_size = ROW_SIZE[state.variant]
        self.current_player = state.current_player
        self.is_terminal = state.is_terminal
        self.tiles = {place_of(cell): tile for cell, tile in state.maze.tiles.items()}
        self._around: dict[Place, Gap] = {}
        for place in self.tiles:
            for step in STEPS:
                if place + step not in self.tiles:
                    self._around[place + step] = self._gap_at(place + step)
        self.gaps = {place: beside for place, beside in self._around.items() if beside.kinds or beside.joins}
        if not self.tiles:
            self.gaps = {_ORIGIN: BLANK}
        self._sections: dict[Place, int] = {}
        self._parents: list[int] = []
        self.passages: dict[int, int] = {}
        self.sizes: list[int] = []
        self.owners: list[int] = []
        self.closed = [0] * self.players
        self._owned = [0] * self.players
        for place, tile in self.tiles.items():
            self._owned[tile.owner] += 1
            if place not in self._sections and any(tile.faces):
                self._flood(place)
        self.rows = [list(own.row) for own in state.cards]
        self.decks = [list(reversed(own.deck)) for own in state.cards]
        self.counts = [dict.fromkeys(set(KIND.values()), 0) for _ in range(self.players)]
        for counts, own in zip(self.counts, state.cards, strict=True):
            for card in (*own.row, *own.deck):
                counts[KIND[card]] += 1
        self._kinds = [sum(kind for kind, count in counts.items() if count) for counts in self.counts]

    def copy(self) -> Simulation:
        """Return another simulation at the same position."""
        new = object.__new__(Simulation)
        new.players, new.row_size = self.players, self.row_size
        new.current_player, new.is_terminal = self.current_player, self.is_terminal
        new.tiles = self.tiles.copy()
        new.gaps = self.gaps.copy()
        new.passages = self.passages.copy()
        new.sizes = self.sizes.copy()
        new.owners = self.owners.copy()
        new.closed = self.closed.copy()
        new.rows = [row.copy() for row in self.rows]
        new.decks = [deck.copy() for deck in self.decks]
        new.counts = [counts.copy() for counts in self.counts]
        new._around = self._around.copy()
        new._sections = self._sections.copy()
        new._parents = self._parents.copy()
        new._owned = self._owned.copy()
        new._kinds = self._kinds.copy()
        return new

    # The legal actions.

    def legal_actions(self, player: int) -> Sequence[Action]:
        """Return all actions of the current player."""
        row = self.rows[player]
        if not row:
            return (PASS,)
        held = row if len(row) == 1 else tuple(dict.fromkeys(row))
        kinds = 0
        for card in held:
            kinds |= KIND[card]
        cells = self.cells(kinds)
        actions: list[Action] = []
        for card in held:
            if card == BOMB:
                actions += [Play(BOMB, cell_of(place)) for place in self.places_of(player)]
            elif card == CAVE:
                actions += [Play(CAVE, cell_of(place)) for place in self.open_places_of(player)]
            else:
                kind = KIND[card]
                for place, beside in cells:
                    if beside.kinds & kind:
                        cell = cell_of(place)
                        actions += [Play(tile.card, cell) for tile in beside.ways(card, player)]
        return actions or tuple(map(Bury, held))

    def cells(self, kinds: int) -> list[tuple[Place, Gap]]:
        """Return where the current player may lay tunnel cards of some of these kinds, taken together (A3-A6, A12)."""
        player, lowest = self.current_player, 2 * FOREIGN + 1
        found: list[tuple[Place, Gap]] = []
        for item in self.gaps.items():
            beside = item[1]
            rank = beside.ranks[player]
            if rank <= lowest and beside.kinds & kinds:
                if rank < lowest:
                    lowest = rank
                    found = [item]
                else:
                    found.append(item)
        return found

    def places_of(self, player: int) -> list[Place]:
        """Return the places of a player's cards, Cave-ins included (A8)."""
        return [place for place, tile in self.tiles.items() if tile.owner == player]

    def open_places_of(self, player: int) -> list[Place]:
        """Return the places of a player's tunnel cards with an open passage (A9)."""
        found = {
            place + step
            for place, beside in self.gaps.items()
            if 0 < beside.ranks[player] <= FOREIGN
            for step, owner in beside.joins
            if owner == player
        }
        return sorted(found)

    def section(self, place: Place) -> int:
        """Return the number of the section of the tunnel card at a place."""
        parents = self._parents
        root = self._sections[place]
        while parents[root] != root:
            root = parents[root]
        return root

    # Actions. Each ends the turn.

    def child(self, player: int, action: Action) -> Simulation:
        """Return the position after an action of the current player, as another simulation."""
        new = self.copy()
        new.apply(action)
        return new

    def apply(self, action: Action) -> None:
        """Take an action of the current player."""
        if isinstance(action, Play):
            place = place_of(action.cell)
            if action.card == BOMB:
                self.bomb(place)
            elif action.card == CAVE:
                self.cave_in(place)
            else:
                self.lay(CARD_OF[action.card], tunnel(action.card, self.current_player), place)
        elif isinstance(action, Bury):
            self.bury(action.card)
        else:
            assert action == PASS
            self.end_turn()

    def lay(self, card: str, tile: Tile, place: Place) -> None:
        """Lay a tunnel card of the row as `tile` on a place."""
        self._spend(card)
        _, owner, faces, _ = tile
        around, gaps, parents, passages, sizes = self._around, self.gaps, self._parents, self.passages, self.sizes
        before = around.pop(place, BLANK).faces
        gaps.pop(place, None)
        self.tiles[place] = tile
        self._owned[owner] += 1
        number, total, size = len(parents), 0, 1
        for edge, step, opposite in EDGES_AND_STEPS:
            face, met = faces[edge], before[edge]
            if met < 0:
                beside = place + step
                now = around.get(beside, BLANK).after(opposite, face)
                around[beside] = now
                if face:
                    total += 1
                    gaps[beside] = now
                elif beside in gaps:
                    gaps[beside] = now
            elif face:
                root = self._sections[place + step]
                while parents[root] != root:
                    root = parents[root]
                if (met - 1) // 4 != owner:
                    passages[root] -= 1
                    if not passages[root]:
                        self.closed[self.owners[root]] += 1
                elif root == number:
                    total -= 1
                else:
                    if number == len(parents):
                        parents.append(number)
                    total += passages.pop(root) - 1
                    size += sizes[root]
                    parents[root] = number
        if number == len(parents):
            parents.append(number)
        sizes.append(size)
        self.owners.append(owner)
        self._sections[place] = number
        passages[number] = total
        if not total:
            self.closed[owner] += 1
        self.end_turn()

    def cave_in(self, place: Place) -> None:
        """Play a Cave-in on an own tunnel card."""
        self._spend(CAVE)
        tile = self.tiles[place]
        self._end_section(place)
        self.tiles[place] = _CAVED_IN[tile.owner]
        del self._sections[place]
        for edge, step, opposite in EDGES_AND_STEPS:
            beside = place + step
            if beside not in self.tiles:
                self._changed(beside, self._around[beside].after(opposite, WALL))
            elif tile.faces[edge] and self._is_stale(beside, tile.owner):
                self._flood(beside)
        self.end_turn()

    def bomb(self, place: Place) -> None:
        """Play a Bomb on an own card."""
        self._spend(BOMB)
        tile = self.tiles[place]
        owner = tile.owner
        is_tunnel = place in self._sections
        if is_tunnel:
            self._end_section(place)
            del self._sections[place]
        del self.tiles[place]
        self._owned[owner] -= 1
        if not self.tiles:
            self._around.clear()
            self.gaps = {_ORIGIN: BLANK}
            self.end_turn()
            return
        self._changed(place, self._gap_at(place))
        for _, step, opposite in EDGES_AND_STEPS:
            beside = place + step
            other = self.tiles.get(beside)
            if other is None:
                self._changed(beside, self._around[beside].after(opposite, NOTHING))
            elif other.faces[opposite]:
                if is_tunnel and other.owner == owner:
                    if self._is_stale(beside, owner):
                        self._flood(beside)
                else:
                    root = self.section(beside)
                    self.passages[root] += 1
                    if self.passages[root] == 1:
                        self.closed[other.owner] -= 1
        self.end_turn()

    def bury(self, card: str) -> None:
        """Put a card of the row at the bottom of the deck."""
        self.rows[self.current_player].remove(card)
        self.decks[self.current_player].insert(0, card)
        self.end_turn()

    def end_turn(self) -> None:
        """Go on to the next player, or end the match (A7, A11, A15)."""
        player, size = self.current_player, self.row_size
        if size > 1:
            row, deck = self.rows[player], self.decks[player]
            while deck and len(row) < size:
                row.append(deck.pop())
        player = player + 1 if player + 1 < self.players else 0
        self.current_player = player
        kinds = 0
        for left in self._kinds:
            kinds |= left
        for beside in self.gaps.values():
            if beside.kinds & kinds:
                break
        else:
            if not self.gaps or not self._special_playable():
                self.is_terminal = True
                return
        if size == 1 and self.decks[player] and not self.rows[player]:
            self.rows[player].append(self.decks[player].pop())

    # The result.

    def winners(self) -> list[int]:
        """Return the seats with the most closed sections, ties decided by their sizes (A16)."""
        most = max(self.closed)
        first = [seat for seat, count in enumerate(self.closed) if count == most]
        if len(first) == 1:
            return first
        sizes: list[list[int]] = [[] for _ in range(self.players)]
        for number, passages in self.passages.items():
            if not passages:
                sizes[self.owners[number]].append(self.sizes[number])
        for own in sizes:
            own.sort(reverse=True)
        best = max(sizes[seat] for seat in first)
        return [seat for seat in first if sizes[seat] == best]

    # Bookkeeping.

    def _spend(self, card: str) -> None:
        """Take a card of the current player's row out of their cards."""
        player, kind = self.current_player, KIND[card]
        self.rows[player].remove(card)
        counts = self.counts[player]
        counts[kind] -= 1
        if not counts[kind]:
            self._kinds[player] -= kind

    def _special_playable(self) -> bool:
        """Return whether somebody still has a Bomb or a Cave-in that can be played."""
        for player, kinds in enumerate(self._kinds):
            if kinds & _BOMB and self._owned[player]:
                return True
            if kinds & _CAVE and any(0 < beside.ranks[player] <= FOREIGN for beside in self.gaps.values()):
                return True
        return False

    def _gap_at(self, place: Place) -> Gap:
        return gap(
            tuple(
                self.tiles[place + step].faces[opposite] if place + step in self.tiles else NOTHING
                for _, step, opposite in EDGES_AND_STEPS
            )
        )

    def _changed(self, place: Place, beside: Gap) -> None:
        """Note the gap that is now at an empty place."""
        if beside is BLANK:
            self._around.pop(place, None)
            self.gaps.pop(place, None)
            return
        self._around[place] = beside
        if beside.joins:
            self.gaps[place] = beside
        else:
            self.gaps.pop(place, None)

    def _end_section(self, place: Place) -> None:
        """Forget the section at a place. What remains of it is counted anew (`_flood`)."""
        root = self.section(place)
        if not self.passages.pop(root):
            self.closed[self.owners[root]] -= 1

    def _is_stale(self, place: Place, owner: int) -> bool:
        """Return whether a card of `owner` is at a place whose section has been forgotten."""
        return self.tiles[place].owner == owner and place in self._sections and self.section(place) not in self.passages

    def _flood(self, place: Place) -> None:
        """Count the section of the card at a place as a new one."""
        tiles, owner, number = self.tiles, self.tiles[place].owner, len(self._parents)
        self._parents.append(number)
        self._sections[place] = number
        to_visit, size, passages = [place], 1, 0
        while to_visit:
            cell = to_visit.pop()
            faces = tiles[cell].faces
            for edge, step, opposite in EDGES_AND_STEPS:
                if faces[edge]:
                    beside = cell + step
                    other = tiles.get(beside)
                    if other is None:
                        passages += 1
                    elif other.owner == owner and other.faces[opposite] and self._sections.get(beside) != number:
                        self._sections[beside] = number
                        to_visit.append(beside)
                        size += 1
        self.sizes.append(size)
        self.owners.append(owner)
        self.passages[number] = passages
        if not passages:
            self.closed[owner] += 1


def worlds(state: AmbagibusState) -> Callable[[Rng], Simulation]:
    """Return a function that draws simulations of positions that look like `state` to everybody.

    The cards whose order nobody knows are shuffled. That is much faster than a simulation of a resampled position.
    """
    base = Simulation(state)
    known, unknown = [], []
    for own, deck in zip(state.cards, base.decks, strict=True):
        known.append(deck[: own.known])
        unknown.append(sorted(deck[own.known :]))

    def draw(rng: Rng) -> Simulation:
        world = base.copy()
        world.decks = [[*below, *shuffled(above, rng)] for below, above in zip(known, unknown, strict=True)]
        return world

    return draw
