"""A turn as people see it: the post, the panel, the hand, and what is private (P4-P9, P21-P24, P27)."""

import io
import random
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import render
from cogs.look import rule_pages as rules_pages
from cogs.text.sections import sections
from db.model.ids import MatchId
from games import GAMES
from games.core import CHANCE
from render import RENDERERS, illustrate
from tests.cogs.table import (
    LONG,
    Table,
    at_match,
    behind,
    buttons,
    entries,
    labels,
    menu,
    pick,
    play_by_panel,
    set_to,
    table,
)
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import play, play_on

BACK = {"Back", "Something else"}
ROLES = ("saboteur.", "gold-digger", "digger.")


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_p04_p21_p24_a_turn_has_one_post_with_picture_words_mention_and_buttons(
    tmp_path: Path, game: str
) -> None:
    players = GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        await room.begin(game, players, **LONG.get(game, {}))
        rng = random.Random(1)
        for _ in range(3):
            before = len(room.channel.history())
            actor, board = room.to_play()
            await play_by_panel(actor, board, rng)
            posts = [message for message in room.channel.history()[before:] if "Play" in labels(message)]
            assert len(posts) <= 1
        board = room.latest("Play")
        hand = ["My hand"] if GAMES[game].info.hands else []
        assert labels(board) == ["Play", *hand, "⋯"]
        (picture,) = board.attachments
        assert picture.description
        assert len(picture.description) <= 1024
        assert picture.size <= 60_000
        with Image.open(io.BytesIO(await picture.read())) as image:
            assert image.width != image.height
            assert max(image.size) <= 1600
        assert [user.id for user in board.mentions] == [room.mover(board).id]
        assert len(board.content.split("\n")) >= 2
        more = await room.people[0].click(board, label="⋯")
        suspects = ["I suspect …"] if GAMES[game].info.suspected else []
        assert {*suspects, "Rules", "Fair deal"} <= set(labels(more.response))
        words = await room.people[0].click(more.response, label="Board as text")
        assert words.response.content.count("```") == 2


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_p05_p23_the_panel_leads_step_by_step_to_a_confirmation(tmp_path: Path, game: str) -> None:
    # Two players of Ambagibus have a choice so seldom that a match may go by without one.
    players = GAMES[game].info.max_players if game == "ambagibus" else GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        number = await room.begin(game, players)
        actor, board = room.to_play()
        shown = (await actor.click(board, label="Play")).response
        while not BACK & set(labels(shown)) and "Confirm" in labels(shown):
            # There is no choice, so nothing is asked.
            await actor.click(shown, label="Confirm")
            actor, board = room.to_play()
            shown = (await actor.click(board, label="Play")).response
        steps: list[Any] = []
        while "Confirm" not in labels(shown):
            assert shown.ephemeral
            offered = entries(shown)
            assert 2 <= len(offered) <= 25
            assert menu(shown) is None or len(offered) > 20
            told = [label for label in labels(shown) if label] if menu(shown) is None else []
            numbered = [label.split(" · ")[0] for label in told if " · " in label]
            if numbered and numbered[0].isdecimal():
                # As on the picture: of equal cards, the first has the number.
                numbers = list(map(int, numbered))
                assert numbers == sorted(set(numbers))
            steps.append(offered)
            shown = (await pick(actor, shown, offered[0])).response
        assert shown.attachments
        assert steps
        (back,) = BACK & set(labels(shown))
        back = (await actor.click(shown, label=back)).response
        assert entries(back) == steps[-1]
        ply = (await room.bot.host.look.match(number)).ply
        shown = (await pick(actor, back, steps[-1][0])).response
        await actor.click(shown, label="Confirm")
        assert (await room.bot.host.look.match(number)).ply > ply


async def test_p06_without_a_number_the_only_match_is_meant_and_several_are_offered(room2: Table) -> None:
    first = await room2.begin("gambo", 2)
    assert (await at_match(room2.people[0], room2.channel, "board")).response.attachments
    second = await room2.begin("gambo", 2)
    answer = (await room2.people[0].user.slash("gambo play")).response
    assert answer.content.startswith("**Which match?**")
    assert labels(answer) == [f"Gambo #{number}" for number in (second, first)]
    offered = await room2.people[0].autocomplete(room2.channel, "match", "match", "")
    assert {choice["value"] for choice in offered} == {first, second}


async def test_p09_hand_rules_and_more_answer_one_person_only(at_saboteur: Table) -> None:
    board = at_saboteur.latest("Play")
    for person in at_saboteur.people:
        hand = (await person.click(board, label="My hand")).response
        assert hand.ephemeral
        seen = await at_saboteur.bot.host.look.view(MatchId(1), person.id)
        assert RENDERERS["saboteur"].hand_text(seen.observation, seen.match.seat_names) in hand.content
        rules = (await behind(person, board, "Rules")).response
        assert rules.ephemeral
        assert rules.content.startswith("**Saboteur: ")
        first = rules.content
        turned = (await person.select(rules, [menu(rules).options[-1].value])).response
        assert turned.content != first
        more = (await person.click(board, label="⋯")).response
        assert {"Log", "Board as text", "Leave", "Resign"} <= set(labels(more))
        assert ("Remind" in labels(more)) is (person is not at_saboteur.mover(board))
        log = (await person.click(more, label="Log")).response
        assert log.ephemeral
        assert "Everybody gets 6 cards." in log.content


# FOUND S5
@pytest.mark.parametrize(("game", "players"), [("saboteur", 3), ("abissal", 2)])
async def test_p09_p27_my_hand_tells_nothing_secret_outside_a_spoiler(tmp_path: Path, game: str, players: int) -> None:
    async with table(tmp_path / "ambit.db", players) as room:
        await room.begin(game, players, **{"players": players} if game == "abissal" else {})
        for person in room.people:
            hand = (await person.click(room.latest("Play"), label="My hand")).response
            heading, _, secret = hand.content.partition("\n")
            assert heading == f"**{GAMES[game].info.name} #1**"
            assert (secret[:2], secret[-2:], secret.count("||")) == ("||", "||", 2)


# FOUND S5
async def test_p09_whoever_wants_their_hand_covered_reads_it_covered_after_a_move_too(at_saboteur: Table) -> None:
    actor, board = at_saboteur.to_play()
    await set_to(at_saboteur.person(actor.id), at_saboteur.channel, "settings me", spoiler="spoiler")
    answer = await play_by_panel(actor, board, random.Random(2))
    assert [file.filename for file in answer.attachments] == ["SPOILER_hand.png"]
    assert "Your cards" not in re.sub(r"(?s)\|\|.*?\|\|", "", answer.content)
    assert "||Your cards: " in answer.content


async def test_p09_the_rules_show_their_pictures_in_the_command_under_a_board_and_after_a_refusal(room3: Table) -> None:
    await room3.begin("saboteur", 3)
    by_command = (await room3.people[0].slash(room3.channel, "saboteur rules")).response
    check_pictures(by_command)
    check_pictures((await behind(room3.people[0], room3.latest("Play"), "Rules")).response)
    check_pictures((await room3.people[0].select(by_command, ["2"])).response)
    actor = room3.mover(room3.latest("Play"))
    hand = vars((await room3.bot.host.look.view(MatchId(1), actor.id)).observation)["hand"]
    tunnel = next(card for card in hand if card.isalpha() and card not in ("map", "rock"))
    refused = (await actor.slash(room3.channel, "saboteur play", move=f"{tunnel}@5,5")).response
    assert refused.content.startswith("S6: ")
    check_pictures((await actor.click(refused, label="Read this rule")).response)


async def test_p09_the_rules_begin_with_five_lines_and_go_on_page_by_page(room1: Table) -> None:
    ann = room1.people[0]
    for game in GAMES:
        shown = (await ann.slash(room1.channel, f"{game} rules")).response
        headings = [f"**{GAMES[game].info.name}: {section.title}**" for section in sections(game)]
        assert headings[0].endswith(": The game in five lines**")
        walked = []
        for label in ("Next ▶", "◀ Back"):
            while label in [button.label for button in buttons(shown) if not button.disabled]:
                walked.append(shown.content.split("\n")[0])
                shown = (await ann.click(shown, label=label)).response
        assert [*walked, shown.content.split("\n")[0]] == [*headings, *headings[-2::-1]]


def check_pictures(answer: Any) -> None:
    """Check that a page of Saboteur's rules has the pictures of its section, with their words."""
    shown = next(
        section.illustrations
        for section in sections("saboteur")
        if answer.content.startswith(f"**Saboteur: {section.title}**")
    )
    assert answer.ephemeral
    assert shown
    assert [file.filename for file in answer.attachments] == [f"rules-{n}.png" for n in range(1, len(shown) + 1)]
    assert [file.description for file in answer.attachments] == [illustrate.alt_text(each) for each in shown]
    assert all(each.alt in answer.content for each in shown)


async def test_p29_where_files_are_forbidden_the_rules_say_what_their_pictures_show(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3, denied="attach_files") as room:
        rules = (await room.people[0].slash(room.channel, "saboteur rules")).response
        assert not rules.attachments
        (shown,) = sections("saboteur")[0].illustrations
        assert f"Example: {shown.alt}" in rules.content
        turned = (await room.people[0].select(rules, [menu(rules).options[1].value])).response
        assert not turned.attachments


@pytest.mark.parametrize("game", sorted(GAMES))
def test_p09_every_game_explains_itself_in_sections_that_fit(game: str) -> None:
    check_sections_fit(game)


def check_sections_fit(game: str) -> None:
    """Every section of a game's rules fits a message and is unique."""
    pages = [rules_pages.text(game, number) for number in range(len(sections(game)))]
    assert len(pages) >= 3
    assert all(len(page) <= 2000 for page in pages)
    assert len(set(pages)) == len(pages)


async def test_p27_the_first_line_of_a_dm_names_the_match_and_no_secret(at_saboteur: Table) -> None:
    rng = random.Random(3)
    for _ in range(6):
        actor, board = at_saboteur.to_play()
        await play_by_panel(actor, board, rng)
    for person in at_saboteur.people:
        messages = person.user.dm_channel.history()
        assert messages
        for message in messages:
            first, _, rest = message.content.partition("\n")
            assert first.startswith("**Saboteur #1** ([go to the table](")
            assert not any(word in first for word in ROLES)
            assert not rest or (rest.startswith("||") and rest.endswith("||"))
            assert all(file.filename.startswith("SPOILER_") for file in message.attachments if "role" in file.filename)


async def test_p26_reminding_pings_once_a_turn_whoever_asks(at_saboteur: Table) -> None:
    board = at_saboteur.latest("Play")
    mover = at_saboteur.mover(board)
    others = [person for person in at_saboteur.people if person is not mover]
    said = ("It's your own turn", f"I've reminded {mover.name}.", "already been reminded")
    for person, expected in zip((mover, *others), said, strict=True):
        assert expected in one_sentence(await at_match(person, at_saboteur.channel, "remind"))
    assert sum("the table is waiting for you" in message.content for message in at_saboteur.channel.history()) == 1


def test_p25_boards_are_drawn_by_our_own_code_each_in_a_mood_of_its_own() -> None:
    assets = {each.suffix for each in Path(render.__file__).with_name("assets").iterdir()}
    assert assets <= {".ttf", ".txt", ".md"}  # letters, and nothing that anybody else has drawn
    grounds = set()
    for game, entry in GAMES.items():
        names = tuple(["Ann", "Bob", "Cleo", "Dan"][: entry.info.min_players])
        state = entry.new_initial_state(len(names), {})
        while state.current_player == CHANCE:
            state = state.child(CHANCE, state.sample_chance(random.Random(1)))
        with Image.open(io.BytesIO(RENDERERS[game].draw(state.observation(None), names))) as picture:
            assert picture.mode == "P"
            colours = picture.convert("RGB").getcolors(1 << 24) or []
        grounds.add(max(colours)[1])
    assert len(grounds) == len(GAMES)


@pytest.mark.parametrize("code", [10008, 30046])
async def test_p04_somebody_has_one_message_of_a_match_in_their_dms_and_another_where_it_cannot_be_changed(
    at_saboteur: Table, code: int
) -> None:
    rng = random.Random(11)
    before = {person.id: len(person.user.dm_channel.history()) for person in at_saboteur.people}
    for _ in range(7):
        board = at_saboteur.latest("Play")
        await play_by_panel(at_saboteur.mover(board), board, rng)
    mover = at_saboteur.mover(at_saboteur.latest("Play"))
    assert {person.id: len(person.user.dm_channel.history()) for person in at_saboteur.people} == before
    live = mover.user.dm_channel.last_message
    assert "it's your turn. Due <t:" in live.content
    assert "Play" in labels(live)
    after = at_saboteur.people[(at_saboteur.people.index(mover) + 1) % 3]
    path = f"/channels/{after.user.dm_channel.id}/messages/{after.user.dm_channel.last_message.id}"
    at_saboteur.env.inject_error("PATCH", path, status=404 if code == 10008 else 400, code=code)
    await play_by_panel(mover, at_saboteur.latest("Play"), rng)
    while (now := at_saboteur.mover(at_saboteur.latest("Play"))) is not after:
        assert now is not None
        await play_by_panel(now, at_saboteur.latest("Play"), rng)
    assert len(after.user.dm_channel.history()) == before[after.id] + 1
    assert "it's your turn" in after.user.dm_channel.last_message.content


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_the_first_panel_of_somebody_new_says_what_decides_what_is_legal(tmp_path: Path, game: str) -> None:
    players = GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        told = GAMES[game].info.key_rule
        await room.begin(game, players)
        first, board = room.to_play()
        shown = (await first.click(board, label="Play")).response
        assert told in shown.content
        assert shown.content.endswith("**") or "Confirm" in labels(shown)
        host, rng = room.bot.host, random.Random(1)
        await play(host, await host.look.match(MatchId(1)), rng)
        while (match := await host.look.match(MatchId(1))).mover is not None and match.mover.user_id != first.id:
            await play(host, match, rng)
        await room.told()
        if match.mover is not None:
            again = (await room.person(first.id).click(room.latest("Play"), label="Play")).response
            assert told not in again.content


async def test_nobody_is_new_who_has_finished_a_match_of_the_game(at_gambo: Table) -> None:
    await play_on(at_gambo.bot.host, await at_gambo.bot.host.look.match(MatchId(1)), random.Random(3))
    await at_gambo.told()
    await at_gambo.begin("gambo", 2)
    actor, board = at_gambo.to_play()
    assert GAMES["gambo"].info.key_rule not in (await actor.click(board, label="Play")).response.content
    await at_gambo.begin("ambush", 2)
    actor, board = at_gambo.to_play()
    assert GAMES["ambush"].info.key_rule in (await actor.click(board, label="Play")).response.content
