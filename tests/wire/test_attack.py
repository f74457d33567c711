"""Hostile input: nothing breaks, nothing changes, nobody is pinged, and nothing secret is revealed."""

import random
import sys
import unicodedata
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from cogs import HANDLERS
from cogs.press.custom_ids import TYPED
from matches.table.limits import OPEN_TABLES, Deed
from tests.cogs.markdown import active
from tests.cogs.test_limits import COSTS

from .bot_process import BotProcess
from .discord_standin import Answer, Channel, Discord, Message, Person
from .discord_standin.people import together
from .stored import Stored
from .table import Table

pytestmark = pytest.mark.wire

AT_ONCE: Final = 10
NAMES: Final = (
    "@everyone",
    "**_||`",
    "[x](https://example.org)",
    "<@1152921504611041281>",
    "</match leave:12345>",
    "\u202e" + "x" * 31,
    "W" * 32,
    "-# <t:0:R>\n# <#1>",
)
OFTEN: Final = 12
FEW: Final = 3
OWN_WISHES: Final = frozenset({"agree", "bring", "cancel", "depart", "remind", "resigned", "return", "sit", "vote"})
"""Verbs for people with a seat. Pressed by anybody else they must do nothing."""

EVERYBODYS: Final = frozenset({"forgotten"})
"""Verbs for everybody."""

OPENING: Final = frozenset({"practise"})
"""Opens a table of one's own after lessons, limited like ``/<game> new``."""

OWN_LESSON: Final = " · lesson "
"""The text of a person's own lessons. Their made-up hand is nobody else's."""

NASTY: Final = (
    "@everyone",
    "<@{user}>",
    "<@&1>",
    "||x||",
    "**x** `y` ```z```",
    "[a](https://example.org)",
    "drop ?",
    "c roles SSS/D",
    "h end vote",
    "'; DROP TABLE log; --",
    "NS@0,1\nNS@0,2",
    "\u202eevil",
    "Z\u0335\u0321" * 40,
    "\U0001f600" * 50,
    "x" * 6000,
    "9" * 400,
    "NS@" + "9" * 90 + ",0",
    "-0",
    "\x00",
    "{0.__class__}",
    "%s%n",
)


def some_text(rng: random.Random, most: int) -> str:
    """All kinds of Unicode letters (without surrogates, which JSON can't carry)."""
    made = list[str]()
    while len(made) < rng.randint(1, most):
        letter = chr(rng.choice((rng.randrange(128), rng.randrange(0x3000), rng.randrange(sys.maxunicode))))
        if unicodedata.category(letter) != "Cs":
            made.append(letter)
    return "".join(made)


def some_custom_id(rng: random.Random, verbs: list[str], ply: int) -> str:
    """Like one of ours, with parts that never existed; at most 100 characters, Discord's limit."""
    verb = rng.choice((*verbs, some_text(rng, 12)))
    match = rng.choice(("1", "1", "1", "2", "", "0", "999999", "9" * 18, "-1", some_text(rng, 5)))
    at = rng.choice((str(ply), str(ply), "", "0", "3", str(ply + 1), "9" * 9))
    page = rng.choice(("", "0", "1", "999"))
    path = rng.choice(("", "drop", "map|drop", "NS|0,1", "saboteur|0", "end", "wait", some_text(rng, 60), "|" * 50))
    return f"{rng.choice('bsfx')}:{verb}:{match}:{ply if verb == 'pick' else at}:{page}:{path}"[:100]


def words(answer: Answer) -> list[Message]:
    """The new messages of an answer."""
    return [each for each in (answer.message, *answer.followups) if each is not None]


@pytest.fixture
async def scene(table: Table, bot: BotProcess) -> AsyncIterator[tuple[Table, Person, Person]]:
    """A running match, somebody who watches, and somebody who plays in another one (number 2). Nothing may change."""
    discord = table.discord
    watcher, elsewhere = discord.person("Zoe"), discord.person("Yan")
    guild = discord.world.guilds[table.channel.guild_id or 0]
    guild.members |= {watcher.id: watcher.user, elsewhere.id: elsewhere.user}
    await table.turn()
    await elsewhere.command(table.channel, "saboteur new")
    await table.hand_told()
    stored = Stored(bot.database)
    await discord.until(lambda: not stored.to_tell(1) and stored.match(2)["lobby_message_id"])
    before = everything(bot)
    rung = {message.id for message in table.channel.messages.values() if message.pings}
    yield table, watcher, elsewhere
    assert everything(bot) == before
    assert {message.id for message in table.channel.messages.values() if message.pings} == rung
    for request in discord.requests:
        body = request.body or {}
        allowed = (body.get("data") or body if isinstance(body, dict) else {}).get("allowed_mentions") or {}
        assert not allowed.get("parse")


def everything(bot: BotProcess) -> dict[str, Any]:
    """Everything that a hostile press could change."""
    stored = Stored(bot.database)
    tables = {"log": "match_id, ply", "matches": "id", "seats": "match_id, position", "votes": "match_id, user_id"}
    return {name: stored.rows(f"SELECT * FROM {name} ORDER BY {order}") for name, order in tables.items()}


async def in_batches(actions: list[Any]) -> list[Answer]:
    """Run some at a time, and check that everybody is answered."""
    answers: list[Answer] = []
    while actions:
        batch, actions = actions[:AT_ONCE], actions[AT_ONCE:]
        for answer in await together(*batch):
            assert isinstance(answer, Answer), answer
            answers.append(answer)
    return answers


async def forge(scene: tuple[Table, Person, Person], seed: int, count: int) -> None:
    table, watcher, elsewhere = scene
    rng = random.Random(seed)
    board, mover = await table.called(), table.mover()
    ply = int(table.button(board, "Play")["custom_id"].split(":")[3])
    seated = next(person for person in table.people if person is not mover)
    every = sorted(set(HANDLERS) - EVERYBODYS - OPENING)
    harmless = sorted(set(every) - OWN_WISHES)
    made = []
    for _ in range(count):
        person = rng.choice((watcher, elsewhere, seated))
        custom_id = some_custom_id(rng, harmless if person is seated else every, ply)
        if ":join:2:" in custom_id or (person is elsewhere and ":2:" in custom_id):
            continue  # that lobby is open to everybody, and it is theirs
        values = (rng.choice(("0", "computer", "drop", some_text(rng, 20))),) if custom_id[0] in "sf" else ()
        made.append(person.forge(board, custom_id, *values))
    for answer in await in_batches(made):
        if answer.interaction.user.id == seated.id:
            continue
        for message in words(answer):
            if OWN_LESSON in message.content:
                continue
            assert "Your cards" not in message.content
            assert not [each for each in message.attachments if "hand" in each.filename or "role" in each.filename]


async def test_whatever_is_typed_or_forged_does_nothing(scene: tuple[Table, Person, Person]) -> None:
    await type_moves(scene)
    await type_into_options(scene)
    await name_matches(scene)
    await forge(scene, 0, 150)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 21))
async def test_many_forged_buttons_and_menus_do_nothing(scene: tuple[Table, Person, Person], seed: int) -> None:
    await forge(scene, seed, 500)


async def type_moves(scene: tuple[Table, Person, Person]) -> None:
    """Whatever is typed as a move is refused in a sentence."""
    table, watcher, _ = scene
    rng = random.Random(1)
    await table.called()
    mover = table.on_turn()
    texts = [text.replace("{user}", str(watcher.id)) for text in NASTY] + [some_text(rng, 120) for _ in range(40)]
    typed = [mover.command(table.channel, "saboteur play", move=text) for text in texts if text.strip()]
    for answer in await in_batches(typed):
        assert answer.message.visible_to == mover.id
        assert answer.message.content
        assert all(message.pings == () for message in words(answer))


async def type_into_options(scene: tuple[Table, Person, Person]) -> None:
    """Whatever is typed into an option offers or refuses."""
    table, watcher, elsewhere = scene
    rng = random.Random(2)
    await table.called()
    mover = table.on_turn()
    texts = [*NASTY, *(some_text(rng, 100) for _ in range(10))]
    offered = await in_batches([mover.complete(table.channel, "saboteur play", "move", text) for text in texts])
    assert all(len(answer.choices) <= 25 for answer in offered)
    strangers = [person.complete(table.channel, "saboteur play", "move") for person in (watcher, elsewhere)]
    assert all(answer.choices == () for answer in await in_batches(strangers))


async def name_matches(scene: tuple[Table, Person, Person]) -> None:
    """No number of a match opens what isn't one's own."""
    table, watcher, _ = scene
    numbers = (1, 2, 0, -1, 999_999, 2**53 - 1, -(2**53))
    names = ("match", "saboteur play")
    for place in (table.channel, watcher.dm):
        for answer in await in_batches(
            [watcher.command(place, name, match=number) for name in names for number in numbers]
        ):
            for message in words(answer):
                assert "Your cards" not in message.content
                assert not [each for each in message.attachments if "hand" in each.filename]
                assert message.visible_to == watcher.id


async def test_a_name_is_only_a_name(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, len(NAMES))
    for person, name in zip(table.people, NAMES, strict=True):
        person.user.global_name = name
    await bot.start()
    await table.begin("saboteur")
    await table.play_on(turns=len(NAMES) + 1)
    for board in table.boards():
        assert len(board.pings) == 1
        # Once its turn is over, an edit says instead of the mention what became of it, in small print.
        turn = {"line -#"} if board.edited else {f"<@{board.pings[0]}>", f"mentioned <@{board.pings[0]}>"}
        assert {each for each in active(board.content) if not each.startswith("<t:")} - {"line"} == turn


async def test_no_verb_pings_or_posts_without_end(table: Table, bot: BotProcess) -> None:
    """An outsider and a player press everything possible, and type what pings or posts, many times."""
    discord = table.discord
    outsider = discord.person("Zoe")
    discord.world.guilds[table.channel.guild_id or 0].members[outsider.id] = outsider.user
    board, mover = await table.called(), table.mover()
    seated, leaver = (person for person in table.people if person is not mover)
    stored = Stored(bot.database)
    asked = (await leaver.at_match(table.channel, 1, "Leave")).message
    assert asked is not None
    await leaver.press(asked, "Yes, leave")
    await discord.until(lambda: not stored.to_tell(1))
    other = discord.world.text_channel(discord.world.guilds[table.channel.guild_id or 0], "other")
    await discord.channel_event("CHANNEL_CREATE", other)
    before = noise(table.channel, other)
    everybody = " ".join(f"<@{person.id}>" for person in table.people)
    verbs = sorted(set(HANDLERS) - EVERYBODYS - {"resigned", "rematch", "animation"})
    for verb in verbs:
        # Joining one's own match gets an answer, and nothing else.
        for person in (outsider,) if verb == "join" else (outsider, seated):
            await in_batches([person.forge(board, f"b:{verb}:1:0::{seated.id}") for _ in range(times(verb))])
    for number in range(OFTEN):
        for person in (outsider, seated):
            await person.forge(board, "b:sit:1:::")
            here = next(reversed((other, table.channel)[number % 2].messages.values()), board)
            await person.forge(here, "b:movehere:1:::")
            asked = (await person.forge(board, "b:away::::")).message
            assert asked is not None
            await person.fill_in(await person.pick(asked, TYPED), "now" if number % 2 else "2 days")
            await person.command(table.channel, "saboteur new", invite=everybody)
    await discord.until(lambda: not stored.to_tell(1))
    posts, pings = (after - then for after, then in zip(noise(table.channel, other), before, strict=True))
    opened = 2 * OPEN_TABLES
    moved, away, left, reminded = (deed.most for deed in (Deed.MOVE, Deed.AWAY, Deed.LEAVE, Deed.REMIND))
    # In addition one application and a vote to end the match. Players may also show their page to all.
    assert posts <= opened + moved + away + left + reminded + 2 + Deed.SHOW.most
    assert pings <= 3 * opened + reminded + len(table.people)
    # A restart gives no allowance back.
    bot.kill()
    await bot.gone()
    await bot.start()
    for person in (outsider, seated):
        answer = await person.command(table.channel, "saboteur new", invite=everybody)
        assert "You can do this again <t:" in answer.text, answer.text


async def test_no_verb_of_a_match_that_is_over_pings_or_posts_without_end(discord: Discord, bot: BotProcess) -> None:
    """A player and an outsider press everything possible under the last board, many times."""
    table, outsider = Table.of(discord, 2), discord.person("Zoe")
    discord.world.guilds[table.channel.guild_id or 0].members[outsider.id] = outsider.user
    await bot.start()
    await table.begin("gambo")
    await table.called()
    # Leaving before one's first move would call the match off.
    leaver = table.mover()
    for _ in range(2):
        await table.turn()
    asked = (await leaver.at_match(table.channel, 1, "Resign")).message
    assert asked is not None
    await leaver.press(asked, "Yes, resign")
    await discord.until(lambda: table.over, place=table.place)
    last = table.latest()
    assert last is not None
    stored = Stored(bot.database)
    await discord.until(lambda: not stored.to_tell(1))
    before = noise(table.channel)
    for verb in sorted(set(HANDLERS) - EVERYBODYS):
        for person in (outsider, leaver):
            await in_batches([person.forge(last, f"b:{verb}:1:0::{person.id}") for _ in range(times(verb))])
    await discord.until(lambda: not stored.to_tell(1) and not stored.to_tell(2))
    posts, pings = (after - then for after, then in zip(noise(table.channel), before, strict=True))
    # A rematch is one table, and its other player is pinged once. Players may also show their page to all.
    assert posts <= 1 + Deed.SHOW.most
    assert pings <= 1


def times(verb: str) -> int:
    """How often a verb is pressed: more often than is allowed, or a few times if so few of it disturb nobody."""
    costs = COSTS[verb]
    return OFTEN if isinstance(costs, tuple) and any(deed.most < OFTEN for deed in costs) else FEW


def noise(*places: Channel) -> tuple[int, int]:
    """The public messages there, and the people they have pinged, counted."""
    public = [message for place in places for message in place.messages.values() if message.visible_to is None]
    return len(public), sum(len(message.pings) for message in public)
