"""The panel's pages as a person gets them, in matches of random players: what can be pressed, and where it leads."""

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.play import panel
from cogs.play.panel_pages import PADDING, PHONE
from cogs.play.panel_steps import position
from cogs.post import pictures
from cogs.text import names, words
from db import Database
from games import GAMES
from games.core import Observation
from matches.api import Host, NewMatch, Person, Status, UserId, View
from tests.store import fresh

PEOPLE = tuple(Person(UserId(1000 + number), f"Person {number}") for number in range(10))
MOVES = 40
"""How many turns of a match are looked at."""


async def turns(
    path: Path, game: str, players: int, seed: int = 1, most: int = MOVES
) -> AsyncIterator[tuple[Host, View]]:
    """The host and what the player whose turn it is sees, turn after turn, while all play at random."""
    rng = random.Random(seed)
    async with await Database.open(fresh(path / "panel.db")) as database:
        host = Host(database, entropy=rng.randbytes)
        match = await host.lobby.open(NewMatch(game=game, channel_id=1), PEOPLE[0])
        for person in PEOPLE[1:players]:
            match = await host.lobby.join(match.id, person)
        if match.status is Status.LOBBY:
            match = await host.lobby.start(match.id, PEOPLE[0].user_id)
        for _ in range(most):
            if match.mover is None or match.mover.user_id is None:
                return
            view = await host.look.view(match, match.mover.user_id)
            yield host, view
            match = await host.play.act(match.id, match.mover.user_id, rng.choice(view.moves).text)


async def evenings(path: Path, game: str, players: int) -> AsyncIterator[tuple[Host, View]]:
    """The turns of several matches."""
    for seed in range(3):
        (folder := path / str(seed)).mkdir()
        async for host, view in turns(folder, game, players, seed):
            yield host, view


def moves_behind(view: View, path: tuple[str, ...] = ()) -> set[str]:
    """The moves to which the entries of a page lead, and those of the pages behind it."""
    here = position(view, path)
    if here.move is None:
        return {text for entry in here.entries for text in moves_behind(view, entry.path)}
    others = [position(view, entry.path) for entry in here.turned]
    return {here.move.text, *(other.move.text for other in others if other is not None and other.move is not None)}


def ways_back(view: View, path: tuple[str, ...] = ()) -> None:
    """Check that Back leads from each page to the one on which it was picked."""
    here = position(view, path)
    for entry in here.entries:
        ahead = position(view, entry.path)
        assert ahead.back == here.path
        ways_back(view, entry.path)


def rows(items: list[Any]) -> dict[int, list[discord.ui.Button[Any]]]:
    found: dict[int, list[discord.ui.Button[Any]]] = {}
    for item in items:
        if isinstance(item, discord.ui.Button) and item.row is not None:
            found.setdefault(item.row, []).append(item)
    return found


def lines_on_a_phone(shown: dict[int, list[discord.ui.Button[Any]]]) -> int:
    """How many lines these rows of buttons take if a line has `PHONE` letters. A button adds `PADDING` to its label."""
    lines = 0
    for _, row in sorted(shown.items()):
        left = 0
        for button in row:
            needed = len(str(button.label)) + PADDING
            lines, left = (lines, left) if needed <= left else (lines + 1, PHONE)
            left -= needed
    return lines


@pytest.mark.parametrize(("game", "players"), [(game, entry.info.min_players) for game, entry in GAMES.items()])
async def test_every_legal_move_and_no_other_is_behind_the_panel(tmp_path: Path, game: str, players: int) -> None:
    async for _, view in turns(tmp_path, game, players):
        assert moves_behind(view) == {move.text for move in view.moves}
        ways_back(view)


LARGEST = [(game, entry.info.max_players) for game, entry in GAMES.items()]


@pytest.mark.parametrize(("game", "players"), LARGEST)
async def test_up_to_twenty_choices_are_buttons_in_rows_and_more_are_a_menu(
    tmp_path: Path, game: str, players: int
) -> None:
    seen = 0
    async for host, view in evenings(tmp_path, game, players):
        place = position(view, ())
        while place is not None and place.move is None:
            message = await panel.page(host, view, place.path, 0)
            items = message.view.children
            menus = [item for item in items if isinstance(item, discord.ui.Select)]
            assert bool(menus) == (len(place.entries) > 20)
            if not menus:
                shown = rows(items)
                in_order = [button.label for row in sorted(shown) for button in shown[row]]
                apart = ["Hint", *(["Back"] if place.back is not None else [])]
                assert in_order == [entry.label for entry in place.entries] + apart
                assert len(shown[max(shown)]) == len(apart)
                assert all(len(row) <= 5 for row in shown.values())
                seen += 1
            place = position(view, place.entries[view.ply % len(place.entries)].path)
    assert seen, "no page had buttons"


async def test_how_a_card_is_turned_is_not_asked_but_changed_at_the_last_look(tmp_path: Path) -> None:
    turned = set()
    async for host, view in evenings(tmp_path, "ambagibus", 4):
        for move in view.moves:
            if not view.match.info.steps[-1].turns or move.choices[-1].step != view.match.info.steps[-1].name:
                continue
            here = position(view, tuple(choice.value for choice in move.choices[:-1]))
            assert here.move is not None, "the panel asks which way round"
            ways = {each.text for each in view.moves if each.choices[:-1] == move.choices[:-1]}
            message = await panel.page(host, view, here.path, 0)
            labels = [item.label or "" for item in message.view.children if isinstance(item, discord.ui.Button)]
            turning = [label for label in labels if label.startswith("Turn")]
            assert turning == ["Turn"] * (len(ways) > 1)
            turned.add(len(ways))
            # **Turn** goes round: as many taps as there are ways lead back.
            found = set()
            while here.move is not None and here.move.text not in found:
                found.add(here.move.text)
                here = position(view, here.turned[0].path) if here.turned else here
                assert here is not None
            assert found == ways
    assert {2, 3} <= turned


@pytest.mark.parametrize(("game", "players"), [("ambush", 2), ("gambo", 2), ("ambagibus", 4), ("saboteur", 3)])
async def test_at_the_last_look_it_is_still_the_movers_turn(
    tmp_path: Path, game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Observation] = []
    board = pictures.board

    async def noted(view: View, *marks: Any) -> discord.File:
        looked.append(view.observation)
        return await board(view, *marks)

    monkeypatch.setattr(pictures, "board", noted)
    async for host, view in turns(tmp_path, game, players, 3):
        if len(looked) == 4:
            break
        move = next((move for move in view.moves if any(choice.place for choice in move.choices)), view.moves[0])
        message = await panel.page(host, view, tuple(choice.value for choice in move.choices), 0)
        if looked:
            seen = looked[-1]
            assert "\n" not in message.content, "the move is said once"
            assert seen.outcome is None
            assert (seen.viewer, seen.current_player) == (view.seat, view.seat)
            name = names.plain_people(view.match)[view.seat or 0]
            assert f"It’s {name}’s turn." in (message.pictures[0].description or "")
    assert len(looked) == 4


async def test_what_gives_a_card_up_stands_last_in_a_row_of_its_own(tmp_path: Path) -> None:
    seen = 0
    async for host, view in evenings(tmp_path, "saboteur", 3):
        for card in {move.choices[0].value for move in view.moves}:
            here = position(view, (card,))
            if here is None or here.move is not None or len(here.entries) > 20:
                continue
            assert here.entries[-1].label == "Discard it face down"
            message = await panel.page(host, view, here.path, 0)
            shown = rows(message.view.children)
            assert ["Discard it face down"] in [[button.label for button in row] for row in shown.values()]
            seen += 1
    assert seen, "nothing could be discarded"


async def test_the_own_name_says_that_it_is_you(tmp_path: Path) -> None:
    seen = 0
    async for _, view in evenings(tmp_path, "saboteur", 3):
        for move in view.moves:
            here = position(view, tuple(choice.value for choice in move.choices[:1]))
            for entry in () if here is None else here.entries:
                own = view.seat is not None and view.match.seat_names[view.seat] in entry.label
                assert ("(you)" in entry.label) == own
                seen += own
    assert seen, "nobody could name themselves"


async def test_singles_and_pairs_stand_beside_each_other_and_pass_apart(tmp_path: Path) -> None:
    passes = pairs = 0
    async for _, view in evenings(tmp_path, "abissal", 2):
        here = position(view, ())
        if here.move is not None or len(view.moves) > 20:
            continue
        assert len(here.entries) == len(view.moves)
        pairs += any(entry.label.startswith("Pair: ") and " + " in entry.label for entry in here.entries)
        assert here.question == "Your move?"
        passes += here.entries[-1].label == "Pass"
        assert "Pass" not in [entry.label for entry in here.entries[:-1]]
    assert passes
    assert pairs


async def test_whole_moves_in_words_are_at_most_eight_and_else_pieces_are_numbered(tmp_path: Path) -> None:
    in_words = numbered = 0
    async for _, view in evenings(tmp_path, "gambo", 2):
        assert len({move.text for move in view.moves}) == len(view.moves), "a swap is offered in both orders"
        here = position(view, ())
        if here.question == "Your move?":
            assert len(here.entries) == len(view.moves) <= 8
            assert not here.marks
            in_words += 1
        elif len(view.moves) > 8:
            assert len(here.marks) == len({move.choices[0].place for move in view.moves})
            numbered += 1
    assert in_words
    assert numbered


@pytest.mark.parametrize(("game", "entries", "lines"), [("gambo", 8, 7), ("ambush", 16, 9)])
async def test_a_long_list_of_choices_is_few_lines_of_buttons_on_a_phone(
    tmp_path: Path, game: str, entries: int, lines: int
) -> None:
    longest = most = 0
    async for host, view in turns(tmp_path, game, 2):
        pieces = [(move.choices[0].value,) for move in view.moves if move.choices[0].place is not None]
        for path in ((), *dict.fromkeys(pieces)) if game == "ambush" else dict.fromkeys(pieces):
            here = position(view, path)
            if here is None or here.move is not None:
                continue
            message = await panel.page(host, view, here.path, 0)
            most = max(most, len(here.entries))
            longest = max(longest, lines_on_a_phone(rows(message.view.children)))
    assert most >= entries
    assert longest <= lines, "with the line of Hint and Back"


async def test_squares_have_their_names_on_the_buttons_and_in_the_picture_in_the_rows_of_the_board(
    tmp_path: Path,
) -> None:
    async for host, view in turns(tmp_path, "ambush", 2):
        here = position(view, ("place S", "SE"))
        names_shown = [entry.label for entry in here.entries]
        assert names_shown == [mark.name for mark in here.marks] == [entry.path[-1] for entry in here.entries]
        message = await panel.page(host, view, here.path, 0)
        shown = rows(message.view.children)
        assert [{str(button.label)[1:] for button in shown[row]} for row in sorted(shown)[:-1]] == [
            {number} for number in sorted({name[1:] for name in names_shown})
        ]
        return


async def test_of_equal_cards_one_button_says_how_many_there_are(tmp_path: Path) -> None:
    several = 0
    async for _, view in evenings(tmp_path, "saboteur", 3):
        here = position(view, ())
        assert here is not None
        hand = getattr(view.observation, "hand", ())
        for entry in here.entries if len(hand) > 1 else ():
            count = hand.count(entry.path[0])
            assert entry.label.endswith("(two)") == (count == 2)
            several += count == 2
    assert several, "nobody had two equal cards"


async def test_the_only_move_is_called_so_in_the_panel_and_where_it_is_told(tmp_path: Path) -> None:
    told = 0
    async for host, view in turns(tmp_path, "gambo", 2, most=200):
        history = await host.look.history(view.match, None, max(0, view.ply - 3))
        lines = words.lines_in_words(view.match, history).split("\n")
        assert [line.endswith("(only move).") for line in lines] == [line.forced for line in history]
        told += sum(line.forced for line in history)
        if view.match.offered_until is not None:
            shown = (await panel.page(host, view, (), 0)).content
            assert "You have only one move. If you don't make it, I'll make it for you <t:" in shown
            break
        assert "only" not in (await panel.page(host, view, (), 0)).content.partition("\n")[0]
    else:
        raise AssertionError("nobody was offered their only move")
    assert told
