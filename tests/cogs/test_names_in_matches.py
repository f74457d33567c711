"""Whole matches among people with hostile names: a name adds nothing but text to what is sent (P31).

Every match is played twice with the same moves: among people with calm names, and with hostile ones. Message by message
both must have the same Discord constructs, and must read the same except for the names.
"""

import asyncio
import random
import re
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import simcord
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cogs.delivery import porter
from cogs.lobby import lobby_post
from cogs.press import reply
from cogs.text import names, words
from games import GAMES
from matches.api import ManualClock, MatchId, Move, Seat, Status
from matches.suspicions import Suspicions
from tests.cogs.markdown import active, harmless_label, read
from tests.cogs.nasty import NASTY, hostile_names
from tests.cogs.table import (
    AT_REST,
    TICK,
    Table,
    at_match,
    away,
    behind,
    buttons,
    cancel,
    change,
    choose,
    entries,
    finished,
    in_the_channel,
    labels,
    make_bot,
    pick,
)
from tests.cogs.table import (
    LONG as LASTING,
)

CALM: Final = ("Qaa", "Qbb", "Qcc", "Qdd")
"""The people of the largest table here, and one who watches."""

WORST: Final = (
    *("[free](https://example.org)", "@everyone <@&1>", "||<t:0:R>||", "\u202e**evil", "# <#100000000000000000>"),
    *("two\n> lines", "שרה _1. 2_", "</match leave:1234567890>", "\\", "```", "-# `x`", "1. discord.gg/abcdef"),
    *("\u200d\u3164", "<@100000000000000000>", "__\u2067~~\\*" + "*" * 23, "<:e:1> ||https://x.y :tada:"),
)
"""A name for everybody in one match of each game."""

MATCHES: Final = settings(
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # looking for a simpler name takes hundreds of matches
)

SHORT: Final = ("ambush", "gambo")

LOG_PAGE: Final = re.compile(r".* · log, page [0-9]+ of [0-9]+(, part [0-9]+ of [0-9]+)?\n")
TURNING: Final = ("◀ Earlier", "Later ▶")

TOUR: Final = 7
"""After this many moves everybody looks at everything."""

SHOWN: Final = 20
"""One of this many moves is made through Discord, and those before it are announced with it."""


class Text(NamedTuple):
    """Something that people read, and where it is."""

    where: str
    text: str


def texts(sent: Any, where: str = "") -> Iterator[Text]:
    """Everything in the JSON of a request that people read."""
    if isinstance(sent, dict):
        if str(sent.get("filename")).startswith("lobby-"):
            return  # a press or the porter sends the lobby's strip, whoever is first
        for key, value in sent.items():
            yield from texts(value, key)
    elif isinstance(sent, list):
        for value in sent:
            yield from texts(value, where)
    elif isinstance(sent, str) and where in {"content", "label", "placeholder", "description", "title", "name", "text"}:
        yield Text(where, levelled(sent))


def levelled(text: str) -> str:
    """A text without the numbers that differ from run to run."""
    return re.sub(r"<t:\d+", "<t:0", re.sub(r"\d{15,}", "1" * 18, text))


class Evening:
    """People at one table, and a record of everything that the bot sends."""

    def __init__(self, room: Table) -> None:
        self.room = room
        self._begun = len(room.env.http_requests)

    def told(self) -> list[Text]:
        """What was sent: to each place in order, what was edited there in order, then all answers in order.

        These run concurrently: old messages are tidied up when nobody waits.

        The log, which has more pages with longer names, is one page at the end.
        """
        requests = self.room.env.http_requests[self._begun :]
        places = [self.room.channel.id, *(person.user.dm_channel.id for person in self.room.people)]
        by_place = {f"/channels/{place}/": number for number, place in enumerate(places)}

        def order(request: Any) -> tuple[int, bool]:
            place = next((number for path, number in by_place.items() if request.path.startswith(path)), len(places))
            return place, place < len(places) and request.method != "POST"

        told = [text for request in sorted(requests, key=order) for text in texts(request.json)]
        pages = [each for each in told if LOG_PAGE.match(each.text)]
        rest = [each for each in told if each not in pages and each.text not in TURNING]
        return [*rest, Text("content", "\n".join(LOG_PAGE.sub("", page.text) for page in reversed(pages)))]

    async def play(self, game: str) -> None:
        """A match from ``new`` to the end, and what people do besides."""
        room, rng = self.room, random.Random(game)
        *players, watcher = room.people
        first, *others = players
        invited = " ".join(person.mention for person in others)
        await first.slash(room.channel, f"{game} new", invite=invited, **LASTING.get(game, {}))
        lobby = room.latest("Join")
        # The deals follow from the ids of these presses, and each message that is sent meanwhile takes an id.
        for person, label in (
            *((person, "Join") for person in others[:1] if len(others) > 1),
            (first, "Remove …"),
            *((person, "Join") for person in others),
            (first, "Start"),
        ):
            await room.told()
            if label == "Remove …":
                if len(others) > 1:
                    await change(person, lobby, label)
            elif label == "Join" or label in labels(room.refreshed(lobby)):
                await person.click(lobby, label=label)
        host, moves = room.bot.host, 0
        while (match := await host.look.match(MatchId(1))).status is Status.RUNNING:
            assert match.mover.user_id is not None
            mover = room.person(match.mover.user_id)
            if moves == TOUR:
                await self._tour(game, mover, watcher)
            if moves % SHOWN:
                await room.unannounced(MatchId(1), rng)
            else:
                view = await host.look.view(MatchId(1), mover.id)
                at_somebody = [move for move in view.moves if any(choice.seat is not None for choice in move.choices)]
                await self._move(mover, rng.choice(at_somebody or view.moves))
            moves += 1
        await room.env.advance_time(TICK)
        await room.told()
        await self._afterwards(game, watcher)

    async def _move(self, mover: Any, move: Move) -> None:
        """A move by the panel, after the moves played meanwhile were announced."""
        await self.room.env.advance_time(TICK)
        await self.room.told()
        shown = (await mover.click(self.room.latest("Play"), label="Play")).response
        if "Play" in labels(shown):  # the board is older than a series of picks
            shown = (await mover.click(shown, label="Play")).response
        shown = await choose(mover, shown, tuple(choice.value for choice in move.choices))
        await mover.click(shown, label="Confirm")

    async def _tour(self, game: str, mover: Any, watcher: Any) -> None:
        """Everybody looks at everything, and the table decides things besides moves."""
        room = self.room
        board = room.latest("Play")
        waiting = next(person for person in room.people[:-1] if person.id != mover.id)
        panel = (await mover.click(board, label="Play")).response
        while not {"Confirm", "Play"}.intersection(labels(panel)):
            panel = (await pick(mover, panel, entries(panel)[-1])).response
        await mover.autocomplete(room.channel, f"{game} play", "move", "")
        await mover.autocomplete(room.channel, "match", "match", "")
        await waiting.click(board, label="Play")
        await waiting.slash(room.channel, f"{game} play", move="nonsense")
        await waiting.slash(room.channel, "play")
        for deed in ("board", "replay", "hint", "advance"):
            await at_match(waiting, room.channel, deed)
        for person in (waiting, watcher):
            more = await person.click(board, label="⋯")
            await person.click(more.response, label="Board as text")
        if GAMES[game].info.hands:
            await waiting.click(board, label="My hand")
        for person in (mover, waiting) if GAMES[game].info.suspected else ():
            suspects = (await behind(person, board, "I suspect …")).response
            await person.click(suspects, custom_id=buttons(suspects)[0].custom_id)
        await waiting.click((await waiting.click(board, label="⋯")).response, label="Remind")
        await away(room, waiting, "1 day")
        await away(room, waiting, "now")
        await cancel(waiting, room.channel)
        asked = await at_match(waiting, room.channel, "leave")
        if "Yes, leave" in labels(asked.response):
            left = await waiting.click(asked.response, label="Yes, leave")
            await at_match(watcher, room.channel, "sit")
            await mover.click(room.latest("Agree"), label="Agree")
            await waiting.click(left.response, label="Take my seat back")

    async def _afterwards(self, game: str, watcher: Any) -> None:
        room = self.room
        last = room.latest("Rematch")
        shown = (await behind(watcher, last, "Log")).response
        while "◀ Earlier" in labels(shown):
            shown = (await watcher.click(shown, label="◀ Earlier")).response
        await behind(watcher, last, "Replay")
        for label in ("This server's", "This server's statistics"):
            await finished(watcher, room.channel, label)
        await room.people[0].click(last, label="Rematch")


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_random_or_deferred() -> Iterator[None]:
    """A busy machine defers answers. A deferred answer takes a message id, and the deals follow from ids.

    Ticks at random times would tidy boards up before a move in one match, and after it in another.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reply, "PATIENCE", 3600.0)
        patch.setattr(porter, "SHORTEST", 1.0)
        yield


@asynccontextmanager
async def party(called: Sequence[str]) -> AsyncIterator[Table]:
    """A table of people with these names."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ambit.db")
        async with simcord.run(make_bot(path, clock=ManualClock()), shard_count=1, settle_timeout=AT_REST) as env:
            guild = env.create_guild("The Tavern")
            channel = guild.create_text_channel("games")
            people = tuple(
                guild.add_member(env.create_user(f"guest{number}", global_name=name))
                for number, name in enumerate(called)
            )
            room = Table(env, path, channel, people)
            await in_the_channel(room)
            try:
                yield room
            finally:
                await room.leave()


async def told_among(game: str, called: Sequence[str]) -> list[Text]:
    """Everything that a whole match announces among people with these names."""
    async with party(called) as room:
        evening = Evening(room)
        await evening.play(game)
        return evening.told()


@cache
def told_among_the_calm(game: str) -> list[Text]:
    """Everything that a match announces among people whose names are letters."""
    return asyncio.run(told_among(game, CALM[: guests(game)]))


def guests(game: str) -> int:
    """How many people come: the players, and one who watches."""
    return GAMES[game].info.min_players + 1


def named(text: str, called: Sequence[str]) -> str:
    """The text with these names instead of the calm ones."""
    parts = re.split(f"({'|'.join(CALM)})", text)
    return levelled("".join(names.plain(called[CALM.index(part)]) if part in CALM else part for part in parts))


def check(game: str, called: Sequence[str]) -> None:
    """Play among people with these names, and compare every text with that of the calm match."""
    seats = tuple(map(names.plain, called))
    if any(names.called(Seat(position=0, name=name, beside=seats)) != name for name in seats):
        return  # They have numbers.
    hostile, calm = asyncio.run(told_among(game, called)), told_among_the_calm(game)
    assert [each.where for each in hostile] == [each.where for each in calm]
    for (where, text), (_, same) in zip(hostile, calm, strict=True):
        if where == "content":
            assert active(text) == active(same), text
            assert levelled(read(text)) == named(read(same), called)
        else:
            assert harmless_label(text), (where, text)
            # The description of a picture has names cut to fit.
            assert where == "description" or text == named(same, called)[:100]


def unnumbered(text: str, name: str) -> bool:
    """Whether a text names somebody without the number that tells them from others of this name."""
    return re.search(rf"(?<!#\d )(?<!#\d\d ){name}(?! \(<@)", read(text) if "\\" in text else text) is not None


# FOUND W4
@pytest.mark.parametrize("game", GAMES)
async def test_people_of_one_name_have_their_number_in_everything_that_a_match_shows(game: str) -> None:
    alike = ("Qaa", "Q\u0430\u0430", "QAA", "Qaa")  # the second has Cyrillic letters
    told = [each for each in await told_among(game, alike[: guests(game)]) if each.where != "name"]
    named = [each for each in told if re.search("q[a\u0430]{2}", each.text.casefold())]
    assert len(named) > 10
    # Whoever opens a table sits there alone, and the tally of a server is about no table.
    alone = {each for each in named if re.search(r"more needed|\b1 of \d seats|most wins", each.text)}
    wrong = [each for each in named if each not in alone and any(unnumbered(each.text, name) for name in alike)]
    assert not wrong, "\n".join(map(str, wrong))


LONG: Final = ("*" * 32, "<" * 32, "_|" * 16)
"""Names whose escaped form is two or three times as long."""


async def test_every_line_of_a_log_is_on_one_page_and_every_page_fits_whatever_the_names() -> None:
    async with party(LONG) as room:
        number, host, rng = await room.begin("saboteur", 3), room.bot.host, random.Random(1)
        for _ in range(70):
            match = await host.look.match(number)
            assert match.mover.user_id is not None
            view = await host.look.view(number, match.mover.user_id)
            await host.play.act(number, match.mover.user_id, rng.choice(view.moves).text)
        await room.told()
        match, reader = await host.look.match(number), room.people[0]
        shown = await host.look.history(number, reader.id)
        lines = zip(shown, words.sentences(match, shown, up_to_now=True), strict=True)
        rows = [f"`{each.ply}` {line}" for each, line in lines if line]
        assert len("\n".join(rows[20:40])) > 2000, "twenty lines do not fit one message"
        page = (await reader.click(room.latest("Play"), label="⋯")).response
        page = (await reader.click(page, label="Log")).response
        pages = [(page.content, labels(page))]
        while "◀ Earlier" in labels(page):
            page = (await reader.click(page, label="◀ Earlier")).response
            pages.insert(0, (page.content, labels(page)))
        told = list[str]()
        for place, (content, turning) in enumerate(pages, 1):
            heading, *here = content.split("\n")
            assert f" · log, page {int(here[0].split('`')[1]) // 20 + 1} of " in heading
            assert len(content) <= 2000
            assert turning == ["◀ Earlier"] * (place > 1) + ["Later ▶"] * (place < len(pages))
            told += here
        assert told == rows
        later = (await reader.click(page, label="Later ▶")).response
        assert later.content == pages[1][0]


async def test_the_lobby_and_the_end_of_ten_with_long_names_lose_nothing_but_letters_of_them() -> None:
    async with party([LONG[1]] * 10) as room:
        room.close_dms()
        number = await room.open("saboteur", invite=" ".join(f"<@{10**17 + guest}>" for guest in range(20)))
        host, rng, lobby = room.bot.host, random.Random(2), room.latest("Join")
        for person in room.people[1:]:
            await person.click(lobby, label="Join")
        content = room.refreshed(lobby).content
        assert content.endswith("…`")
        assert (
            "**10** " in (await lobby_post.message(room.bot, await host.look.match(number))).without_pictures().content
        )
        await room.people[0].click(lobby, label="Start")
        while (match := await host.look.match(number)).status is Status.RUNNING:
            assert match.mover.user_id is not None
            view = await host.look.view(number, match.mover.user_id)
            for seat in match.seats if view.observation.roles_hidden and match.ply % 9 == 0 else ():
                assert seat.user_id is not None
                whom = rng.choice([each.seat for each in match.seats if each is not seat])
                await host.part(Suspicions).suspect(number, seat.user_id, whom)
            await host.play.act(number, match.mover.user_id, rng.choice(view.moves).text)
        await room.told()
        last = room.latest("Rematch")
        # FOUND V13: Who played is one line, as at every table.
        assert len(last.content.split("\n")) <= 6, "the lists of ten would push the picture off a phone's screen"
        assert last.content.endswith("Played by " + " ".join(f"<@{seat.user_id}>" for seat in match.seats))
        told = (await behind(room.people[0], last, "Details")).response.content
        assert len(told) <= 2000
        assert told.endswith(f"<@{match.seats[-1].user_id}>")
        for round_number in (1, 2, 3):
            assert f"Round {round_number}: " in told


@pytest.mark.parametrize("game", GAMES)
def test_a_match_among_people_with_nasty_names_is_told_like_any_other(game: str) -> None:
    first = sum(guests(other) for other in list(GAMES)[: list(GAMES).index(game)])
    check(game, list(islice(cycle(WORST), first, first + guests(game))))


@settings(MATCHES, max_examples=2)
@given(st.sampled_from(SHORT), st.lists(hostile_names(), min_size=len(CALM), max_size=len(CALM)))
def test_a_match_among_people_with_any_names_is_told_like_any_other(game: str, called: list[str]) -> None:
    check(game, called[: guests(game)])


@pytest.mark.soak
@settings(MATCHES, max_examples=100)
@given(
    st.sampled_from(list(GAMES)),
    st.lists(st.sampled_from(NASTY) | hostile_names(), min_size=len(CALM), max_size=len(CALM)),
)
def test_many_matches_among_people_with_any_names_are_told_like_any_other(game: str, called: list[str]) -> None:
    check(game, called[: guests(game)])
