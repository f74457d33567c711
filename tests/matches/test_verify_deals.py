"""`docs/verify_deals.py` alone, on what the host writes and on what a forger makes of it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from db import Database
from docs import verify_deals
from docs.verify_deals import Unreadable, troubles
from games import GAMES
from games.__main__ import main as replay
from matches.api import Host, Match, NewMatch, Once, SeatNumber
from matches.review import Reviews
from tests.matches.tables import CHANNEL, PEOPLE, lobby, play_on, raised
from tests.matches.test_witnessed import old

FILE = Path(verify_deals.__file__)


async def finished(host: Host, game: str, first: int = 1320) -> Match:
    """A finished match that people joined and left, with ids of their presses."""
    match = await host.lobby.open(NewMatch(game, CHANNEL, interaction_id=first), PEOPLE[0])
    people = GAMES[game].info.min_players
    for press, person in enumerate(PEOPLE[1:people], first + 1):
        if people > 2:
            await host.lobby.join(Once(match.id, 10 * press), person)
            await host.lobby.leave(Once(match.id, 10 * press + 1), person.user_id)
        match = await host.lobby.join(Once(match.id, press), person)
    if (await host.look.details(match.id)).started_at is None:
        match = await host.lobby.start(Once(match.id, first + 20), PEOPLE[0].user_id)
    return await play_on(host, match, Random(3))


def sum_of(text: str) -> str:
    return sha256(text.partition("\n")[2].encode()).hexdigest()


def found(text: str, told: str | None = None) -> list[str]:
    try:
        return list(troubles(text, told))
    except Unreadable as unreadable:
        return [str(unreadable)]


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The output of Python with only the files of this folder."""
    command = [sys.executable, "-I", FILE.name, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("game", GAMES)
async def test_the_one_file_alone_says_that_a_fair_match_was_fair(host: Host, tmp_path: Path, game: str) -> None:
    match = await finished(host, game)
    shutil.copy(FILE, tmp_path)
    log = tmp_path / "match.log"
    log.write_text(await host.look.exported(match.id), encoding="ascii")
    told = (await host.look.verify(match.id)).sum
    ran = alone(tmp_path, log.name, told)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Everything agrees")
    assert replay(["replay", str(log)]) == 0


@pytest.mark.parametrize("game", GAMES)
async def test_so_it_does_of_a_match_of_the_first_version(host: Host, database: Database, game: str) -> None:
    match = await play_on(host, await old(host, database, game, GAMES[game].info.min_players), Random(2))
    text = await host.look.exported(match.id)
    assert "\n# scheme=1\n" in text
    assert found(text) == []
    assert found(text.replace("# seed=", "# seed=0", 1)) != []


def clumsy(text: str) -> Iterator[str]:
    """The file with each of its lines changed, left out, doubled, or swapped with the next."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        before, after = "".join(lines[:number]), "".join(lines[number + 1 :])
        at = Random(number).choice([place for place, letter in enumerate(line) if letter.isalnum()])
        yield f"{before}{line[:at]}{'1' if line[at] != '1' else '2'}{line[at + 1 :]}{after}"
        yield before + after
        yield before + 2 * line + after
        if number + 1 < len(lines):
            yield before + lines[number + 1] + line + "".join(lines[number + 2 :])


@pytest.mark.parametrize("game", GAMES)
async def test_whatever_is_changed_in_a_file_is_found(host: Host, game: str) -> None:
    text = await host.look.exported((await finished(host, game)).id)
    assert found(text) == []
    for changed in clumsy(text):
        if changed != text:
            assert found(changed), changed[:400]


def cunning(text: str) -> Iterator[str]:
    """The file with one change after the other by somebody who knows its format."""
    for remark in ("match", "commitment", "seed"):
        at = text.index(f"# {remark}=") + len(remark) + 3
        yield f"{text[:at]}{'1' if text[at] != '1' else '2'}{text[at + 1 :]}"
    seats = re.search(r"# seats=(.+)", text)
    assert seats
    yield text.replace(seats[0], f"# seats={','.join(reversed(seats[1].split(',')))}")
    yield re.sub(r"# scheme=.", "# scheme=1", text)
    for line in re.findall(r"\n[0-9]+ c (.+)", text):
        dealt = re.split(r"([,/|])", line.partition(" ")[2])
        if len(dealt) == 1:
            yield text.replace(f" c {line}", f" c {line[:-1]}{1 - int(line[-1]) if line[-1] in '01' else 0}", 1)
            continue
        # Other cards in the same number of places, and the same ones in another order.
        yield text.replace(line, f"{line.partition(' ')[0]} {''.join([dealt[-1], *dealt[1:-1], dealt[0]])}", 1)
        yield text.replace(line, f"{line.partition(' ')[0]} {''.join([dealt[-1], *dealt[1:]])}", 1)


@pytest.mark.parametrize("game", GAMES)
async def test_a_forger_who_makes_the_sum_again_is_found_by_what_follows_from_the_seed(host: Host, game: str) -> None:
    text = await host.look.exported((await finished(host, game)).id)
    forgeries = [forged for forged in cunning(text) if forged != text]
    assert len(forgeries) > 5
    for forged in forgeries:
        forged = f"# sum={sum_of(forged)}\n{forged.partition(chr(10))[2]}"
        assert any("sum" not in trouble for trouble in found(forged)), forged[:600]


@pytest.mark.parametrize("game", GAMES)
async def test_a_forger_who_makes_everything_again_is_found_by_the_sum_that_was_told(host: Host, game: str) -> None:
    """Another match, fair in itself, instead of this one; or other presses, which may deal the same by chance."""
    match = await finished(host, game)
    text, told = await host.look.exported(match.id), (await host.look.verify(match.id)).sum
    presses = re.search(r"# presses=(.+)", text)
    assert presses
    other = text.replace(presses[0], presses[0] + "1")
    for forged in (other, await host.look.exported((await finished(host, game, 2320)).id)):
        forged = f"# sum={sum_of(forged)}\n{forged.partition(chr(10))[2]}"
        assert "This is not the file whose sum was told." in found(forged, told)
    assert found(text, told) == []


async def test_what_is_no_such_file_is_said_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.log"
    for content in (b"", b"nonsense", b"\xff\xfe", b"# sum=1\n", b"game gambo players=2 rules=1\n"):
        file.write_bytes(content)
        assert verify_deals.main([str(file)]) == 2
        assert len(capsys.readouterr().out.splitlines()) == 1
    assert verify_deals.main([str(tmp_path / "none.log")]) == 2
    assert verify_deals.main([]) == 2


async def test_a_sum_that_was_not_told_is_printed_to_be_compared(
    host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = await finished(host, "gambo")
    (tmp_path / "match.log").write_text(await host.look.exported(match.id), encoding="ascii")
    assert verify_deals.main([str(tmp_path / "match.log")]) == 0
    assert (await host.look.verify(match.id)).sum in capsys.readouterr().out


async def test_a_lobby_has_no_file(host: Host) -> None:
    match = await lobby(host, "gambo")
    await raised(Exception, host.look.exported(match.id), "until the match is over")


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_that_was_played_on_from_another_one_says_that_its_deals_are_not_sealed(
    host: Host, tmp_path: Path, game: str
) -> None:
    match = await finished(host, game)
    seat = next(seat for seat in match.seats if seat.user_id == PEOPLE[0].user_id)
    replay = await host.look.replay(match.id, PEOPLE[0].user_id)
    ply = next(ply for ply in replay.plies[len(replay.plies) // 3 :] if replay.can_play_on(ply))
    request = NewMatch(game, CHANNEL, interaction_id=5000)
    new = await host.part(Reviews).alone(match.id, ply, SeatNumber(seat.seat or 0), PEOPLE[0], "easy", request)
    new = await play_on(host, new, Random(3))
    text = await host.look.exported(new.id)
    assert found(text) == []
    shutil.copy(FILE, tmp_path)
    (tmp_path / "match.log").write_text(text)
    told = alone(tmp_path, "match.log")
    assert (told.returncode, "are not sealed" in told.stdout) == (0, True)
    forged = re.sub(
        r"branch ([0-9]+) [0-9a-f]", lambda line: f"branch {line[1]} {'1' if line[0][-1] == '0' else '0'}", text
    )
    assert "The seed of the branch does not follow from the seed." in found(forged)
    assert "The seats do not follow from the seed." in found(re.sub(r"# seats=.*", "# seats=9,8", text))
