"""The search of the computer players: what it finds, what it gets to know, and that a seed repeats it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import pytest

from games.core import CHANCE, TERMINAL, GameInfo, Notation, Outcome, Refusal, Rng, State
from matches.computers.judgement import Judgement
from matches.computers.judgements import JUDGEMENTS
from matches.computers.levels import Level, Strength
from matches.computers.race import race
from matches.computers.search import search
from matches.computers.thinking import Question, answer
from tests.conformance.matches import SETUPS, Setup
from tests.matches.imagined import decisions, question


@dataclass(frozen=True)
class Toy(State[int]):
    """The parts of a game that a test needs: a number, and who is to move."""

    info: ClassVar[GameInfo] = GameInfo(
        "toy", "Toy", "", 2, 2, 1, 99, "T1", "T1", "Anything goes.", hands=False, hidden_information=False, steps=()
    )
    notation: ClassVar = Notation(
        action_to_string=str,
        from_string=lambda player, text: int(text),
        read=lambda text, legal: text,
        why_illegal=lambda seen, action: Refusal(None, "There is no such number."),
        choices=lambda seen, action: (),
    )
    left: int = 0
    winner: int | None = None

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        raise NotImplementedError

    def _apply_action(self, player: int, action: int) -> Any:
        raise NotImplementedError

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        return ""

    def outcome(self) -> Outcome | None:
        return None if self.winner is None else Outcome((self.winner,), "")

    def sample_chance(self, rng: Any) -> int:
        return int(rng.randrange(10))

    def returns(self) -> tuple[float, ...]:
        return (0.0, 0.0)

    def resample_from_infostate(self, player: int | None, rng: Any) -> Any:
        return self

    def check_chance(self, action: int) -> bool:
        return True

    def seen_by(self, viewer: int | None, player: int, action: int) -> int:
        return action

    def observation(self, player: int | None) -> Any:
        raise NotImplementedError


class Nim(Toy):
    """Take one to three matches; who takes the last one wins."""

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return tuple(range(1, min(3, self.left) + 1))

    def _apply_action(self, player: int, action: int) -> Nim:
        left = self.left - action
        if left:
            return self.evolve(left=left, current_player=1 - player)
        return self.evolve(left=0, current_player=TERMINAL, winner=player)


class Gamble(Toy):
    """Action 0 wins in nine of ten draws, action 1 in one of ten."""

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return (0, 1)

    def _apply_action(self, player: int, action: int) -> Gamble:
        if player == CHANCE:
            won = (action > 0) == (self.left == 0)
            return self.evolve(current_player=TERMINAL, winner=0 if won else 1)
        return self.evolve(left=action, current_player=CHANCE)


class Guess(Toy):
    """Name the hidden number, which is 0 in three of four worlds."""

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return (0, 1)

    def _apply_action(self, player: int, action: int) -> Guess:
        return self.evolve(current_player=TERMINAL, winner=0 if action == self.left else 1)

    def resample_from_infostate(self, player: int | None, rng: Any) -> Guess:
        return self.evolve(left=int(rng.randrange(4) == 0))


class Three(Toy):
    """Player 0 leaves the decision to player 1, who must let them win, or to player 2, who may win."""

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return {0: (0, 1), 1: (0,), 2: (0, 2)}[player]

    def _apply_action(self, player: int, action: int) -> Three:
        if player == 0:
            return self.evolve(current_player=1 + action)
        return self.evolve(current_player=TERMINAL, winner=action)


def best(state: State[Any], iterations: int = 500) -> Any:
    found = search(Judgement(state), iterations, Random(3))
    return max(found, key=lambda action: found[action].visits)


@pytest.mark.parametrize("left", [5, 6, 7, 9, 10, 11])
def test_search_alone_finds_the_winning_move_of_nim(left: int) -> None:
    assert best(Nim(2, 0, None, left)) == left % 4


def test_chance_is_weighed() -> None:
    assert best(Gamble(2, 0, None)) == 0


def test_what_is_hidden_is_weighed_by_how_often_it_is_so() -> None:
    found = search(Judgement(Guess(2, 0, None, 1)), 1000, Random(3))
    assert found[0].value == pytest.approx(0.75, abs=0.05)
    assert found[0].visits > found[1].visits


def test_a_race_weighs_chance_and_what_is_hidden() -> None:
    for state, action in ((Gamble(2, 0, None), 0), (Guess(2, 0, None, 1), 0)):
        far = race(Judgement(state), 200, Random(3))
        assert max(far, key=far.__getitem__) == action


def test_a_race_tries_all_actions_in_the_same_worlds_and_drops_the_worse_half() -> None:
    seen: dict[int, list[int]] = {action: [] for action in range(8)}

    class Eight(Toy):
        def _legal_actions(self, player: int) -> tuple[int, ...]:
            return tuple(seen)

        def resample_from_infostate(self, player: int | None, rng: Rng) -> Eight:
            return self.evolve(left=rng.getrandbits(30))

    class Watched(Judgement[Eight]):
        def sample(self, world: Eight, action: int, rng: Random) -> float:
            seen[action].append(world.left)
            return action / 8

    far = race(Watched(Eight(2, 0, None)), 240, Random(1))
    assert max(far, key=far.__getitem__) == 7
    assert far[7] > far[6] > far[5] == far[4] > far[3] == far[0]
    assert [len(seen[action]) for action in range(8)] == [10, 10, 10, 10, 30, 30, 70, 70]
    for action, worlds in seen.items():
        assert worlds == seen[7][: len(worlds)], action
        assert len(set(worlds)) == len(worlds)


def test_exact_ends_decide_a_race_by_how_likely_their_worlds_are() -> None:
    class Known(Judgement[Gamble]):
        def sample(self, world: Gamble, action: int, rng: Random) -> float:
            return float(action == 0)

        def ends(self, actions: Sequence[int], rng: Random) -> Iterator[tuple[float, list[float]]]:
            yield 1.0, [float(action == 0) for action in actions]
            yield self.positions, [float(action == 1) for action in actions]

    for positions, action in ((1, 0), (9, 1)):
        judgement = Known(Gamble(2, 0, None))
        judgement.positions = positions
        far = race(judgement, 20, Random(1))
        assert max(far, key=far.__getitem__) == action


def test_everybody_looks_after_themselves() -> None:
    assert best(Three(3, 0, None)) == 0


def test_a_good_opinion_is_tried_first_and_a_bad_one_hardly() -> None:
    class Opinion(Judgement[Nim]):
        def opinions(self, state: Nim, actions: Sequence[int]) -> Sequence[float]:
            return [1.0 if action == 2 else 0.0 for action in actions]

    found = search(Opinion(Nim(2, 0, None, 40)), 3, Random(3))
    assert found[2].tried
    assert not (found[1].tried and found[3].tried)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_choice_does_not_depend_on_what_the_player_cannot_know(setup: Setup) -> None:
    """Uses two true positions that look alike to the player: equal questions get equal answers."""
    asked = 0
    for state, log in decisions(setup, 5):
        other = state.resample_from_infostate(state.current_player, Random(17))
        mine, same = question(state, log), question(other, log)
        assert mine == same
        if asked % 10 == 0:
            assert answer(mine) == answer(same)
        asked += 1
    assert asked > 3


@pytest.mark.parametrize("key", sorted({setup.key for setup in SETUPS if setup.info.hidden_information}))
def test_the_search_is_given_another_position_than_the_true_one(key: str) -> None:
    setup = next(setup for setup in SETUPS if setup.key == key)
    # In a small game the draw can match the truth by chance.
    positions = (state for seed in range(5, 15) for state, _ in decisions(setup, seed))
    assert any(question(state).position != state for state in positions)


@pytest.mark.parametrize("level", list(Level))
def test_a_seed_repeats_a_choice(level: Level) -> None:
    setup = next(setup for setup in SETUPS if setup.key == "ambush")
    for state, log in list(decisions(setup, 1))[::12]:
        asked = question(state, log, seed=7, level=level, effort=0.02)
        assert answer(asked) == answer(asked)


@pytest.mark.parametrize("game", ["ambush", "abissal"])
def test_an_expert_computer_is_surer_of_its_choice_than_an_easy_one(game: str) -> None:
    """In several positions and with many seeds, the expert makes fewer different choices."""
    taken = list(decisions(next(setup for setup in SETUPS if setup.key == game), 1))
    different = {
        level: sum(len({answer(question(*taken[at], seed, level, 0.03)) for seed in range(8)}) for at in (6, 12, 18))
        for level in (Level.EASY, Level.EXPERT)
    }
    assert different[Level.EASY] > different[Level.EXPERT]


def test_a_level_may_judge_playouts_sooner_than_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = set[tuple[Level, bool]]()

    class Shortsighted(Judgement[Nim]):
        strengths: ClassVar = {
            level: Strength(0.1, 0.0, horizon=0 if level is Level.EXPERT else None) for level in Level
        }

        def values(self, state: Nim) -> Sequence[float]:
            ends.add((asked.level, state.is_terminal))
            return super().values(state)

    monkeypatch.setitem(JUDGEMENTS, "toy", Shortsighted)
    for level in (Level.HARD, Level.EXPERT):
        asked = Question(Nim(2, 0, None, 60), (), level, 1)
        answer(asked)
    assert ends == {(Level.HARD, True), (Level.EXPERT, False)}


def test_where_only_what_throws_something_away_was_tried_the_next_best_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hasty(Judgement[Nim]):
        iterations = 1
        strengths: ClassVar = {Level.EASY: Strength(1.0, 1.0)}

        def opinions(self, state: Nim, actions: Sequence[int]) -> Sequence[float]:
            return [{1: 0.3, 2: 0.5, 3: 0.9}[action] for action in actions]

        def throws_away(self, action: int) -> bool:
            return action == 3

    monkeypatch.setitem(JUDGEMENTS, "toy", Hasty)
    assert {answer(Question(Nim(2, 0, None, 20), (), Level.EASY, seed)) for seed in range(20)} == {"2"}


@pytest.mark.parametrize("judgement", [Judgement, *JUDGEMENTS.values()], ids=lambda judgement: judgement.__name__)
def test_levels_search_the_more_and_err_the_less_the_higher_they_are(judgement: type[Judgement[Any]]) -> None:
    strengths = [judgement.strengths[level] for level in Level]
    lines = [judgement.horizon if each.horizon is None else each.horizon for each in strengths]
    looks = [(each.plans, each.nodes, each.share * max(1, line)) for each, line in zip(strengths, lines, strict=True)]
    assert looks == sorted(set(looks))
    assert [each.temperature for each in strengths] == sorted((each.temperature for each in strengths), reverse=True)
    assert strengths[-1].temperature == strengths[-1].slips == strengths[1].slips == 0


def test_every_game_that_people_can_play_is_played_with_judgement() -> None:
    assert set(JUDGEMENTS) == {setup.key for setup in SETUPS}
