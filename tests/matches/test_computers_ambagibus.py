"""The judgement of Ambagibus: its samples, and the best play that experts search for."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from games.ambagibus import AmbagibusState, board
from games.ambagibus.components import CAVE
from games.ambagibus.simulation import Simulation
from games.ambagibus.state import Cards
from games.log import initial_state
from matches.computers.judgements.ambagibus import CONSIDERED, WIDTH, AmbagibusJudgement, BestPlay, TooMuch
from matches.computers.judgements.ambagibus.habits import held_by, options, play_on, take
from matches.computers.judgements.ambagibus.odds import chances, result, values
from matches.computers.levels import STRENGTHS, Level
from matches.computers.thinking import Prepared, prepared
from tests.conformance.matches import Setup
from tests.matches.imagined import decisions

ADVANCED = Setup("ambagibus", 2, (("variant", "advanced"),))


def test_at_the_end_of_ambagibus_the_result_counts_most() -> None:
    for seed in range(8):
        *_, (state, _) = decisions(ADVANCED, seed)
        simulation, rng = Simulation(state), Random(seed)
        while not simulation.is_terminal:
            play_on(simulation, rng)
        values = result(simulation)
        assert sum(values) == pytest.approx(1.0)
        assert [seat for seat, value in enumerate(values) if value == max(values)] == simulation.winners()


def test_a_section_is_worth_more_the_nearer_it_is_to_being_closed() -> None:
    found = []
    for cards in ("1234", "1230", "1020", "1000"):
        found.append(chances(maze_of({(0, 0): (cards, 0)}))[0])
    assert found == sorted(set(found))
    assert all(sum(chances(maze_of({(0, 0): (cards, 0)}))) == pytest.approx(1.0) for cards in ("1234", "1000"))


def test_whoever_holds_cards_that_close_sections_is_likelier_to_win() -> None:
    maze: dict[tuple[int, int], tuple[str, int]] = {(0, 0): ("1020", 0), (0, 1): ("1020", 1)}
    found = [chances(maze_of(maze, (held,)))[0] for held in ("1234", "1020", "1000", CAVE)]
    assert found == sorted(set(found))


def maze_of(
    cards: dict[tuple[int, int], tuple[str, int]], row: tuple[str, ...] = (), mover: int = 0, players: int = 2
) -> Simulation:
    """The maze of these cards, by cell with their owners. Seat `mover` has a face-up row, and all have decks."""
    state = initial_state(replace(ADVANCED, players=players).header())
    assert isinstance(state, AmbagibusState)
    rows = [row if seat == mover else ("1234",) for seat in range(players)]
    decks = tuple(Cards(each, ("1000", "1020", "1200")) for each in rows)
    maze = board.survey((cell, card, owner) for cell, (card, owner) in cards.items())
    return Simulation(state.evolve(current_player=mover, cards=decks, maze=maze, starter=0))


def test_playouts_close_a_section_where_they_can() -> None:
    for seed in range(10):
        simulation = maze_of({(0, 0): ("1020", 0), (0, -1): ("1000", 0)}, ("1234", "3000", "1020"))
        play_on(simulation, Random(seed))
        assert simulation.closed == [1, 0]


@pytest.mark.parametrize(("ahead", "closes"), [(0, True), (1, False)])
def test_playouts_close_the_maze_only_if_its_player_wins(ahead: int, closes: bool) -> None:
    """The other player's passage is the last one. A dead end there closes a section of each player."""
    other = {(5, 0): ("0100", ahead), (6, 0): ("0001", ahead), (9, 0): ("0100", ahead), (10, 0): ("0001", ahead)}
    for seed in range(10):
        simulation = maze_of({(0, 0): ("1000", 1), **other}, ("1000", "1020"))
        play_on(simulation, Random(seed))
        assert simulation.is_terminal == closes


def test_playouts_do_not_close_the_maze_if_two_others_win_by_it() -> None:
    """A dead end on the last passage gives each of three players one section. The others' sections have two cards."""
    others = {(0, 0): ("1010", 0), (0, -1): ("1000", 0), (5, 0): ("0100", 1), (6, 0): ("0001", 1)}
    for seed in range(10):
        simulation = maze_of(others, ("1000", "1020"), mover=2, players=3)
        play_on(simulation, Random(seed))
        assert not simulation.is_terminal


def expert(variant: str, players: int) -> Prepared:
    state = initial_state(replace(ADVANCED, players=players, options=(("variant", variant),)).header())
    return prepared(state, (), Level.EXPERT)


def test_experts_search_for_best_play_only_in_the_advanced_game_for_two() -> None:
    assert [expert("advanced", players).nodes > 0 for players in (2, 3, 4)] == [True, False, False]
    assert expert("basic", 2).strength == STRENGTHS[Level.EXPERT]
    for ready in (expert("basic", 2), expert("advanced", 3)):
        assert not list(ready.judgement.ends([], Random(1)))


def test_experts_judge_samples_of_the_advanced_game_sooner_than_those_of_the_basic_one() -> None:
    basic = expert("basic", 2).judgement
    assert basic.horizon == AmbagibusJudgement.horizon
    assert all(expert("advanced", players).judgement.horizon < basic.horizon for players in (2, 3, 4))


def test_samples_compare_only_the_actions_after_which_the_chances_are_best() -> None:
    narrowed = 0
    for state, _ in islice(decisions(ADVANCED, 2), 30):
        player, actions = state.current_player, state.legal_actions(state.current_player)
        considered = AmbagibusJudgement(state).candidates(actions)
        assert set(considered) <= set(actions)
        assert len(considered) == min(len(actions), CONSIDERED[state.variant])
        after = {action: Simulation(state.child(player, action)) for action in actions}
        worth = {action: values(end)[player] for action, end in after.items()}
        left = [worth[action] for action in actions if action not in considered]
        assert max(left, default=0.0) <= min(worth[action] for action in considered)
        narrowed += len(left) > 0
    assert narrowed > 5


def later_worlds() -> list[Simulation]:
    """Worlds of a few matches for two, from the beginning to the end."""
    return [
        AmbagibusJudgement(state).world(Random(seed))
        for seed in range(3)
        for state, _ in list(decisions(ADVANCED, seed))[::8]
        if isinstance(state, AmbagibusState)
    ]


def tried(simulation: Simulation, lines: int) -> float:
    """The current player's value after best play, by trying all that `BestPlay` may."""
    player = simulation.current_player
    if simulation.is_terminal or not lines:
        return values(simulation)[player]
    held, cells = held_by(simulation)
    best = sorted(options(simulation, held, cells), key=lambda option: option[0], reverse=True)[:WIDTH]
    found = []
    for option in best or held or (None,):
        after = simulation.copy()
        if option is None:
            after.end_turn()
        elif isinstance(option, str):
            after.bury(option)
        else:
            _, card, place, gap = option
            take(after, card, place, gap)
        found.append(1 - tried(after, lines - 1))
    return max(found)


def test_best_play_is_what_trying_everything_finds() -> None:
    worlds = later_worlds()
    for world in worlds:
        assert BestPlay(10_000).value(world, 3) == pytest.approx(tried(world, 3))
    assert len(worlds) > 12


def test_a_search_for_best_play_looks_at_no_more_positions_than_it_may() -> None:
    world = later_worlds()[1]
    search = BestPlay(10_000)
    value = search.value(world, 4)
    needed = 10_000 - search.left
    assert needed > 4
    assert BestPlay(needed).value(world, 4) == value
    with pytest.raises(TooMuch):
        BestPlay(needed - 1).value(world, 4)


def test_an_expert_with_more_work_looks_into_more_worlds_and_farther_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left over when a world is begun and not finished counts for nothing."""
    state = next(state for state, _ in islice(decisions(ADVANCED, 2), 12, None))
    actions = state.legal_actions(state.current_player)[:4]
    seen = list[int]()
    value = BestPlay.value

    def watched(self: BestPlay, simulation: Simulation, lines: int, low: float = 0.0, high: float = 1.0) -> float:
        seen.append(lines)
        return value(self, simulation, lines, low, high)

    monkeypatch.setattr(BestPlay, "value", watched)
    found = []
    for positions in (200, 2_000, 25_000):
        seen.clear()
        judgement = AmbagibusJudgement(state)
        judgement.positions = positions
        worlds = list(judgement.ends(actions, Random(1)))
        assert all(len(values) == len(actions) and weight == 1.0 for weight, values in worlds)
        assert all(0 <= each <= 1 for _, values in worlds for each in values)
        found.append((len(worlds), max(seen)))
    assert found == sorted(set(found))
    assert found[0][1] < found[-1][1]


def test_what_best_play_finds_does_not_depend_on_the_order_of_the_decks_that_nobody_knows() -> None:
    """Even the true position tells the search no more than one that looks alike to the player."""
    differ = 0
    for state, _ in list(decisions(ADVANCED, 5))[::10]:
        other = state.resample_from_infostate(state.current_player, Random(17))
        found = []
        for position in (state, other):
            judgement = AmbagibusJudgement(position)
            judgement.positions = 2_000
            actions = judgement.candidates(position.legal_actions(position.current_player))[:4]
            found.append((actions, list(judgement.ends(actions, Random(1)))))
        assert found[0] == found[1]
        differ += state != other and len(found[0][1]) > 0
    assert differ > 3


def test_best_play_sees_that_the_other_player_can_close_the_maze_and_win() -> None:
    """A single open passage looks better than three. But the other player is a section ahead and holds a dead end."""
    ahead = {(5, 0): ("0100", 1), (6, 0): ("0001", 1)}
    straight, cross = (
        maze_of({(0, 0): ("1000", 0), (0, 1): (card, 0), **ahead}, ("1000",), 1) for card in ("1020", "1234")
    )
    assert chances(straight)[0] > chances(cross)[0]
    assert BestPlay(100).value(straight, 1) > BestPlay(100).value(cross, 1)
