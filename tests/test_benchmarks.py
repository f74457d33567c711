"""The benchmarks' arithmetic, and what they print without a peer to measure against."""

import io
import itertools
import math
import random
import sys
from collections.abc import Callable, Collection, Sequence
from datetime import date, timedelta
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from benchmarks import (
    crowd,
    filling,
    growth,
    measured_bot,
    move_cost,
    odds,
    page,
    players,
    render,
    retelling,
    review,
    sequential,
    strength,
    thinking_cost,
)
from benchmarks.__main__ import BENCHMARKS, BY_GAME, main
from benchmarks.measure import NO_VERDICT, UNDER, Length, PeerMissing, Rates, Report, interleaved, middle, peer, ratio
from benchmarks.ratings.bank import STOCKS
from benchmarks.review import believing, figures
from benchmarks.strength import by_sides, other_commit, searching
from benchmarks.strength.rule_player import by_rules
from db import Database
from db.matches import queries
from db.model import schema
from games import GAMES, pages
from games.abissal.components import DECKS, mask_of
from games.core import HIDDEN
from games.odds import measured
from games.saboteur import SaboteurState
from games.saboteur.actions import Roles
from games.saboteur.board import survey
from games.saboteur.components import ROLES
from matches.analysis.progress import VERSIONS
from matches.api import Host, MatchId, NewMatch, Person, Status, UserId
from matches.computers.levels import Level
from matches.host.check import check
from tests.conformance.matches import SETUPS
from tests.matches.imagined import decisions
from tests.matches.test_computers_judgement import first_turn
from tests.pages import page as page_of
from tests.store import fresh_file, of_server


def test_ratios_are_taken_round_by_round_before_their_median() -> None:
    rates: Rates = {"ours": [(10.0, 1.0), (40.0, 1.0), (90.0, 1.0)], "peer": [(10.0, 2.0), (20.0, 2.0), (30.0, 2.0)]}
    assert middle(rates, "ours") == 40
    assert ratio(rates, "ours", "peer") == 2
    assert ratio(rates, "ours", "peer", 1) == 0.5


def test_a_row_under_its_floor_says_so_and_one_with_too_few_figures_says_that_it_has_no_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = Report(Length.QUICK)
    report.head("what", "found")
    report.row("a figure", "1", kept=True)
    report.row("too few", "2", kept=False, enough=False)
    assert report.kept
    report.row("too low", "3", kept=False)
    assert not report.kept
    assert [line.split("  ")[-1] for line in capsys.readouterr().out.splitlines()[2:]] == ["1", NO_VERDICT, UNDER]


def test_a_tiny_run_says_nothing_about_floors(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(Length.TINY)
    report.row("too low", kept=False)
    assert report.kept
    assert capsys.readouterr().out.rstrip().endswith(NO_VERDICT)


def test_subjects_take_turns_and_run_as_long_as_asked() -> None:
    calls = []

    def subject(name: str, seconds: float) -> Callable[[], tuple[tuple[int, ...], float]]:
        def work() -> tuple[tuple[int, ...], float]:
            calls.append(name)
            return (6,), seconds

        return work

    rates = interleaved({"slow": subject("slow", 2.0), "quick": subject("quick", 1.0)}, 2, 2.0)
    assert calls == ["slow", "quick", "slow", "quick", "quick", "slow", "quick", "quick"]
    assert rates == {"slow": [(3.0,), (3.0,)], "quick": [(6.0,), (6.0,)]}


def test_a_missing_peer_gets_a_sentence_that_says_what_to_do() -> None:
    with pytest.raises(
        PeerMissing, match=r"^This benchmark measures against nobody, which is not installed: `make bench`"
    ):
        peer("no_such_module", "nobody")


def test_a_plain_canvas_takes_the_place_of_every_one_that_a_game_makes() -> None:
    root = Path(render.__file__).parent.parent
    making = [path for key in GAMES for path in (root / "render" / key).glob("*.py") if " Canvas(" in path.read_text()]
    assert len(making) > len(GAMES)
    assert set(making) <= {Path(module.__file__ or "") for module in measured_bot.painters()}


def test_a_plain_canvas_shows_the_same_picture_as_ours() -> None:
    shot = render._middle(render._shots("gambo", GAMES["gambo"], random.Random(1)))[0]
    ours = shot.png()
    with render._plainly("gambo"):
        plain = shot.png()
    assert plain != ours
    assert Image.open(io.BytesIO(plain)).mode == "RGB"
    assert Image.open(io.BytesIO(plain)).tobytes() == Image.open(io.BytesIO(ours)).convert("RGB").tobytes()


async def test_a_file_is_filled_with_matches_that_go_on(tmp_path: Path) -> None:
    file = tmp_path / "many.db"
    several = len(GAMES)
    await filling.fill(file, several)
    await filling.copy_on(file, 2 * several + 2, several + 3)
    every = range(1, 2 * several + 3)
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        assert await check(database) == ()
        host = Host(database)
        games = [(await host.look.match(MatchId(number))).game for number in every]
        assert games == [*GAMES, *GAMES, *list(GAMES)[:2]]
        assert {row.match_id for row in await host.outbox.claim(timedelta(minutes=1))} == set(every[: several + 3])
        people = {seat.user_id for number in every for seat in (await host.look.match(MatchId(number))).seats}
    assert len(people) == sum(filling.players_of(number) for number in every)


async def test_the_large_store_has_everything_that_the_small_one_has_and_its_statistics_besides(tmp_path: Path) -> None:
    files = await growth.fill(tmp_path, finished=10 * len(GAMES), running=20)
    played = []
    for file in files:
        async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
            host = Host(database)
            assert await check(database) == ()
            guild = (await host.look.match(MatchId(1))).guild_id
            assert guild is not None
            played.append(sum(tally.played for tally in await host.archive.tally_in(guild)))
    assert played == [len(GAMES), 10 * len(GAMES)]


async def test_copies_of_open_matches_stand_each_in_a_place_of_their_own(tmp_path: Path) -> None:
    async with await Database.open(fresh_file(tmp_path / "growth.db")) as database:
        host = Host(database)
        for place in (1, 2, 3):
            await host.lobby.open(NewMatch("gambo", place), Person(UserId(place), "Ann"))
        await database.write(filling.copy, schema.matches, 3, 15, growth.STEPS)
        found = [
            [match.id for match in await host.look.matches_in(place)]
            for place in (2, 2 + 4 * growth.STEPS["channel_id"])
        ]
        assert found == [[2], [14]]
        assert len(await host.work.read_at_length(None, queries.match_ids, (Status.LOBBY,))) == 15


def test_figures_are_put_between_their_marks_and_nowhere_else(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("before\n<!-- times -->\nold\n<!-- end of times -->\nafter\n", "utf-8")
    for figure in ("1", "2"):
        page.write("times", [page.Block(("Text.",), "| game | figure |", [f"| Gambo | {figure} |"])], document=document)
    table = "Text.\n\n| game | figure |\n|---|---|\n| Gambo | 2 |"
    assert document.read_text("utf-8") == f"before\n<!-- times -->\n\n{table}\n\n<!-- end of times -->\nafter\n"


def test_a_run_over_some_games_leaves_the_figures_of_the_others(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("<!-- times --><!-- end of times -->", "utf-8")
    head, other = "| game | figure |", page.Block(("Beside it.",), "| what | figure |", ["| lag | 1 |"], by_game=False)
    page.write(
        "times", [page.Block((), head, ["| Ambush, 2 players | 1 |", "| Gambo | 1 |"]), other], document=document
    )
    again = [page.Block((), head, ["| Ambush, 2 players | 2 |", "| Ambush, 3 players | 2 |"])]
    page.write("times", again, ["ambush"], document)
    written = document.read_text("utf-8")
    assert "| Ambush, 2 players | 2 |\n| Ambush, 3 players | 2 |\n| Gambo | 1 |\n\nBeside it." in written
    assert written.count("|---|---|") == 2
    assert written.endswith("| lag | 1 |\n\n<!-- end of times -->")


def test_every_part_that_is_written_has_its_marks_in_the_page() -> None:
    text = page.DOCUMENT.read_text("utf-8")
    for part in ("results", "strength", "times"):
        assert text.count(f"<!-- {part} -->") == text.count(f"<!-- end of {part} -->") == 1
    text = review.DOCUMENT.read_text("utf-8")
    assert text.count("<!-- measured -->") == text.count("<!-- end of measured -->") == 1


def test_a_row_about_reviews_keeps_its_day_when_another_game_is_measured(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("<!-- measured -->\n<!-- end of measured -->\n", "utf-8")
    for game in ("ambush", "gambo"):
        found = figures.share(players.Table(game, 2), "told", 1, 2, 0.9)
        written = document.read_text("utf-8").replace(
            f"{date.today()}, version {VERSIONS['ambush']} |", "2020, version 1 |"
        )
        document.write_text(written, "utf-8")
        page.write("measured", [review.table([found])], [game], document)
    _, _, ambush, gambo = (line for line in document.read_text("utf-8").splitlines() if line.startswith("|"))
    assert ambush.endswith("| 2020, version 1 |")
    assert gambo.endswith(f"| {date.today()}, version {VERSIONS['gambo']} |")


def test_beliefs_are_compared_with_the_truth_by_whole_rounds() -> None:
    sure = [believing.Believed(((0.95, True), (0.05, False)) * 5)] * 20
    wrong = [believing.Believed(((0.95, False), (0.05, True)) * 5)] * 20
    assert sure[0].brier() == pytest.approx(0.0025)
    assert sure[0].brier(0.5) == 0.25
    assert sure[0].nats() == pytest.approx(-math.log(0.95))
    assert sure[0].nats(0.5) == pytest.approx(math.log(2))
    assert all(each.calibrated for each in believing.binned(sure))
    assert not any(each.calibrated for each in believing.binned(wrong))
    assert all(each.calibrated for each in believing.binned(wrong[:2])), "too few to tell"
    assert [len(believing.binned(each)) for each in (sure, sure[:1])] == [2, 2]
    table = players.Table("saboteur", 4)
    assert [figure.kept for figure in believing.of_rounds(table, "experts", sure)] == [True, True]
    assert [figure.kept for figure in believing.of_rounds(table, "experts", wrong)] == [False, False]


def test_in_saboteur_the_score_is_who_wins_more_rounds_on_both_sides() -> None:
    table = players.Table("saboteur", 3)
    task = players.Task(table, players.RANDOM, players.RANDOM, 1, 1.0, 1.0)
    assert players.score(task) in (0.0, 0.5, 1.0)
    digs = players.chooser(players.RANDOM, 1.0, random.Random(1))
    assert len(players.sides(task, digs, digs)) == 3


def test_more_deals_are_played_the_more_is_luck_and_in_saboteur_the_measured_level_alone_thinks_less() -> None:
    for table, deals, efforts in (
        (players.Table("gambo", 2), 5, (0.04, 0.04)),
        (players.Table("saboteur", 5), 15, (0.16, 1.0)),
        (players.Table("ambagibus", 2, "basic"), 15, (0.04, 0.04)),
        (players.Table("ambagibus", 4, "advanced"), 5, (0.04, 0.04)),
    ):
        pairing = players.pairings(table, Length.QUICK)[-1]
        tasks = pairing.tasks(table, 5)
        assert [task.deal for task in tasks] == list(range(deals))
        assert {(task.level, task.other, task.effort, task.others_effort) for task in tasks} == {
            (pairing.level, pairing.other, *efforts)
        }


def test_every_level_that_is_offered_plays_the_one_below_it() -> None:
    for table in (*players.TABLES, *players.SABOTEUR_TABLES):
        played = [(pairing.level, pairing.other) for pairing in players.pairings(table, Length.WHOLE)]
        assert [level for level, _ in played] == list(table.levels)
        assert [other for _, other in played] == [players.RANDOM, *table.levels[:-1]]
    assert players.Table("ambagibus", 2, "basic").levels == (Level.EASY, Level.EXPERT)


def test_the_longest_thoughts_are_measured_beside_the_usual_ones() -> None:
    found = thinking_cost.cost(players.Table("gambo", 2), Level.EASY, 30, 3)
    assert found.decisions == 30
    assert 0 < found.median <= found.longest
    assert 0 < found.last <= found.longest < 1
    asked = thinking_cost.questions(players.Table("gambo", 2), Level.EASY, 3)
    assert asked == thinking_cost.questions(players.Table("gambo", 2), Level.EASY, 3)
    assert all(len(each.position.legal_actions(each.position.current_player)) > 1 for each in asked)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (thinking_cost.Cost(150, 0.9, 1.4, 2.9), (True, "0.90 s | 1.40 s | 1.5 s | 2.90 s | 3 s |  |")),
        (thinking_cost.Cost(150, 0.9, 1.6, 2.9), (False, "0.90 s | 1.60 s | 1.5 s exceeded | 2.90 s | 3 s |  |")),
        (thinking_cost.Cost(150, 0.9, 1.4, 3.1), (False, "0.90 s | 1.40 s | 1.5 s | 3.10 s | 3 s | too late |")),
    ],
)
def test_what_is_too_long_or_too_late_is_told_so(found: thinking_cost.Cost, told: tuple[bool, str]) -> None:
    row, kept = thinking_cost._row(players.Table("gambo", 2), Level.EXPERT, found)
    assert (kept, row.removeprefix("| Gambo, 2 players | expert | 150 | ")) == told


# FOUND E13
def test_how_large_a_bot_gets_follows_from_what_a_move_costs() -> None:
    cost = {
        "requests": 1.5,
        "transactions": 8.0,
        "kB of pictures": 120.0,
        move_cost.PROCESSOR: 40.0,
        crowd.DRAWING: 25.0,
    }
    over = growth.Finished(moves=80.0, lines=90.0, seats=2.2, whole=7000.0, pruned=1500.0)
    _, capacity = move_cost._page({move_cost.BOTH: cost}, over)
    assert list(move_cost.MACHINES)[2:] == ["50 requests a second", "500 requests a second"]
    assert capacity.rows == [
        "| moves a second, half of each | 25 (processor) | 33 (Discord) | 33 (Discord) | 333 (Discord) |",
        "| moves a day | 720,000 | 960,000 | 960,000 | 9,600,000 |",
        "| people who play on a day | 36,000 | 48,000 | 48,000 | 480,000 |",
        "| servers, if 5 people play on each | 7,200 | 9,600 | 9,600 | 96,000 |",
        "| matches a day | 9,000 | 12,000 | 12,000 | 120,000 |",
        "| GB a day more in the database | 0.063 | 0.084 | 0.084 | 0.84 |",
        "| pictures sent, Mbit/s | 24 | 32 | 32 | 320 |",
        "| transactions a second | 200 | 270 | 270 | 2,700 |",
        "| processors at work | 1 | 1.3 | 1.3 | 13 |",
    ]
    # Drawing has a processor of its own, and everything else another.
    assert move_cost._limit(cost | {"requests": 1.0}, *move_cost.MACHINES["two processors"]) == (40.0, "processor")
    told = page_of("docs/scaling.md").marked("capacity").tables
    assert {title for title, *_ in told[1]} >= {line.split(" | ")[0].strip("| ") for line in capacity.rows}


async def test_what_people_notice_is_measured_with_a_real_host() -> None:
    times = await thinking_cost.waiting(0.3, 0)
    assert times.moves
    assert min(times.moves) > 0


def test_a_turn_is_later_by_how_much_the_same_question_takes_longer() -> None:
    turns = thinking_cost.Turns([1.0, 2.0, 0.1], [1.1, 2.6, 0.11], 10, 10)
    assert turns.times == pytest.approx(1.1)
    assert "exceeded" not in str(thinking_cost._later(turns))
    assert "1.2 times exceeded" in str(thinking_cost._later(turns._replace(reviewed=[1.3, 2.6, 0.11])))


async def test_a_computer_is_asked_the_same_while_reviews_wait() -> None:
    # With less work, the first review may be finished before the last question on a busy machine.
    turns = await thinking_cost.behind(3, 2, 0.1)
    assert len(turns.alone) == len(turns.reviewed) == 3
    assert turns.left == 2


NAMES = tuple(game.info.name for game in GAMES.values())
OF_HINTS = ("a board of people", "a computer's answering board", "answered of them meanwhile")
OF_RESULTS = ("Play elsewhere, p95 ms", "memory of the bot, MB", "seconds until the last has the file")
OF_WATCHED = ("a computer answers, p50", "a computer answers, p95", "answers", "moves a second of the others")
OF_PLEDGES = ("if they could all play together", "if nobody could play")
OF_GROWTH = ("matches_in with 100 open matches", "bytes of a finished match", "… whose moves were deleted")
OF_STARTS = ("no match", "20 open matches")
OF_MOVES = ("ours", "plain", "ours, times as good as plain", *move_cost.KINDS, move_cost.BOTH, *NAMES)
ROWS = {
    "host": (
        *OF_MOVES,
        *(
            "one match alone",
            f"{len(GAMES)} matches at work",
            "with 20 open matches",
            *OF_HINTS,
            *OF_RESULTS,
            *OF_WATCHED,
            *OF_PLEDGES,
            *OF_GROWTH,
            "what the bot keeps",
            *OF_STARTS,
        ),
    ),
    "memory": ("after 1 moves", "after 6 moves"),
    "moves": OF_MOVES,
    "odds": ("expert 5 ",),
    "players": ("| Gambo, 2 players | easy | random |", "| Saboteur, 3 players | easy |"),
    "ratings": (*(f"| {stock.table} | PlackettLuce |" for stock in STOCKS), "| 50 results from nothing, in a worker"),
    "retelling": tuple(map(str, retelling.TABLES)),
    "render": (*(f"{name}, largest" for name in NAMES), "at most", "nothing drawn", "drawing in a thread"),
    "review": (
        *(
            f"| Gambo, 2 players | {what}"
            for what in (
                "planted mistakes of 0.20",
                "planted mistakes of 0.15",
                "decisions of experts",
                "verdicts that",
                "quiet seconds",
            )
        ),
        *(
            f"| Saboteur, 3 players | odds of {mixture}{what} |"
            for mixture in believing.MIXTURES
            for what in ("", ": calibrated")
        ),
    ),
    "rules": ("tic-tac-toe", *NAMES, "python-chess, ply 30", "late Saboteur board"),
    "store": (*growth.COMMANDS, growth.TYPING, "ceilings"),
    "strength": (
        *("| Ambush, 2 players | expert | alpha-beta |", "| Ambiente Abissal, 2 players | expert | flat Monte Carlo |"),
        *("| Saboteur, 3 players | 1 |", "| diggers' path cards for nothing"),
        *("| Ambush, 2 players | normal |", "| Gambo, 2 players | normal |"),
    ),
    "taps": tuple(f"{key}, {kind}" for key in GAMES for kind in ("random", "easy")),
    "thinking": (
        "| Gambo, 2 players | easy |",
        "| Saboteur, 3 players | easy |",
        "| nobody thinks",
        "| 4 computers think",
        "| nothing else is done",
        "| 1 reviews wait",
    ),
}
"""By benchmark, the beginnings of its rows."""


class Peer:
    """A stand-in for a match of tic-tac-toe, and for one of chess: forty moves, always two to choose from."""

    legal_moves = (1, 2)

    def __init__(self) -> None:
        self.made = 0

    def ply(self) -> int:
        return self.made

    def push(self, _move: int) -> None:
        self.made += 1

    def is_terminal(self) -> bool:
        return self.made == 40

    def legal_actions(self) -> list[int]:
        return [*self.legal_moves]

    apply_action, is_game_over = push, is_terminal


EACH = sorted({*BENCHMARKS, *BY_GAME} - {"server"})
"""The benchmarks that need no PostgreSQL."""


@pytest.fixture
def _peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the libraries that only `make bench` installs."""
    for name, parts in (
        ("chess", {"Board": Peer}),
        ("open_spiel", {}),
        ("open_spiel.python.games.tic_tac_toe", {}),
        ("pyspiel", {"load_game": lambda _: SimpleNamespace(new_initial_state=Peer)}),
    ):
        module = ModuleType(name)
        vars(module).update(parts, __spec__=ModuleSpec(name, None))
        monkeypatch.setitem(sys.modules, name, module)


def missing(rows: Collection[str], told: str) -> list[str]:
    return [row for row in rows if not any(line.startswith(row) for line in told.splitlines())]


@pytest.mark.usefixtures("_peers")
@pytest.mark.parametrize(
    "name",
    # That of the host starts some twenty bots.
    [pytest.param(each, marks=pytest.mark.soak) if each == "host" else each for each in EACH],
)
def test_a_tiny_round_of_each_benchmark_prints_its_rows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--tiny"]) in (0, 1)
    assert missing(ROWS[name], capsys.readouterr().out) == []


@of_server
def test_a_tiny_round_of_the_benchmark_of_a_server_prints_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["server", "--tiny"]) == 0
    rows = (
        *("SQLite file", "PostgreSQL", "moves/s, PostgreSQL / file"),
        *("CPU of a move, PostgreSQL / file", "statements of a move, more"),
        *("0 ms more a round trip", "5 ms more a round trip", "round trips of a move", "moves/s, 5 ms more / none"),
        *OF_GROWTH,
    )
    assert missing(rows, capsys.readouterr().out) == []


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert "rules" in capsys.readouterr().err


def test_a_benchmark_that_is_not_about_single_games_cannot_be_confined_to_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["rules", "--only", "gambo"])
    assert "--only goes with players, review, strength, thinking" in capsys.readouterr().err


def test_a_goal_is_called_reached_or_missed_as_soon_as_the_scores_can_tell_and_not_before() -> None:
    assert sequential.decided([1.0] * (sequential.FEWEST - 1), 0.75) is None
    assert sequential.decided([1.0] * 20, 0.75) == "reached"
    assert sequential.decided([0.5] * 20, 0.75) == "missed"
    assert sequential.decided([0.75, 0.65] * 10, 0.75) is None
    assert sequential.decided([0.25, 0.75, 1.0, 0.5] * 30, 0.60) == "reached"


@pytest.mark.parametrize("alike", [0.6, 0.7])
def test_a_goal_that_is_just_reached_is_hardly_ever_called_missed(alike: float) -> None:
    """This part of the deals ends with one win for each player, as where the cards decide. Others have one winner."""
    rng, goal, missed = random.Random(1), 0.65, 0
    won = (1 - alike) / 2 + goal - 0.5

    def play(deals: list[int]) -> list[float]:
        return [0.5 if drawn < alike else float(drawn < alike + won) for drawn in (rng.random() for _ in deals)]

    for _ in range(400):
        missed += sequential.played(play, range(100), float, goal)[1] == sequential.MISSED
    assert missed / 400 < sequential.ERROR + 0.03


def test_deals_are_played_until_the_goal_is_decided_or_there_are_no_more() -> None:
    def all_end(score: float) -> Callable[[Sequence[int]], list[float]]:
        return lambda deals: [score] * len(deals)

    assert sequential.played(all_end(1.0), range(40), float, 0.75) == ([1.0] * 6, "reached")
    assert sequential.played(all_end(0.7), range(10), float, 0.75) == ([0.7] * 10, "undecided")
    assert sequential.played(all_end(0.0), range(4), float, 0.0) == ([0.0] * 4, "")


def test_an_interval_decides_about_a_goal_from_a_hundred_deals_on() -> None:
    scores = [0.5, 0.75] * 50
    assert sequential.interval(scores) == ("0.62", "0.60-0.65")
    for goal, found in ((0.59, "reached"), (0.64, "undecided"), (0.66, "missed"), (0.0, "")):
        assert sequential.verdict(scores, goal) == found
        assert sequential.verdict(scores[1:], goal) == ("undecided" if goal else "")


def test_experts_play_flat_monte_carlo_with_more_work_too_in_a_whole_run() -> None:
    rows = [trial for trial in strength.trials(strength.FEW, whole=True) if trial.effort == strength.MORE]
    assert {(trial.table.game, trial.against) for trial in rows} == {
        ("abissal", strength.FLAT),
        ("ambagibus", strength.FLAT),
    }
    assert all(trial.goal for trial in rows)
    assert all(trial.effort < strength.MORE for trial in strength.trials(strength.FEW, whole=False) if trial.goal)


def test_flat_monte_carlo_goes_out_where_it_can() -> None:
    state = players.Table("abissal", 2).start()
    mine, theirs, aside = map(mask_of, (["Y2", "Y1"], ["O2", "Y3", "T4"], ["B4", "B3", "T1"]))
    gone = DECKS[2] & ~mine & ~theirs & ~aside
    last = state.evolve(hands=(mine, theirs), aside=aside, gone=gone, leader=0, current_player=0)
    for seed in range(5):
        chosen = strength.YARDSTICKS[strength.FLAT](last, 0, [], 0.01, random.Random(seed))
        assert last.action_to_string(chosen) == "Y2+Y1"


@pytest.mark.parametrize("game", ["ambush", "gambo"])
def test_the_yardstick_plays_a_match_to_its_end(game: str) -> None:
    trial = strength.Trial(players.Table(game, 2), Level.EASY, 0.02)
    assert strength.score(strength.Deal(trial, 1)) in (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(("table", "against"), [(table, against) for table, against, _ in strength.GOALS[2:]], ids=str)
def test_the_yardsticks_of_the_hidden_games_play_a_match_to_its_end(table: players.Table, against: str) -> None:
    trial = strength.Trial(table, Level.EXPERT, 0.0005, 0.0, against)
    assert 0.0 <= strength.score(strength.Deal(trial, 1)) <= 1.0


@pytest.mark.soak
@pytest.mark.parametrize(("table", "against", "goal"), strength.GOALS, ids=str)
def test_an_expert_who_thinks_as_in_a_match_does_not_miss_its_goal(
    table: players.Table, against: str, goal: float
) -> None:
    """Plays thirty deals with all the work of a match, or fewer if the verdict is clear before.

    The benchmark's tables give experts a small part of that work.
    """
    trial = strength.Trial(table, Level.EXPERT, 1.0, goal, against)
    deals = [strength.Deal(trial, number) for number in range(30)]
    results, verdict = sequential.played(lambda some: map(strength.score, some), deals, float, goal)
    assert verdict != "missed", results


@pytest.mark.soak
@pytest.mark.parametrize("table", players.SABOTEUR_TABLES, ids=str)
def test_experts_at_saboteur_who_think_as_in_a_match_dig_and_sabotage_as_well_as_rules(table: players.Table) -> None:
    deals = itertools.islice(by_sides.deals(table, 1.0), sequential.ENOUGH)
    three = [by_sides.Won(*itertools.islice(by_sides.rounds(deal), 3)) for deal in deals]
    digging, sabotaging = by_sides.advantages(three)
    assert sequential.MISSED not in by_sides.verdicts(digging, sabotaging), (digging, sabotaging)


@pytest.mark.parametrize("key", ["abissal", "ambagibus", "saboteur"])
def test_a_yardstick_goes_by_what_its_seat_may_know(key: str) -> None:
    """It chooses the same in positions that look alike to its seat. Flat Monte Carlo redraws what it can't know."""
    setup = next(setup for setup in SETUPS if (setup.key, setup.players) in {("saboteur", 5), (key, 2)})
    for state, log in list(decisions(setup, 3))[::7]:
        player, lines = state.current_player, [*log]
        other = state.resample_from_infostate(player, random.Random(5))
        seen = [(who, state.seen_by(player, who, action)) for who, action in lines]
        yardsticks = [strength.YARDSTICKS[against] for table, against, _ in strength.GOALS if table.game == key]
        for yardstick in yardsticks or [lambda state, player, lines, _, rng: by_rules(state, player, lines, rng)]:
            chosen = [yardstick(each, player, seen, 0.0, random.Random(1)) for each in (state, other)]
            assert chosen[0] == chosen[1]


def saboteur_turn(role: str, hand: tuple[str, ...], **changes: Any) -> SaboteurState:
    """A position in which it is the turn of seat 0 of five, with this role and this hand."""
    return first_turn().evolve(roles=f"{role}SDDSD", goals=("NE", "T", "NW"), hands=(hand, *[()] * 4), **changes)


@pytest.mark.parametrize(
    ("hand", "lines", "chosen"),
    [
        (("NES", "NS"), (), "NES@3,1"),
        (("-P", "NES"), ("-P>2",), "-P>1"),
        (("-P", "NES"), (), "NES@3,1"),
        (("NS", "+P", "rock"), (), "rock@4,0"),
        (("NS", "+P", "ne"), (), "drop ne"),
        (("EW", "NS"), (), "drop NS"),
    ],
)
def test_the_yardstick_of_saboteur_digs_around_obstacles_stops_attackers_and_wastes_nothing(
    hand: tuple[str, ...], lines: tuple[str, ...], chosen: str
) -> None:
    walled = survey({(0, 0): "NESW", (1, 0): "EW", (2, 0): "EW", (3, 0): "NEW", (4, 0): "ew"})
    state = saboteur_turn("D", hand, maze=walled, seen=(0, 1, 0))
    said = [(-1, Roles(HIDDEN)), *((1, state.string_to_action(1, text)) for text in lines)]
    assert state.action_to_string(by_rules(state, 0, said, random.Random(1))) == chosen


def test_the_table_by_sides_says_who_digs_and_sabotages_better(capsys: pytest.CaptureFixture[str]) -> None:
    found = [by_sides.Won(0.7, 0.6, 0.5, 0.4, 0.6, 0.5), by_sides.Won(0.6, 0.5, 0.6, 0.4, 0.6, 0.5)] * 50
    tables = players.SABOTEUR_TABLES[:1]
    (block, bluffing), kept = by_sides.table(lambda _, matches: found[: len(matches)], 0.05, 100, tables)
    assert not kept
    assert block.rows == [
        "| Saboteur, 3 players | 100 | 0.65 | 0.55 | 0.55 | 0.40 "
        "| -0.10 (-0.10 to -0.10) | missed | +0.10 (+0.08 to +0.12) | reached |"
    ]
    assert bluffing.rows == [
        "| against experts | +0.20 (+0.20 to +0.20) | +0.20 (+0.20 to +0.20) |",
        "| against rules | -0.05 (-0.06 to -0.04) | -0.05 (-0.06 to -0.04) |",
    ]


def test_a_deal_by_sides_has_a_saboteur_and_is_played_by_both_on_both_sides() -> None:
    found = list(itertools.islice(by_sides.deals(players.SABOTEUR_TABLES[0], 0.0005), 12))
    # With three players a quarter of the rounds has no saboteur.
    assert [deal.number for deal in found] != list(range(12))
    results = [by_sides.won(deal) for deal in found[:4]]
    assert {side for result in results for side in result} == {0.0, 1.0}
    assert results[0] == by_sides.won(found[0])


NOBODY, SABOTEURS = searching.Won(0, 0, 0, 0, 0, 0), searching.Won(0, 1, 1, 1, 0, 1)
"""A deal that ends alike in all ways, and one in which only experts sabotage well, and the rules' diggers win."""


def test_a_table_says_how_much_more_experts_win_than_those_that_searched() -> None:
    rows, kept = searching.compared([[NOBODY, SABOTEURS] * 50, [SABOTEURS] * 100])
    assert kept
    assert rows[0] == (
        "| saboteurs, against experts | +0.50 (+0.40 to +0.60) | +1.00 (+1.00 to +1.00) | +0.750 (+0.690 to +0.810) "
        "| reached |"
    )
    found = [row.split(" | ")[3].split()[0] for row in rows]
    assert found == ["+0.750", "+0.000", "+0.750", "+0.000", "+0.000"]


def test_experts_miss_a_goal_if_saboteurs_win_little_more_than_those_that_searched_or_a_side_wins_less() -> None:
    poor_diggers = SABOTEURS._replace(searching_expert=1)
    assert searching.compared([[NOBODY] * 190 + [SABOTEURS] * 10])[1]
    assert not searching.compared([[NOBODY] * 191 + [SABOTEURS] * 9])[1]
    assert not searching.compared([[poor_diggers] * 100])[1]


def test_an_expert_from_the_code_of_another_commit_plays_as_it_does_there() -> None:
    table, effort = players.SABOTEUR_TABLES[0], 0.05
    for elsewhere in (other_commit.Expert(other_commit.HERE, table, effort, "a seed") for _ in range(2)):
        here = players.chooser(Level.EXPERT, effort, random.Random("a seed"))
        ends = [list(players.positions(table, 1, lambda *_, by=player: by))[-1] for player in (here, elsewhere)]
        assert ends[0] == ends[1]


def test_a_commit_that_a_clone_does_not_have_is_named() -> None:
    with pytest.raises(PeerMissing, match="no-such-commit"), other_commit.code_of("no-such-commit"):
        pass


def test_whoever_does_not_look_one_line_ahead_overlooks_a_capture_and_what_is_captured_next() -> None:
    state = players.Table("ambush", 2).start()
    for player, text in ((-1, "first 0"), (0, "SB2"), (1, "SC2"), (0, "SA6"), (1, "SF6")):
        state = state.child(player, state.string_to_action(player, text))
    worth = {
        state.action_to_string(action): strength.mistakes.ahead(state, action) for action in state.legal_actions(0)
    }
    assert max(worth.values()) > 0 > min(worth.values())
    assert worth["SD2"] == max(worth.values())


def test_what_was_overlooked_in_a_match_is_counted_for_both() -> None:
    found = strength.mistakes.mistakes(strength.mistakes.Match(players.Table("gambo", 2), 1, 0, Level.NORMAL, 0.01))
    assert found.lost == (found.margin >= 0)
    assert min(found.overlooked, found.by_the_other) > 0
    assert found.thrown == 0


def test_the_yardstick_takes_a_capture_that_costs_nothing_and_sees_one_coming() -> None:
    state = players.Table("ambush", 2).start()
    for player, text in ((-1, "first 0"), (0, "SB2"), (1, "SC2"), (0, "SA6"), (1, "SF6")):
        state = state.child(player, state.string_to_action(player, text))
    action = strength.plain_alphabeta.Yardstick(state, 0.5, random.Random(1)).choose()
    assert state.child(0, action).returns() == (1.0, 0.0)


def test_how_often_gold_diggers_win_is_told_everywhere_as_it_was_measured() -> None:
    rows = measured("saboteur")
    assert [(each.level, each.players) for each in rows] == list(itertools.product(odds.ROUNDS, ROLES))
    for each in rows:
        assert each.rounds >= odds.ROUNDS[Level(each.level)]
        ends = figures.wilson(round(each.won * each.rounds), each.rounds)
        assert (each.low, each.high) == pytest.approx(ends, abs=0.002)
        assert f"{each.level} {each.won:.0%} ({each.low:.0%} to {each.high:.0%})" in pages.page("saboteur")
    assert str(odds.of_sides(rows)) in page_of("docs/computer-players.md").source
    assert str(odds.of_roles(rows)) in page_of("docs/ratings.md").source
