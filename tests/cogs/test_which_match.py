"""“Which match?”: where several could be meant, buttons carry out what was asked (P6)."""

from typing import Any

from cogs.commands.finding import MAX_BUTTONS
from cogs.press import components
from cogs.press.custom_ids import MAX_LENGTH, Ref
from matches.api import MatchId, NewMatch, Person, UserId
from tests.cogs.markdown import active
from tests.cogs.nasty import NASTY
from tests.cogs.table import Table, labels, menu, private

QUESTION = "**Which match?**"


async def two(room: Table, game: str, **options: Any) -> Any:
    """Ann and Bob play two matches. Return a channel where none is played."""
    for number in (1, 2):
        assert await room.begin(game, 2, **options) == number
    await room.told()
    return room.channel.guild.create_text_channel("elsewhere")


async def test_whoever_has_several_matches_picks_one_and_gets_its_page(room2: Table) -> None:
    elsewhere = await two(room2, "abissal", players=2)
    shown = (await room2.people[0].slash(elsewhere, "match")).response
    assert {"Ambiente Abissal #1", "Ambiente Abissal #2"} <= set(labels(shown))
    page = private(await room2.people[0].click(shown, label="Ambiente Abissal #2"))
    assert page.content.startswith("**Ambiente Abissal #2**")
    assert {"Board", "My hand", "Log", "Resign"} <= set(labels(page))


async def test_play_without_a_match_asks_which_one_and_is_carried_out_for_it(room2: Table) -> None:
    elsewhere = await two(room2, "abissal", players=2)
    ann = room2.people[0]
    question = (await ann.slash(elsewhere, "abissal play")).response
    assert question.content.startswith(QUESTION)
    assert question.ephemeral
    assert sorted(labels(question)) == ["Ambiente Abissal #1", "Ambiente Abissal #2"]
    answer = private(await ann.click(question, label="Ambiente Abissal #2"))
    assert answer.content == private(await ann.slash(elsewhere, "abissal play", match=2)).content


async def test_the_buttons_remember_the_options_also_after_a_restart_and_the_answer_takes_the_questions_place(
    room2: Table,
) -> None:
    elsewhere = await two(room2, "gambo")
    view = await room2.bot.host.look.view(MatchId(2), (await room2.bot.host.look.match(MatchId(2))).mover.user_id)
    mover = room2.person(view.match.mover.user_id)
    question = (await mover.slash(elsewhere, "gambo play", move=view.moves[0].text)).response
    other = next(person.name for person in room2.people if person is not mover)
    assert f"**Gambo #2**: your turn, with {other} (" in question.content
    await room2.restart()
    pressed = await mover.click(question, label="Gambo #2")
    assert pressed.response.id == question.id
    assert QUESTION not in pressed.response.content
    assert [(await room2.bot.host.look.match(MatchId(number))).ply for number in (1, 2)] == [view.ply, view.ply + 1]


async def test_many_matches_are_in_a_menu_and_nobodys_name_does_anything_there(room1: Table) -> None:
    (ann,), host = room1.people, room1.bot.host
    for number in range(MAX_BUTTONS + 1):
        terms: dict[str, Any] = {"channel_id": 10**17 + number, "guild_id": room1.channel.guild.id}
        match = await host.lobby.open(NewMatch("gambo", **terms), Person(UserId(100 + number), f"{NASTY[number]} **x"))
        await host.lobby.join(match.id, Person(ann.id, "Ann"))
    await room1.told()
    question = (await ann.slash(room1.channel, "gambo play")).response
    rows = question.content.split("\n")[1:]
    assert len(rows) == MAX_BUTTONS + 1
    for row in rows:
        plain = row.replace("your turn", "under way")
        assert active(plain) == active(rows[0].replace("your turn", "under way")), row
    picking = menu(question)
    assert sorted(option.value for option in picking.options) == [str(number) for number in range(1, MAX_BUTTONS + 2)]
    listed = (await ann.slash(room1.channel, "match")).response
    assert sorted(option.value for option in menu(listed).options) == [str(n) for n in range(1, MAX_BUTTONS + 2)]
    answer = await ann.select(listed, ["3"])
    assert "Gambo #3" in answer.response.content


async def test_what_does_not_fit_on_a_button_is_typed_again(room2: Table) -> None:
    elsewhere = await two(room2, "gambo")
    for typed in ("e" * MAX_LENGTH, "a|b"):
        answer = await room2.people[0].slash(elsewhere, "gambo play", move=typed)
        assert "please add `match:2` (Gambo, " in private(answer).content
        assert labels(answer.response) == []


async def test_a_button_that_carries_no_command_about_a_match_does_nothing(room2: Table) -> None:
    await two(room2, "gambo")
    for path in (
        (),
        ("help",),
        ("no such",),
        ("match", "move=x"),
        ("settings me", "ping=dm"),
        ("saboteur new", "players=11"),
        ("saboteur new", "players=many"),
        ("ambagibus new", "variant=no"),
    ):
        button = components.button(Ref("which", MatchId(1), path=path), "Forged")
        message = await room2.bot.get_partial_messageable(room2.channel.id).send("here", view=components.view(button))
        answer = private(await room2.people[0].click(message, label="Forged"))
        assert "This button is out of date." in answer.content, path
