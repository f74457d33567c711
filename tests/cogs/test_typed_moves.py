"""Typed moves: canonical text is played at once, anything else is shown as it was read, and waits (P6)."""

import random
from pathlib import Path
from typing import Any

import pytest

from cogs.play.panel_steps import in_words, line
from games import GAMES
from games.typed import recased
from matches.api import MatchId, Status, View
from tests.cogs.table import LONG, Table, buttons, entries, labels, table
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_whole_matches import stored_log
from tests.matches.tables import why


async def mover_and_view(room: Table, number: MatchId) -> tuple[Any, View]:
    """The person whose turn it is, and what they see."""
    mover = (await room.bot.host.look.match(number)).mover
    assert mover.user_id is not None
    return room.person(mover.user_id), await room.bot.host.look.view(number, mover.user_id)


async def typed(room: Table, person: Any, view: View, text: str) -> Any:
    """The private answer to a typed move."""
    result = await person.slash(room.channel, f"{view.match.game} play", move=text)
    assert result.response.ephemeral
    return result.response


async def last_text(room: Table, number: MatchId, seat: int | None) -> str:
    """The latest line of the log by this seat."""
    _, lines = await stored_log(room, number)
    return next(line.text for line in reversed(lines) if line.player == seat)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_p06_a_move_typed_as_it_is_written_or_pasted_as_it_is_shown_is_played_at_once(
    tmp_path: Path, game: str
) -> None:
    players = GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        number = await room.begin(game, players, **LONG.get(game, {}))
        rng = random.Random(5)
        for around in ("{}", "`{}`.", "“{}”", " ({}) "):
            person, view = await mover_and_view(room, number)
            text = rng.choice(view.moves).text
            answer = await typed(room, person, view, around.format(text))
            assert "Confirm" not in labels(answer)
            assert (await room.bot.host.look.match(number)).ply > view.ply
            assert await last_text(room, number, view.seat) == text


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_p06_a_move_that_had_to_be_read_leniently_is_shown_and_waits_for_a_confirmation(
    tmp_path: Path, game: str
) -> None:
    players = GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        number = await room.begin(game, players, **LONG.get(game, {}))
        rng = random.Random(6)
        for lenient in (lambda text: " ".join(text), lambda text: f"`{number}` {text}", lambda text: f"12 0 `{text}`"):
            person, view = await mover_and_view(room, number)
            move = rng.choice(view.moves)
            answer = await typed(room, person, view, lenient(move.text))
            assert answer.content.startswith(f"I read that as `{move.text}`. Press **Confirm** to play it.")
            assert answer.attachments
            said = answer.content.split("\n", 1)[1]
            # Where nothing is hidden, the page says the move as the log will, to its mover.
            as_the_log = said.startswith(("You ", "Your ")) and not GAMES[game].info.hands
            assert as_the_log or said == " → ".join(in_words(view, move.choices))
            assert (await room.bot.host.look.match(number)).ply == view.ply
            back = next((button for button in buttons(answer) if button.label == "Something else"), None)
            if back is not None:
                assert entries((await person.click(answer, label="Something else")).response)
                answer = await typed(room, person, view, lenient(move.text))
            await person.click(answer, label="Confirm")
            assert (await room.bot.host.look.match(number)).ply > view.ply
            # Forced follow-ups are made at once, by the same seat, too.
            _, lines = await stored_log(room, number)
            assert next(line.text for line in lines[view.ply :] if line.player == view.seat) == move.text


async def test_p10_a_typed_move_is_confirmed_once_and_only_in_the_position_that_it_was_typed_for(room2: Table) -> None:
    number = await room2.begin("gambo", 2)
    person, view = await mover_and_view(room2, number)
    once, twice, late = [await typed(room2, person, view, view.moves[0].text.upper()) for _ in range(3)]
    await person.click(once, label="Confirm")
    after = await stored_log(room2, number)
    assert len(after[1]) > view.ply
    assert "not your turn" in one_sentence(await person.click(twice, label="Confirm"))
    assert await stored_log(room2, number) == after
    other, view = await mover_and_view(room2, number)
    await room2.bot.host.play.act(number, other.id, view.moves[0].text)
    assert (await mover_and_view(room2, number))[0].id == person.id
    after = await stored_log(room2, number)
    answer = (await person.click(late, label="Confirm")).response
    assert "That board was out of date, so nothing happened." in answer.content
    assert await stored_log(room2, number) == after


async def test_p06_a_tunnel_is_never_played_for_a_dead_end_nor_the_other_way_round(at_saboteur: Table) -> None:
    asked = 0
    for _ in range(12):
        person, view = await mover_and_view(at_saboteur, MatchId(1))
        legal = {move.text: move for move in view.moves}
        for text, move in legal.items():
            twins = [
                twin for twin in recased(text) if why(view, twin) and "isn't a move" not in (why(view, twin) or "")
            ]
            if not text.startswith("drop") or not twins:
                continue
            before = await stored_log(at_saboteur, MatchId(1))
            answer = await typed(at_saboteur, person, view, twins[0])
            assert "Confirm" not in labels(answer)
            assert f"`{text}`" in answer.content
            assert f"`{twins[0]}`" in answer.content
            card = move.choices[0].value
            mixed = card.capitalize()
            if mixed not in (card, card.swapcase()):
                answer = await typed(at_saboteur, person, view, f"drop {mixed}")
                assert f"`{text}`, `{twins[0]}`" in answer.content
            assert await stored_log(at_saboteur, MatchId(1)) == before
            asked += 1
            break
        await at_saboteur.bot.host.play.act(MatchId(1), person.id, view.moves[-1].text)
    assert asked


async def test_p06_a_move_in_the_words_of_the_menu_is_played_and_one_in_other_case_is_asked_about(
    room3: Table,
) -> None:
    number = await room3.begin("saboteur", 3)
    person, view = await mover_and_view(room3, number)
    # A card whose name is in capital letters is written as it is shown.
    move = next(
        move
        for move in view.moves
        if move.text.startswith("drop") and move.choices[0].label != move.choices[0].label.upper()
    )
    words = line(view, move)
    answer = (await person.slash(room3.channel, "saboteur play", move=words.upper())).response
    assert answer.content.startswith(f"I read that as `{move.text}`.")
    assert (await room3.bot.host.look.match(number)).ply == view.ply
    await person.slash(room3.channel, "saboteur play", move=words)
    assert await last_text(room3, number, view.seat) == move.text


async def two_by_case(room: Table, number: MatchId) -> tuple[Any, str] | None:
    """A holder of two cards that differ only by case, and one of these. Plays on until there is one."""
    for _ in range(60):
        if (await room.bot.host.look.match(number)).status is not Status.RUNNING:
            return None
        person, view = await mover_and_view(room, number)
        cards = {move.choices[0].value for move in view.moves if move.choices}
        both = next((card for card in sorted(cards) if card != card.swapcase() and card.swapcase() in cards), None)
        if both is not None:
            return person, both
        await room.bot.host.play.act(number, person.id, view.moves[-1].text)
    return None


async def test_p06_of_cards_and_people_that_only_case_tells_apart_the_written_one_is_meant(tmp_path: Path) -> None:
    for evening in range(20):
        async with table(tmp_path / f"{evening}.db", 3) as room:
            # Other presses, other deals.
            await room.env.advance_time(evening + 1)
            found = await two_by_case(room, await room.begin("saboteur", 3))
            if found is None:
                continue
            person, both = found
            offers = await person.autocomplete(room.channel, "saboteur play", "move", f"drop {both}")
            assert {f"drop {both}", f"drop {both.swapcase()}"} <= {each["value"] for each in offers}
            match = await room.bot.host.look.match(MatchId(1))
            await person.slash(room.channel, "saboteur play", move=f"drop {both.swapcase()}")
            assert await last_text(room, match.id, match.to_move) == f"drop {both.swapcase()}"
            return
    pytest.fail("nobody held two cards that only case tells apart")
