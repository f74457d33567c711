"""``python -m games``: a random match, a replay, a hot seat, and the messages for mistakes."""

import io
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games import GAMES
from games.__main__ import main
from games.hotseat import describe, play
from games.log import initial_state, parse_header, parse_log, replay
from tests.conformance.matches import SETUPS, Setup, played
from tests.conformance.policies import random_play

ROOT = Path(__file__).parent.parent.parent


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one command."""
    status = main(arguments)
    written = capsys.readouterr()
    return status, written.out, written.err


@pytest.mark.parametrize("key", GAMES)
def test_random_prints_a_whole_match_that_replays(key: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    players = GAMES[key].info.max_players
    status, log, _ = run(capsys, "random", key, "--players", str(players), "--seed", "7")
    assert status == 0
    header, lines = parse_log(log)
    assert header.players == players
    *_, (_, last) = replay(header, lines)
    assert last.is_terminal
    file = tmp_path / "match.log"
    file.write_text(log)
    status, told, _ = run(capsys, "replay", str(file))
    assert status == 0
    assert told.startswith(f"{header}\n{len(lines)} lines, all correct.\nWon by seat")


def test_the_same_seed_gives_the_same_match_and_another_one_another(capsys: pytest.CaptureFixture[str]) -> None:
    key = next(iter(GAMES))
    first, same, other = (run(capsys, "random", key, "--seed", seed)[1] for seed in ("7", "7", "8"))
    assert first == same != other


def test_a_match_that_is_not_over_says_who_is_next(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "begun.log"
    file.write_text("game saboteur players=3 rules=1\n0 c roles DDD/S\n")
    assert "Not over: chance is next." in run(capsys, "replay", str(file))[1]


def test_a_line_that_breaks_the_rules_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "wrong.log"
    file.write_text("game saboteur players=3 rules=1\n0 c roles SSS/S\n")
    status, out, err = run(capsys, "replay", str(file))
    assert (status, out) == (2, "")
    assert err == "Line 0 (0 c roles SSS/S) can't be replayed: This couldn't have been drawn here.\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "game chess players=2 rules=1\n",
        "game saboteur players=11 rules=1\n",
        "game saboteur players=3 rules=99\n",
        "game saboteur players=3 colour=red rules=1\n",
        "game saboteur players=3 rules=1\n1 c roles DDD/S\n",
        "game saboteur players=3 rules=1\n0 x roles DDD/S\n",
        "game saboteur players=3 rules=1\n0 c nonsense\n",
        "game saboteur players=3 rules=1\n0 1 drop EW\n",
    ],
)
def test_a_file_that_is_no_log_gets_one_sentence(text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "some.log"
    file.write_text(text)
    one_sentence(run(capsys, "replay", str(file)))


def test_files_that_cannot_be_read_get_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff")
    for path in (tmp_path / "missing.log", tmp_path, picture):
        one_sentence(run(capsys, "replay", str(path)))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("dance",),
        ("random",),
        ("random", "chess"),
        ("random", "saboteur", "--players", "2"),
        ("random", "saboteur", "--players", "many"),
        ("random", "saboteur", "--option", "colour"),
        ("random", "saboteur", "--option", "colour=red"),
        ("random", "saboteur", "--colour", "red"),
        ("replay",),
        ("play", "chess"),
    ],
)
def test_a_command_that_cannot_be_carried_out_gets_one_sentence(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    one_sentence(run(capsys, *arguments))


def one_sentence(result: tuple[int, str, str]) -> None:
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err[0].isupper() or err[0] in "/“"
    assert "Traceback" not in err


def test_the_module_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "games", "random", "saboteur", "--players", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "Saboteur is for 3 to 10 players.\n")


class Typist:
    """Somebody who asks what is legal before every move and then types any of it. `screens` are what they were shown.

    A screen is (the seat that looked, what was printed), a new one whenever somebody else looks. Stops after `moves`.
    """

    def __init__(self, moves: int = 10**6) -> None:
        self.screens: list[tuple[int, list[str]]] = [(-1, [])]
        self.left = moves
        self.rng = Random(3)
        self.listed = False

    def ask(self, prompt: str) -> str:
        seat = int(re.findall(r"\d+", prompt)[0])
        if seat != self.screens[-1][0]:
            self.screens.append((seat, []))
        if not prompt.endswith("> "):
            return ""
        self.listed = not self.listed
        if self.listed:
            return "?"
        self.left -= 1
        return "quit" if self.left < 0 else self.rng.choice(self.screens[-1][1][-1].split("  "))

    def tell(self, text: str) -> None:
        self.screens[-1][1].append(text)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_whole_match_can_be_played_at_one_keyboard(setup: Setup) -> None:
    typist = Typist()
    end = play(initial_state(setup.header()), Random(0), typist.ask, typist.tell)
    assert end.is_terminal


def test_at_the_hot_seat_everybody_sees_only_their_own_secrets() -> None:
    typist = Typist(moves=60)
    end = play(initial_state(parse_header("game saboteur players=4 rules=1")), Random(5), typist.ask, typist.tell)
    roles = {seat: end.observation(seat).role for seat in range(4)}  # type: ignore[attr-defined]
    dropped = 0
    for seat, screen in typist.screens[1:]:
        text = "\n".join(screen)
        assert re.findall(r"^role: (.)$", text, re.MULTILINE)[-1:] == [roles[seat]]
        for dropper, card in re.findall(r"^\(seat (\d): drop (.*)\)$", text, re.MULTILINE):
            assert card == "?" or int(dropper) == seat
            dropped += 1
    assert dropped > 10


def test_help_lists_the_legal_moves_and_nonsense_is_answered() -> None:
    state = initial_state(parse_header("game saboteur players=3 rules=1"))
    told: list[str] = []
    answers = iter(["", "?", "nonsense", "", "quit"])
    end = play(state, Random(5), lambda prompt: next(answers), told.append)
    legal = [end.action_to_string(action) for action in end.legal_actions(end.current_player)]
    assert "  ".join(legal) in told
    assert any(line.startswith("I couldn't read “nonsense” as a move.") for line in told)
    assert next(answers, None) is None


def test_the_end_of_the_input_ends_the_program_quietly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    status, _, err = run(capsys, "play", "saboteur", "--seed", "1")
    assert (status, err) == (0, "")


def test_a_move_that_had_to_be_read_leniently_is_played_when_the_player_agrees(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("side north\nADV E1\nquit\n"))
    asked = run(capsys, "play", "gambo", "--seed", "1")[1]
    assert "I read that as adv E1. Press Enter to play it, or type another move." in asked
    assert "(seat 1: adv E1)" not in asked
    monkeypatch.setattr("sys.stdin", io.StringIO("side north\nADV E1\n\nquit\n"))
    assert "(seat 1: adv E1)" in run(capsys, "play", "gambo", "--seed", "1")[1]
    monkeypatch.setattr("sys.stdin", io.StringIO("side north\nADV E1\n`adv E2`.\n\nquit\n"))
    told = run(capsys, "play", "gambo", "--seed", "1")[1]
    assert "(seat 1: adv E2)" in told
    assert "(seat 1: adv E1)" not in told


def test_typing_quit_shows_how_it_stands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nquit\n"))
    status, out, _ = run(capsys, "play", "saboteur", "--seed", "1")
    assert status == 0
    assert "Not over: seat" in out


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_every_observation_can_be_told_in_plain_text(setup: Setup) -> None:
    match = played(setup, random_play, 3)
    for state in match.states[:: max(1, len(match.states) // 10)]:
        for viewer in match.viewers:
            text = describe(state.observation(viewer))
            assert text
            assert "object at 0x" not in text
