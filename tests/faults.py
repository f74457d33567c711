"""Thirty faults that a tired colleague could make, and which test notices each.

``python -m tests.faults [--room ROOM] [NAME ...]`` makes one fault after another in a temporary copy of the tree, runs
the tests in which to look for it, and takes it back. Exit status 1: a fault stays green, or more than five are found by
slow tests only, which `make test` leaves out.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[1]

ROOMS: Final = ("rules", "store", "table", "delivery", "press")
A_ROOM: Final = 6
MOST_SLOW: Final = 5
"""How many faults may be found by slow tests only."""

_LEFT_OUT: Final = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "failed-pictures")


class Fault(NamedTuple):
    """An edit of `file`: `old`, which occurs once there, becomes `new`. `tests` are looked through for it, in order."""

    room: str
    name: str
    file: str
    old: str
    new: str
    wrong: str
    tests: tuple[str, ...]


class Red(NamedTuple):
    """The first test that turned red."""

    slow: bool
    test: str


FAULTS_AS_TEXT: Final = """
rules gambo-tie games/gambo/state.py
- following = player
+ following = 1 - player
After a duel that leaves the totals equal, the wrong player is next (G8).
tests/games/gambo/test_rules.py

rules ambush-as-strong games/ambush/state.py
- captor.strength + board[far].strength > board[target].strength
+ captor.strength + board[far].strength >= board[target].strength
Two captors also take a stack that is exactly as strong as they are (B6).
tests/games/ambush/test_rules.py

rules saboteur-clockwise games/saboteur/gold.py
- (self.reached_by - step) % players
+ (self.reached_by + step) % players
The gold cards go round in the wrong direction, so other diggers choose first (S18).
tests/games/saboteur/test_ends.py

rules abissal-goal games/abissal/state.py
- if max(scores) >= GOAL[self.players]:
+ if max(scores) > GOAL[self.players]:
Somebody reaches the goal exactly, and the match goes on (D11).
tests/games/abissal/test_rules.py

rules ambagibus-foreign games/ambagibus/board.py
- else FOREIGN + _priority(face) for face
+ else _priority(face) for face
A card may be laid at another player's passage though an own one could be continued (A4).
tests/games/ambagibus/test_rules.py

rules abissal-forced-pass games/abissal/state.py
- return None if followers(unseen, self.strength
+ return None if followers(hand, self.strength
The program passes at once for whoever can't follow, so everybody learns something about a hand.
tests/games/abissal/test_rules.py

store cancelled-stored db/store/transactions.py
- caller.check()
+
A transaction whose caller was cancelled is committed nevertheless.
tests/db/test_database.py

store dead-process-keeps-rows db/matches/outbox.py
- freed = {"due": now, **leases.RELEASED}
+ freed = {"due": now}
After a restart nobody gets the messages that the dead process was sending, until its lease ends.
tests/matches/test_restarts.py

store pruned-untold db/matches/retention.py
- .where(~exists().where(_outbox.c.match_id == _matches.c.id))
+
Lines are deleted while the end of their match isn't announced yet, so it never is.
tests/matches/test_retention.py

store restore-uncounted db/matches/numbers.py
- for each in (connection, *replaced)) + 1))
+ for each in (connection, *replaced))))
After a restored backup the same cards are dealt once more, and somebody may know them.
tests/db/test_numbers.py

store gap-twice db/matches/gaps.py
- _matches.c.id > now.given
+ _matches.c.id >= now.given
A match gets the time of an outage back twice if it's the last of a page.
tests/matches/test_presence.py

store shorter-bar db/people/bars.py
- return dict(sorted((tuple(row) for row in rows), key=lambda row: row[1]))
+ return dict(tuple(row) for row in rows)
Somebody barred everywhere for good can join again when their shorter bar on a server is over.
tests/matches/test_operators.py

table half-decides matches/table/votes.py
- in people for ballot in match.ballots) > len(people)
+ in people for ballot in match.ballots) >= len(people)
Half of the others end a match, though more than half must agree.
tests/matches/test_votes.py

table witness-forgotten matches/table/absence.py
- .noted(f"person {seat.seat}").with_witness(seat)
+ .noted(f"person {seat.seat}")
Somebody whose seat was given away takes another one, and knows two hands.
tests/matches/test_absence.py

table early-reminder matches/table/turn.py
- match.turn_due - (1 - REMINDER) * match.pace.turn
+ match.turn_due - REMINDER * match.pace.turn
People are reminded after a fifth of their time, when most of it is left.
tests/matches/test_time.py

table unrung matches/work/difference.py
- return row._replace(rings=True) if rings else row
+ return row
A board that replaces an unsent one rings nobody, so its player never hears that it's their turn.
tests/matches/test_leases.py

table replaced-deadline matches/work/unit_of_work.py
- if deadlines.get(connection, match_id, claimed.kind) != claimed:
+ if deadlines.get(connection, match_id, claimed.kind) is None:
A deadline that was claimed before a move fires after it, and the next player's time is up at once.
tests/matches/test_time.py

table replay-reveals matches/host/look.py
- if everything and match.status is not Status.OVER:
+ if everything and match.status is Status.LOBBY:
The replay with all hands can be seen while the match is being played.
tests/matches/test_replay.py

delivery lease-runs-out matches/delivery/outbox.py
- if key in mine and end < now + lease / 2
+ if key in mine and end < now
A lease is renewed only when it's over, so another process sends the same message meanwhile.
tests/matches/test_leases.py

delivery refused-again-soon matches/host/scheduler.py
- *(SOON if error.soon else LATER)
+ *SOON
A message that Discord refuses is tried again every few seconds, for which Discord bars bots.
tests/matches/test_scheduler.py

delivery one-too-many matches/delivery/dms.py
- opened.all < limit
+ opened.all <= limit
The bot opens one more direct message than its budget allows, and Discord quarantines it.
tests/matches/test_rationing.py

delivery told-late matches/delivery/outbox.py
- if begins or late:
+ if begins:
A question that is posted late leaves its people less time for an answer.
tests/matches/test_presence.py

delivery silent-hand cogs/delivery/hands.py
- if not row.rings and seat.dm is not Dm.CLOSED
+ if seat.dm is not Dm.CLOSED
The direct message about a new turn is only edited, so it doesn't ring.
tests/cogs/test_settings.py

delivery same-nonce cogs/delivery/hands.py
- f"{row.id}-dm", silent=False
+ row.id, silent=False
A reminder by DM and its post have one nonce, so Discord drops the post as a duplicate.
tests/cogs/test_settings.py

press free-hints cogs/play/hint.py
- await host.thinking.note_hint(number, user, view.ply)
+
A hint costs nothing in a rated match.
tests/cogs/ratings/test_rated.py

press unescaped-name cogs/commands/finding.py
- others = [names.in_list(seat) for seat
+ others = [names.called(seat) for seat
A name with markdown or a mention in it is shown unescaped where somebody is asked which match they mean.
tests/cogs/test_which_match.py

press slow-answer-public cogs/press/reply.py
- response.defer(ephemeral=not promise.stays, thinking=True)
+ response.defer(thinking=True)
Whenever the machine is slow, everybody in the channel sees somebody's hand.
tests/cogs/test_acknowledging.py

press old-panel-plays cogs/play/panel.py
- (former or ref.verb != PLAY):
+ former:
A move picked in a panel of an earlier turn is played now.
tests/cogs/test_manners.py

press one-for-all cogs/press/one_at_a_time.py
- under_way, mine = press.bot.long_work, (press.person, what)
+ under_way, mine = press.bot.long_work, what
While one person waits for a hint, nobody else gets any.
tests/wire/test_crowding.py

press anybody-reads-bars cogs/commands/bars.py
- barred(await rights.moderated_server(press))
+ barred(rights.server(press))
Anybody can read whom the moderators of a server have barred.
tests/cogs/test_bars.py
"""
"""Each with its room, name, file, texts and tests, and with what would go wrong for people."""


def _read(paragraph: str) -> Fault:
    head, old, new, wrong, tests = paragraph.splitlines()
    room, name, file = head.split()
    assert old.startswith("- "), head
    assert new.startswith("+"), head
    return Fault(room, name, file, old[2:], new[2:], wrong, tuple(tests.split()))


FAULTS: Final = tuple(map(_read, FAULTS_AS_TEXT.strip().split("\n\n")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the faults that the arguments name, or all, and print what notices each."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Make faults, and see who notices.")
    parser.add_argument("--room", choices=ROOMS, help="only those of this room")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(fault.name for fault in FAULTS))
    given = parser.parse_args(arguments)
    if unknown := {*given.names} - {fault.name for fault in FAULTS}:
        parser.error(f"there's no fault {', '.join(sorted(unknown))}")
    names = given.names or [fault.name for fault in FAULTS]
    chosen = [fault for fault in FAULTS if fault.name in names and given.room in (None, fault.room)]
    found = list(_tried(chosen))
    quick = sum(red is not None and not red.slow for red in found)
    print(f"{len(found)} faults: {quick} found by `make test`, {len(found) - found.count(None)} by `make check`")
    return int(None in found or len(found) - quick > MOST_SLOW)


def _tried(faults: Sequence[Fault]) -> Iterator[Red | None]:
    """Print and yield for each fault the test that notices it, ``None`` if none does."""
    with TemporaryDirectory(prefix="ambit-faults-") as folder:
        copy = Path(folder, "tree")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        for fault in faults:
            path = copy / fault.file
            right = path.read_text("utf-8")
            assert right.count(fault.old) == 1, f"{fault.name} no longer fits {fault.file}"
            path.write_text(right.replace(fault.old, fault.new), "utf-8")
            red = _first_red(copy, fault.tests)
            path.write_text(right, "utf-8")
            if red is not None and _first_red(copy, [red.test]) is not None:
                raise SystemExit(f"{red.test} is red without {fault.name}, too.")
            told = f"STAYS GREEN: {fault.wrong}" if red is None else f"{'check' if red.slow else 'test'}  {red.test}"
            print(f"{fault.room:9}{fault.name:25}{told}", flush=True)
            yield red


def _first_red(copy: Path, tests: Sequence[str]) -> Red | None:
    """Run these tests, the slow ones last, until one turns red. Raises SystemExit if they can't be run."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "tests.faults", "-m", "not soak", *tests]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    if done.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"{' '.join(tests)} can't be run:\n{done.stdout}{done.stderr}")
    found = re.search(r"^RED (\w+) (.+)$", done.stdout, re.MULTILINE)
    return None if found is None else Red(found[1] == "slow", found[2])


# What pytest runs in the copy: this module is a plugin there.


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the slow tests come last, so that the first red test tells whether `make test` notices."""
    session.items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Tell which test is red, and whether it's slow."""
    if report.failed:
        print(f"\nRED {'slow' if 'slow' in report.keywords else 'quick'} {report.nodeid}")


if __name__ == "__main__":
    sys.exit(main())
