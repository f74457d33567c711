"""What must be true of every match of every game. Each check looks at one match and fails by assertion."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games.core import (
    CHANCE,
    HIDDEN,
    ActionError,
    AmbiguousAction,
    IllegalAction,
    InvalidAction,
    Observation,
    Played,
    State,
    Turn,
)
from games.log import Course, parse_log, replay, to_text
from games.typed import fold, recased, shortened, undecorated
from tests.conformance.matches import Match
from tests.conformance.policies import random_play
from tests.games.material import material

Check = Callable[[Match, Random], None]

MAX_ACTION_TEXT = 40
"""The most characters in the canonical text of a player's action. Chance lines may be longer."""
POSITIONS = 25
"""How many positions of a match the slower checks look at."""
TYPED = 8
"""How many of the legal actions of a position are typed in other ways."""
DECORATIONS = (
    "`{}`",
    "```{}```",
    "`{}`.",
    "“{}”",
    '"{}"',
    "'{}'.",
    "„{}“,",
    "{}.",
    " {}\n",
    "(`{}`).",
    "**{}**",
    "||{}||",
)
"""Text around a quoted move: in a hint, a refusal, the rules, a message."""
STRANGE_ACTIONS = 12
"""How many actions of other positions are tried where they may be illegal."""

_REFUSAL = re.compile(r"[A-Z][0-9]{1,2}: \S[^\n]{5,250}[.!?]")
_STEP = re.compile(r"[a-z]{1,32}")


def ends_in_time(match: Match, rng: Random) -> None:
    """Nobody is ever stuck, and the match ends within the game's maximum number of lines."""
    last = match.states[-1]
    assert len(match.lines) <= match.info.max_game_length
    assert last.is_terminal
    for state in match.states:
        outcome = state.outcome()
        assert (outcome is None) != state.is_terminal
        assert len(state.returns()) == match.header.players
    assert all(0 <= seat < match.header.players for seat in outcome.winners)
    assert list(outcome.winners) == sorted(set(outcome.winners))
    assert outcome.reason.endswith(".")


def only_the_player_to_move_may_act(match: Match, rng: Random) -> None:
    """The player whose turn it is has actions, each once. Nobody else has any, and chance neither."""
    for state in match.states:
        for player in (CHANCE, *range(match.header.players)):
            legal = state.legal_actions(player)
            if player == state.current_player and player != CHANCE:
                assert legal
                assert len(set(legal)) == len(legal)
            else:
                assert legal == ()


def chance_draws_what_it_may(match: Match, rng: Random) -> None:
    """A draw depends on the generator alone, is possible, and nothing else passes for a draw."""
    for state, player, _, _ in match.moves():
        if player == CHANCE:
            seed = rng.random()
            draw = state.sample_chance(Random(seed))
            assert draw == state.sample_chance(Random(seed))
            assert state.check_chance(draw)
            assert state.why_illegal(CHANCE, draw) is None
            moves = [action for mover, action in match.lines if mover != CHANCE]
            for action in rng.sample(moves, min(STRANGE_ACTIONS, len(moves))):
                assert not state.check_chance(action)
                assert state.why_illegal(CHANCE, action) is not None


def positions_never_change(match: Match, rng: Random) -> None:
    """Playing on from a position, by any action, leaves it unchanged."""
    for state in map(match.states.__getitem__, match.some_plies(rng, POSITIONS)):
        if state.is_terminal:
            continue
        before = repr(state)
        player = state.current_player
        legal = (state.sample_chance(rng),) if player == CHANCE else state.legal_actions(player)
        for action in legal:
            after = state.apply_action(player, action)
            assert after == state.child(player, action)
            assert after.observation(None) is not None
            after.legal_actions(after.current_player)
        assert repr(state) == before


def texts_are_canonical(match: Match, rng: Random) -> None:
    """Texts are short plain lines, unique among the legal ones, and strictly read back as the same action."""
    for state, player, action, _ in match.moves():
        texts = [state.action_to_string(move) for move in state.legal_actions(player)]
        assert len(set(texts)) == len(texts)
        for text in texts:
            assert text.isascii()
            assert text.isprintable()
            assert len(text) <= MAX_ACTION_TEXT
        for move, text in zip(state.legal_actions(player), texts, strict=True):
            assert state.string_to_action(player, text) == move
        text = state.action_to_string(action)
        assert text.isascii()
        assert text == " ".join(text.split())
        assert state.string_to_action(player, text) == action
        for wrong in (f" {text}", f"{text} ", f"{text}\n", f"{text}x", f"?{text}", ""):
            with pytest.raises(InvalidAction):
                state.string_to_action(player, wrong)


def typed_text_is_read_leniently(match: Match, rng: Random) -> None:
    """Case and spaces don't matter in what people type, unless they make another legal action."""
    for state in map(match.states.__getitem__, match.some_plies(rng, POSITIONS)):
        turn = movers_turn(state)
        for action in rng.sample(turn.legal, min(TYPED, len(turn.legal))):
            text = state.action_to_string(action)
            assert turn.parse_action(text) == action
            assert turn.parse_action(f"  {text} ") == action
            for typed in (text.upper(), text.lower(), text.swapcase(), text.replace(" ", ""), " ".join(text)):
                assert fold(text) in {fold(read) for read in readings(turn, typed)}


def a_pasted_move_is_the_one_that_was_shown(match: Match, rng: Random) -> None:
    """A canonical text is recognised with everything around it where the bot or a log shows it."""
    for state in map(match.states.__getitem__, match.some_plies(rng, POSITIONS)):
        turn = movers_turn(state)
        for action in rng.sample(turn.legal, min(TYPED, len(turn.legal))):
            text, ply = state.action_to_string(action), rng.randrange(1000)
            for pasted in (text, *(around.format(text) for around in DECORATIONS), f"“{shortened(text)}”"):
                assert turn.parse_action(pasted) == action, pasted
                assert undecorated(pasted) == text, pasted
            for line in (f"{ply} {text}", f"`{ply}` {text}", f"`{ply}` `{text}`.", f"{ply}. {text}", f"{ply} 0 {text}"):
                assert turn.parse_action(line) == action, line
                assert undecorated(line) != text, line


def the_case_that_was_typed_counts(match: Match, rng: Random) -> None:
    """If another action of the game differs only by case, changing the case plays that one or asks."""
    for state in map(match.states.__getitem__, match.some_plies(rng, POSITIONS)):
        player, turn = state.current_player, movers_turn(state)
        legal = {state.action_to_string(action) for action in state.legal_actions(player)}
        for text in rng.sample(sorted(legal), min(TYPED, len(legal))):
            for other in (text.upper(), text.lower(), text.swapcase(), text.title(), *recased(text)):
                for pasted in (other, f"`{other}`.", f" {' '.join(other)} "):
                    told = typed(turn, pasted)
                    if told == other or told not in legal:
                        continue
                    assert fold(told) == fold(text), pasted
                    assert undecorated(pasted) != told, pasted
                    for twin in recased(told):
                        if is_canonical(state, player, twin):
                            letters = zip(*(each.replace(" ", "") for each in (other, told, twin)), strict=True)
                            assert all(tried == right for tried, right, wrong in letters if right != wrong), pasted


def movers_turn(state: State[Any]) -> Turn[Any]:
    """What the current player sees and can do; a spectator's while chance draws and after the end."""
    return state.turn(state.current_player if state.current_player >= 0 else None)


def is_canonical(state: State[Any], player: int, text: str) -> bool:
    """Whether it is the canonical text of an action of the game, legal or not."""
    try:
        state.string_to_action(player, text)
    except InvalidAction:
        return False
    return True


def readings(turn: Turn[Any], text: str) -> list[str]:
    """What typed text can mean: one action, or those that the person is asked to choose from."""
    try:
        return [turn.notation.action_to_string(turn.parse_action(text))]
    except AmbiguousAction as error:
        return re.findall(r"`([^`]*)`", str(error))


def a_log_replays(match: Match, rng: Random) -> None:
    """A log's text alone gives every position of the match."""
    header, lines = parse_log(to_text(match.header, match.log()))
    assert header == match.header
    assert [state for _, state in replay(header, lines)] == list(match.states[1:])
    course, unchecked = Course.begin(header), Course.begin(header)
    for line, state in zip(lines, match.states[1:], strict=True):
        course, unchecked = course.after(line), unchecked.after(line, trusted=True)
        assert unchecked.state == state
        assert course.before(line.ply) == match.states[line.ply], "this line could not be taken back"
        assert course.before(course.ply) is None


def refusals_name_a_rule_and_change_nothing(match: Match, rng: Random) -> None:
    """Every action of the game that is impossible now is refused with a rule's number and a sentence."""
    for state in map(match.states.__getitem__, match.some_plies(rng, POSITIONS)):
        before = repr(state)
        for player in range(match.header.players):
            turn = state.turn(player)
            for action in strange_actions(match, rng):
                reason = state.why_illegal(player, action)
                assert turn.why_illegal(action) == reason
                assert (reason is None) == (action in turn.legal)
                if reason is None:
                    continue
                assert _REFUSAL.fullmatch(str(reason)), reason
                assert str(reason) == f"{reason.rule}: {reason.reason}"
                if state.is_terminal:
                    assert reason.rule == match.info.end_rule
                elif player != state.current_player:
                    assert reason.rule == match.info.turn_rule
                with pytest.raises(IllegalAction) as refused:
                    state.apply_action(player, action)
                assert (str(refused.value), refused.value.rule) == (str(reason), reason.rule)
                told = typed(turn, state.action_to_string(action))
                assert told == str(reason) or told.startswith((f"{reason} Capital letters", "I couldn't read"))
        assert repr(state) == before


def strange_actions(match: Match, rng: Random) -> list[Any]:
    """Actions that were legal somewhere in the match, including chance's."""
    lines = rng.sample(match.lines, min(STRANGE_ACTIONS, len(match.lines)))
    return [action for _, action in lines]


def cards_and_pieces_are_conserved(match: Match, rng: Random) -> None:
    """Every position contains the same things."""
    found = material(match.states[0])
    assert found
    assert all(count > 0 for count in found.values())
    for state in match.states:
        assert material(state) == found


def choices_lead_to_every_action(match: Match, rng: Random) -> None:
    """Each legal action has a path of choices of its own; no path is the beginning of another."""
    steps = [step.name for step in match.info.steps]
    assert len(set(steps)) == len(steps)
    assert all(_STEP.fullmatch(step) for step in steps)
    for state in match.states:
        paths: dict[tuple[str, ...], Any] = {}
        shown: dict[tuple[str, ...], Any] = {}
        for _, choices, action, values in movers_turn(state).moves:
            taken = [steps.index(choice.step) for choice in choices]
            assert taken == sorted(set(taken))
            for number, choice in enumerate(choices):
                assert 0 < len(choice.value) <= 20
                assert choice.value.isascii()
                assert 0 < len(choice.label) <= 60
                assert choice.seat is None or 0 <= choice.seat < match.header.players
                assert choice.place is None or choice.place.isascii()
                path = tuple(before.value for before in choices[: number + 1])
                assert shown.setdefault(path, choice) == choice
                assert paths.get(path) is None
            path = tuple(choice.value for choice in choices)
            assert values == path != ()
            assert not any(other[: len(path)] == path for other in paths)
            paths[path] = action


def observations_are_well_formed(match: Match, rng: Random) -> None:
    """An observation is a frozen value with the common facts right, and the last line as the viewer saw it."""
    for number, state in enumerate(match.states):
        for viewer in match.viewers:
            seen = state.observation(viewer)
            assert isinstance(seen, Observation)
            with pytest.raises(AttributeError):
                seen.players = 0  # type: ignore[misc]
            assert (seen.viewer, seen.players, seen.current_player) == (
                viewer,
                match.header.players,
                state.current_player,
            )
            assert seen.outcome == state.outcome()
            if number and match.lines[number - 1][0] != CHANCE:
                player, action = match.lines[number - 1]
                before = match.states[number - 1]
                done = action if state.is_terminal else before.seen_by(viewer, player, action)
                assert seen.last == Played(player, done)


def nothing_leaks(match: Match, rng: Random) -> None:
    """Whatever a viewer can't know can be redealt without any visible difference to them."""
    changed = False
    for ply in match.some_plies(rng, POSITIONS):
        state = match.states[ply]
        for viewer in match.viewers:
            seed = rng.random()
            other = state.resample_from_infostate(viewer, Random(seed))
            changed |= str(other) != str(state)
            true, possible = (seen_by(viewer, match, ply, each, Random(seed)) for each in (state, other))
            assert possible == true
            assert other.resample_from_infostate(viewer, Random(seed)) == other
            assert material(other) == material(state)
    assert changed or not match.info.hidden_information


def seen_by(viewer: int | None, match: Match, ply: int, state: State[Any], rng: Random) -> dict[str, Any]:
    """Everything shown or told to a viewer at ply `ply` if the position is `state`, as text, so that
    order counts too.
    """
    seen: dict[str, Any] = {
        "observation": repr(state.observation(viewer)),
        "lines": [repr(state.seen_by(viewer, player, action)) for player, action in match.lines[:ply]],
        "texts": [state.line_for(viewer, player, action) for player, action in match.lines[:ply]],
        "stage": state.stage,
        "forced": state.forced_action() is not None,
    }
    if viewer is None:
        return seen
    turn = state.turn(viewer)
    seen["legal"] = [state.action_to_string(action) for action in turn.legal]
    seen["choices"] = [(move.text, move.choices) for move in turn.moves]
    seen["refusals"] = [state.why_illegal(viewer, action) for action in strange_actions(match, rng)]
    seen["typed"] = [typed(turn, state.action_to_string(action)) for action in strange_actions(match, rng)]
    if viewer == state.current_player:
        seen["default"] = state.default_action()
    return seen


def typed(turn: Turn[Any], text: str) -> str:
    """The answer to a player who types `text`."""
    try:
        return turn.notation.action_to_string(turn.parse_action(text))
    except ActionError as error:
        return str(error)


def lines_tell_no_secret(match: Match, rng: Random) -> None:
    """Players see their own line in full. Draws that a viewer can't distinguish look and read the same to them."""
    for state, player, action, _ in match.moves():
        if player != CHANCE:
            assert state.seen_by(player, player, action) == action
            assert state.line_for(player, player, action) == state.action_to_string(action)
            continue
        draws = [action, *(state.sample_chance(rng) for _ in range(4))]
        for viewer in match.viewers:
            told: dict[str, tuple[str, str]] = {}
            for draw in draws:
                seen = repr(state.child(CHANCE, draw).observation(viewer))
                line = repr(state.seen_by(viewer, CHANCE, draw)), state.line_for(viewer, CHANCE, draw)
                assert told.setdefault(seen, line) == line


def what_is_hidden_cannot_be_played(match: Match, rng: Random) -> None:
    """A line that a viewer may not see in full is shown with ``?``, and what they see is no action.

    It holds no more than the text: lines with the same words look the same to them.
    """
    hidden, told = False, dict[tuple[int, str], str]()
    for state, player, action, _ in match.moves():
        for viewer in match.viewers:
            seen, text = state.seen_by(viewer, player, action), state.line_for(viewer, player, action)
            assert type(seen) is type(action)
            assert (HIDDEN in text) == (seen != action)
            assert told.setdefault((player, text), repr(seen)) == repr(seen)
            if seen == action:
                continue
            hidden = True
            assert state.why_illegal(player, seen) is not None
            with pytest.raises(InvalidAction):
                state.string_to_action(player, text)
    assert hidden == match.info.hidden_information


def what_could_be_can_be_played_on(match: Match, rng: Random) -> None:
    """From any position that a viewer considers possible the match goes on by the rules to an end."""
    for number in match.some_plies(rng, 3):
        state = match.states[number].resample_from_infostate(rng.choice(match.viewers), rng)
        held = material(state)
        while not state.is_terminal:
            player = state.current_player
            action = state.sample_chance(rng) if player == CHANCE else random_play(state, rng)
            state = state.apply_action(player, action)
            number += 1
            assert number <= match.info.max_game_length
        assert material(state) == held
        assert state.outcome() is not None


def actions_are_values(match: Match, rng: Random) -> None:
    """Actions can be compared and kept in sets, and different texts are different actions."""
    by_text = {match.states[0].action_to_string(action): action for _, action in match.lines}
    assert len(set(by_text.values())) == len(by_text)


def the_standing_goes_with_outcome_and_points(match: Match, rng: Random) -> None:
    """The winners share the first place or have it alone, more points never give a worse place, and no place is
    skipped.
    """
    end = match.states[-1]
    outcome, places = end.outcome(), end.standing()
    assert tuple(seat for seat, place in enumerate(places) if place == 1) == outcome.winners
    by_points = sorted(range(end.players), key=lambda seat: -end.returns()[seat])
    for better, worse in pairwise(by_points):
        assert end.returns()[better] == end.returns()[worse] or places[better] < places[worse]
    assert all(place == 1 + sum(other < place for other in places) for place in places)


def every_position_has_a_standing(match: Match, rng: Random) -> None:
    """Whenever a match is ended it has a ranking, and before the first move nobody is ahead."""
    first = next(state for state in match.states if state.current_player >= 0)
    assert set(first.standing()) == {1}
    for state in match.states:
        assert all(place == 1 + sum(other < place for other in state.standing()) for place in state.standing())


CHECKS: tuple[Check, ...] = (
    ends_in_time,
    only_the_player_to_move_may_act,
    chance_draws_what_it_may,
    positions_never_change,
    texts_are_canonical,
    typed_text_is_read_leniently,
    a_pasted_move_is_the_one_that_was_shown,
    the_case_that_was_typed_counts,
    a_log_replays,
    refusals_name_a_rule_and_change_nothing,
    cards_and_pieces_are_conserved,
    choices_lead_to_every_action,
    observations_are_well_formed,
    nothing_leaks,
    lines_tell_no_secret,
    what_is_hidden_cannot_be_played,
    what_could_be_can_be_played_on,
    actions_are_values,
    the_standing_goes_with_outcome_and_points,
    every_position_has_a_standing,
)
