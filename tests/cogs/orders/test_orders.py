"""**In advance**: what somebody says they'd play before it's their turn, in private (P39)."""

import random
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.orders import order_pages
from cogs.orders.order_pages import IF_THEY, SAVE, THIS_ONE
from cogs.play.panel_pages import TURN
from cogs.press import components
from cogs.press.custom_ids import BUTTON, Ref, parse
from games import GAMES
from matches.api import MatchId, UserId
from matches.orders import Orders
from tests.cogs.table import LONG, Clocked, Table, at_match, buttons, labels, menu, table
from tests.cogs.test_limits import Noise
from tests.cogs.test_manners import one_sentence
from tests.matches.orders.test_lost_rounds import until_lost

IN_ADVANCE = "In advance"
REPLYING = [game for game in sorted(GAMES) if GAMES[game].advance.replies]
SITTING = {"saboteur": 3}


async def begin(room: Table, game: str, **more: str) -> None:
    players = SITTING.get(game, GAMES[game].info.min_players)
    options = {"players": players} if GAMES[game].info.min_players < GAMES[game].info.max_players else {}
    await room.begin(game, players, **options, **more, **LONG.get(game, {}))
    if game == "gambo":  # Before somebody has chosen a side, there are no moves to think about.
        await play_on(room)


async def places(room: Table) -> tuple[Any, Any]:
    """The person whose turn it is, and one who waits."""
    match = await room.bot.host.look.match(MatchId(1))
    seated = [person for person in room.people if match.seat_of(UserId(person.id))]
    seated.sort(key=lambda person: not match.waits_for(UserId(person.id)))
    return seated[0], seated[1]


async def opened(room: Table, person: Any, *, to_answer: bool = False) -> Any:
    """The page that **In advance** opens, from **⋯**, or the one `to_answer` another player's move."""
    more = (await person.click(room.latest("⋯", room.place()), label="⋯")).response
    page = (await person.click(more, label=IN_ADVANCE)).response
    return (await person.click(page, label=IF_THEY)).response if to_answer else page


async def chosen(person: Any, shown: Any, rng: random.Random) -> Any:
    """Choose any move in a panel of **In advance**, until it asks for something else or keeps the answer."""
    stage = None
    for _ in range(12):
        now = next((ref.path[0] for ref in _refs(shown) if ref.verb in ("orderpick", "orderconfirm")), None)
        if now is None or (stage is not None and now != stage):
            return shown
        stage = now
        done = next((label for label in (SAVE, THIS_ONE) if label in labels(shown)), None)
        if done is not None:
            shown = (await person.click(shown, label=done)).response
        elif menu(shown) is not None:
            shown = (await person.select(shown, [rng.choice(menu(shown).options).value])).response
        else:
            picks = [ref.custom_id(BUTTON) for ref in _refs(shown) if ref.verb == "orderpick"]
            shown = (await person.click(shown, custom_id=rng.choice(picks))).response
    raise AssertionError("the panel has no end")


def _refs(shown: Any) -> list[Ref]:
    """What is asked on a page. A card that was chosen can be turned there, too."""
    ids = [button.custom_id or "" for button in buttons(shown) if not (button.label or "").startswith(TURN)]
    picking = menu(shown)
    return [ref for each in (*ids, *([picking.custom_id] if picking else [])) if (ref := parse(each)) is not None]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_p39_it_is_offered_in_private_to_whoever_waits_and_nowhere_else(tmp_path: Path, game: str) -> None:
    async with table(tmp_path / "ambit.db", SITTING.get(game, 2)) as room:
        await begin(room, game)
        (mover, person), board = await places(room), room.latest("Play")
        assert IN_ADVANCE not in labels(board)
        for verb in ("board", *(["hand"] if GAMES[game].info.hands else [])):
            assert IN_ADVANCE in labels((await at_match(person, room.channel, verb)).response)
            assert IN_ADVANCE not in labels((await at_match(mover, room.channel, verb)).response)
        shown = await opened(room, person)
        assert shown.ephemeral
        assert "in advance" in shown.content
        assert IN_ADVANCE not in labels((await mover.click(board, label="⋯")).response)
        refused = (await at_match(mover, room.channel, "orders")).response
        assert "It's your turn now." in refused.content
        assert "Play" in labels(refused)


@pytest.mark.parametrize("game", REPLYING)
async def test_p39_an_answer_to_a_move_is_chosen_shown_played_and_told(timed2: Clocked, game: str) -> None:
    """Nothing public tells that it was prepared; the person reads it in a quiet line of their DM."""
    rng = random.Random(3)
    await begin(timed2, game)
    mover, person = await places(timed2)
    shown = await opened(timed2, person, to_answer=True)
    assert f"**If {mover.name} plays …, then I …**" in shown.content
    assert labels(shown)[-1] == "Back"
    shown = await chosen(person, shown, rng)
    assert "Confirm" in labels(shown) or menu(shown) is not None or buttons(shown)
    assert shown.content.split("\n")[1].startswith(f"If {mover.name}"), shown.content
    assert "Hint" not in labels(shown)  # FOUND D2: it's rated
    kept = await chosen(person, shown, rng)
    assert kept.attachments
    assert "Saved. If " in kept.content
    assert [label for label in labels(kept) if label != TURN] == ["Change", "Delete", "All I've said"]

    prepared = await timed2.bot.host.part(Orders).look(MatchId(1), UserId(person.id))
    (order,) = prepared.orders
    before, noise = len(timed2.channel.history()), Noise(timed2)
    await mover.slash(timed2.channel, f"{game} play", move=order.theirs)
    called = timed2.channel.history()[before:]
    calling = [message for message in called if f"<@{person.id}>, it's your turn." in message.content]
    assert calling, "the words are those of every turn"
    assert noise.pings == 0, "nobody is rung for a turn that an order will answer"
    assert (await timed2.bot.host.look.match(MatchId(1))).waits_for(UserId(person.id))
    await timed2.later(minutes=4)
    await timed2.told()
    match = await timed2.bot.host.look.match(MatchId(1))
    assert not match.waits_for(UserId(person.id)), "it's played"
    assert (await timed2.bot.host.part(Orders).look(MatchId(1), UserId(person.id))).orders == ()
    newest = next(timed2.newest_first(person.user.dm_channel))
    assert "I've played what you said in advance." in newest.content
    public = "\n".join(message.content for message in timed2.channel.history())
    assert "in advance" not in public


async def test_p39_orders_are_listed_looked_at_changed_and_deleted(room2: Table) -> None:
    rng = random.Random(5)
    await begin(room2, "gambo")
    _, person = await places(room2)
    shown = await opened(room2, person)
    assert "What will you play next?" in shown.content
    assert IF_THEY in labels(shown)
    kept = await chosen(person, shown, rng)
    assert "Next turn: " in kept.content
    exclusions = menu(kept)
    assert exclusions.min_values == 0
    wanted = [option.value for option in exclusions.options[:2]]
    unless = (await person.select(kept, wanted)).response
    assert ", unless " in unless.content
    assert [option.default for option in menu(unless).options[:2]] == [True] * len(wanted)
    none = (await person.select(unless, [])).response
    assert ", unless " not in none.content

    again = (await person.select(none, wanted[:1])).response
    changed = await chosen(person, (await person.click(again, label="Change")).response, random.Random(6))
    assert ", unless " in changed.content
    listed = (await person.click(changed, label="All I've said")).response
    assert "**1** · Next turn: " in listed.content
    assert "**2**" not in listed.content
    again = (await person.click(listed, label="Show 1")).response
    gone = (await person.click(again, label="Delete")).response
    assert "Deleted." in gone.content
    assert "**1**" not in gone.content
    assert (await room2.bot.host.part(Orders).look(MatchId(1), UserId(person.id))).orders == ()


async def test_p39_a_card_is_turned_after_it_was_chosen(room2: Table) -> None:
    """One's own, and that of the player whose move is answered."""
    await begin(room2, "ambagibus")
    mover, person = await places(room2)
    rng, orders = random.Random(1), room2.bot.host.part(Orders)
    shown = await chosen(person, await opened(room2, person, to_answer=True), rng)
    while "Turn their card" not in labels(shown):
        shown = await chosen(person, (await person.click(shown, label="Back")).response, rng)
    before = _refs(shown)[0].path[0]
    shown = (await person.click(shown, label="Turn their card")).response
    assert shown.content.split("\n")[1].startswith(f"If {mover.name} lays ")
    theirs = _refs(shown)[0].path[0]
    assert theirs != before
    kept = await chosen(person, shown, rng)
    while TURN not in labels(kept):
        kept = await chosen(person, (await person.click(kept, label="Change")).response, rng)
    (first,) = (await orders.look(MatchId(1), UserId(person.id))).orders
    assert "Saved. If " in (await person.click(kept, label=TURN)).response.content
    (turned,) = (await orders.look(MatchId(1), UserId(person.id))).orders
    assert order_pages.reply_to(turned.theirs or "") == order_pages.reply_to(first.theirs or "") == theirs
    assert turned.mine != first.mine


async def test_p39_all_orders_are_deleted_at_once_and_nobody_elses(room3: Table) -> None:
    await begin(room3, "saboteur")
    match = await room3.bot.host.look.match(MatchId(1))
    both = [person for person in room3.people if not match.waits_for(UserId(person.id))][:2]
    for person in both:
        prepared = await room3.bot.host.part(Orders).look(match.id, UserId(person.id))
        text = prepared.next_view.moves[0].text
        await room3.bot.host.part(Orders).give(match.id, UserId(person.id), text, ply=match.ply)
        for each in prepared.instructions:
            await room3.bot.host.part(Orders).instruct(match.id, UserId(person.id), each.key, ply=match.ply)
    person, other = both
    theirs = (await room3.bot.host.part(Orders).look(match.id, UserId(other.id))).orders
    assert len(theirs) == 2
    gone = (await person.click(await opened(room3, person), label="Delete all")).response
    assert "Deleted all of it." in gone.content
    assert "Delete all" not in labels(gone)
    assert (await room3.bot.host.part(Orders).look(match.id, UserId(person.id))).orders == ()
    assert (await room3.bot.host.part(Orders).look(match.id, UserId(other.id))).orders == theirs


async def test_p39_whoever_closes_their_dms_reads_in_private_what_was_played_for_them(timed2: Clocked) -> None:
    """Until they move by hand. In the channel nothing tells that it was prepared."""
    await begin(timed2, "gambo")
    _, person = await places(timed2)
    prepared = await timed2.bot.host.part(Orders).look(MatchId(1), UserId(person.id))
    orders = timed2.bot.host.part(Orders)
    await orders.give(MatchId(1), UserId(person.id), prepared.next_view.moves[-1].text, ply=prepared.view.ply)
    timed2.env.inject_error("POST", f"/channels/{person.user.dm_channel.id}/messages", status=403, code=50007)
    await play_on(timed2)
    await timed2.later(minutes=4)
    await timed2.told()
    assert not (await timed2.bot.host.look.match(MatchId(1))).waits_for(UserId(person.id)), "it's played"
    shown = await opened(timed2, person)
    assert "As you'd said in advance: " in shown.content
    await play_on(timed2)
    board = timed2.latest("Play", timed2.place())
    panel = (await person.click(board, label="Play")).response
    assert "As you'd said in advance: " in panel.content
    await play_on(timed2)
    await play_on(timed2)
    panel = (await person.click(timed2.latest("Play", timed2.place()), label="Play")).response
    assert "As you'd said" not in panel.content
    assert "you'd said" not in "\n".join(message.content for message in timed2.channel.history())


async def test_p39_nobody_can_reach_the_orders_of_others_or_press_old_pages(room3: Table) -> None:
    """With forged ids, too: one sentence, and nothing changes."""
    rng = random.Random(7)
    await begin(room3, "gambo")
    mover, person = await places(room3)
    watcher = room3.people[2]
    first = await opened(room3, person)
    kept = await chosen(person, first, rng)
    (order,) = (await room3.bot.host.part(Orders).look(MatchId(1), UserId(person.id))).orders

    channel = await room3.bot.fetch_channel(room3.channel.id)
    assert isinstance(channel, discord.TextChannel)
    ply = (await room3.bot.host.look.match(MatchId(1))).ply
    for verb in ("order", "orderdrop", "unless"):
        for path in ((str(order.number),), ("²",), (), ("1" * 30,)):
            ref = Ref(verb, MatchId(1), ply, path)
            forged = await channel.send("here", view=components.view(components.button(ref, "Forged")))
            for other in (mover, watcher):
                told = (await other.click(forged, label="Forged")).response
                assert told.ephemeral
                assert "Next turn" not in told.content
            if path != (str(order.number),):
                told = (await person.click(forged, label="Forged")).response
                assert len(told.content.split("\n")[0]) < 200
    for path in (("if", "nonsense"), ("=nonsense",), ("=",), ("nonsense",), (), ("next", "x", "y")):
        for verb in ("orderpick", "orderback", "orderpage", "orderconfirm", "orderhint", "instruct"):
            ref = Ref(verb, MatchId(1), ply, path)
            forged = await channel.send("here", view=components.view(components.button(ref, "Forged")))
            told = (await person.click(forged, label="Forged")).response
            assert "Something went wrong" not in told.content, (verb, path)
    assert (await room3.bot.host.part(Orders).look(MatchId(1), UserId(person.id))).orders == (order,)

    await play_on(room3)
    await play_on(room3)
    late = await person.click(kept, label="Change")
    told = late.response if late.response is not None else late.followups[-1]
    assert "The match has moved on" in told.content or "It's your turn now" in told.content


async def play_on(room: Table) -> None:
    """Whoever's turn it is makes their first legal move, at the host."""
    match = await room.bot.host.look.match(MatchId(1))
    assert match.mover.user_id is not None
    view = await room.bot.host.look.view(match, match.mover.user_id)
    await room.bot.host.play.act(match.id, match.mover.user_id, view.moves[0].text)
    await room.told()


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_p39_the_longest_choices_fit_buttons_menus_and_messages(tmp_path: Path, game: str) -> None:
    """Every page of every panel fits Discord's limits, at most seven rows on a phone, however people are called."""
    async with table(tmp_path / "ambit.db", SITTING.get(game, 2)) as room:
        await begin(room, game)
        for _ in range(6):
            _, person = await places(room)
            prepared = await room.bot.host.part(Orders).look(MatchId(1), UserId(person.id))
            for stage in (order_pages.IF, order_pages.NEXT):
                view = prepared.their_view if stage == order_pages.IF else prepared.next_view
                if view is None or not view.moves:
                    continue
                message = await order_pages.page(room.bot.host, prepared, stage)
                message.view.to_components()
                assert len(message.content) <= 2000
                text = random.Random(1).choice(view.moves).text
                if stage == order_pages.IF:
                    answer = await order_pages.page(room.bot.host, prepared, order_pages.reply_to(text))
                    answer.view.to_components()
            await play_on(room)


async def test_p39_a_hint_about_an_answer_is_given_where_it_is_given_in_ones_turn(room2: Table) -> None:
    await begin(room2, "gambo", rated="no")
    _, person = await places(room2)
    shown = await chosen(person, await opened(room2, person, to_answer=True), random.Random(8))
    told = (await person.click(shown, label="Hint")).response
    assert "**Hint:** " in told.content
    assert not await helped(room2, person)
    kept = (await person.click(told, label=SAVE)).response
    assert "Saved. If " in kept.content


async def helped(room: Table, person: Any) -> bool:
    seat = (await room.bot.host.look.match(MatchId(1))).seat_of(UserId(person.id))
    return seat.helped


async def test_in_a_lost_round_of_saboteur_everybody_is_offered_that_their_cards_are_discarded(tmp_path: Path) -> None:
    label = "Nobody can reach the treasure: discard for me"
    async with table(tmp_path / "ambit.db", 4) as room:
        number, host = await room.begin("saboteur", 3), room.bot.host
        *seated, dan = room.people
        assert label not in labels(room.latest("Play"))
        match = await until_lost(host, await host.look.match(number))
        await room.told()
        board, posts = room.latest("Play"), len(room.channel.history())
        assert label in labels(board)
        assert one_sentence(await dan.click(board, label=label)) == "You're not playing in this match."
        for person in sorted(seated, key=lambda person: match.waits_for(UserId(person.id))):
            told = (await person.click(board, label=label)).response
            assert told.ephemeral
            assert told.content.startswith("From now on I discard for you")
        await room.told()
        seen = (await host.look.view(number, None)).observation
        assert [each.winners for each in seen.results] == ["S"]
        assert len(room.channel.history()) - posts == 2, "how the round ended, and the next board"
