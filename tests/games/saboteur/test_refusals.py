"""Every rule of Saboteur that can refuse something does so by its number, without revealing a secret."""

from random import Random

import pytest

from games.core import CHANCE, IllegalAction
from games.saboteur import SaboteurState
from games.saboteur.actions import PASS, Action, Break, Dig, First, Repair, Take
from games.saboteur.gold import Round
from tests.games.lines import play, refusal
from tests.games.saboteur.positions import TUNNEL, position

OVER = play(position("*", "n", "", "", decided=(Round("S", "DDDS", paid=((), (), ())),) * 2), "0 drop n")
SHARING = play(position(TUNNEL, "EW"), "0 EW@7,0", "c gold 1,1,2")


@pytest.mark.parametrize(
    ("rule", "state", "text"),
    [
        ("S5", position("*", "n"), "pass"),
        ("S5", position("*", "n"), "drop EW"),
        ("S5", position("*", "n"), "map@8,0"),
        ("S5", position("*", ""), "drop n"),
        ("S6", position("*", "EW"), "EW@0,0"),
        ("S6", position("*", "EW"), "EW@8,2"),
        ("S6", position("*", "EW"), "EW@5,5"),
        ("S6", position("*", "NS"), "NS@1,0"),
        ("S6", position("*", "NESW e"), "e@0,1"),
        ("S7", position("* ew", "EW"), "EW@2,0"),
        ("S7", position("* EW", "EW"), "EW@1,-1"),
        ("S8", position("*", "EW", broken="W0"), "EW@1,0"),
        ("S9", position("*", "-P", broken="P2"), "-P>2"),
        ("S9", position("*", "-P"), "-P>3"),
        ("S10", position("*", "+P", broken="L2"), "+P>2"),
        ("S10", position("*", "+P"), "+P>9"),
        ("S10", position("*", "+PL", broken="L2"), "+PL>2:P"),
        ("S11", position("*", "rock"), "rock@0,0"),
        ("S11", position("*", "rock"), "rock@8,-2"),
        ("S11", position("*", "rock"), "rock@1,0"),
        ("S12", position("*", "map"), "map@0,0"),
        ("S12", position(f"{TUNNEL} EW SW", "map"), "map@8,0"),
        ("S18", position("*", "n"), "take 1"),
        ("S18", SHARING, "take 3"),
        ("S18", SHARING, "drop n"),
        ("S18", SHARING, "pass"),
    ],
)
def test_each_rule_refuses_by_name(rule: str, state: SaboteurState, text: str) -> None:
    before = repr(state)
    reason = refusal(state, text)
    assert reason.startswith(f"{rule}: ")
    assert reason.endswith(".")
    with pytest.raises(IllegalAction, match=f"^{rule}: "):
        state.apply_action(state.current_player, state.string_to_action(state.current_player, text))
    assert repr(state) == before


def test_turn_and_end_are_refused_by_rule_too() -> None:
    assert str(position().why_illegal(1, PASS)) == "S5: It's not your turn."
    assert str(OVER.why_illegal(1, PASS)) == "S21: The match is over."


STRANGE = (Dig("ESWN", (1, 0)), First(0), Repair("+P", 0, "L"), Break("P", -1), Take(7))


@pytest.mark.parametrize("action", STRANGE, ids=lambda action: action.kind)
def test_an_action_that_no_text_can_mean_is_refused_too(action: Action) -> None:
    reason = position("*", "+P -P EW").why_illegal(0, action)
    assert reason is not None
    assert reason.rule in ("S5", "S9", "S10", "S18")


def test_what_is_not_due_is_not_drawn() -> None:
    state = position()
    assert not state.check_chance(First(0))
    assert str(SHARING.why_illegal(CHANCE, First(0))) == "S5: It's not your turn."
    with pytest.raises(ValueError, match="nothing to draw"):
        state.sample_chance(Random(0))


def test_a_refusal_does_not_tell_what_a_face_down_card_is() -> None:
    for goals in ("NW,T,NE", "NE,NW,T", "T,NE,NW"):
        state = position(TUNNEL, "EW rock map", goals=goals)
        assert refusal(state, "EW@8,0") == "S6: There is a finish card there."
        assert refusal(state, "rock@8,0") == "S11: A rock-fall can't remove the ladder or a finish card."
