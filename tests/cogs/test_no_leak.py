"""Nothing that the bot sends to somebody depends on what they can't know.

At every ply of random matches, for every viewer, all messages that the bot would make for them and for the channel are
made twice, by the bot's own functions: from the true match, and from one resampled as that viewer could imagine it.
Text, components, file names, descriptions and pictures must be the same.

Two pictures with equal inputs count as equal (`album` says why). Nevertheless one in `OFTEN` is drawn twice in the
short runs, and one in `SELDOM` in the long ones. A second match of a game in the short runs is compared every `SOME`
plies.
"""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from bot import Ambit
from games import GAMES
from games.core import CHANCE, Stage, State
from games.log import Line, offered
from matches.api import BoardPost, Host, Match, NewMatch, Person, Ping, PlayerSettings, Status, Terms, UserId, View
from matches.ratings.model import LISTED
from matches.suspicions import Suspicions
from render import RENDERERS
from tests.cogs.album import Album, Sketches, sketch
from tests.cogs.imagining import Imagination, Standing, imagined_past
from tests.cogs.ratings.test_ratings import resigned
from tests.cogs.sent import Circumstances, Sent, to_everybody, to_one
from tests.cogs.table import NAMES, Member, Table, labels, make_bot, menu

SECRET_GAMES = sorted(key for key, game in GAMES.items() if game.info.hidden_information)
CHANNEL = 100_000_000_000_000_000
STRANGER = 300_000_000_000_000_000
"""Somebody who only watches."""

MATCHES_AT_MOST = {"ambagibus": 3}
SOAK_MATCHES = int(os.environ.get("AMBIT_LEAK_MATCHES", "50"))
OFTEN: Final = 100
SELDOM: Final = 500
LOOKING_BACK: Final = 16
"""How many plies apart people look back at the whole match. The latest line is compared at every ply."""
SOME: Final = 3
"""How many plies apart a further match of the short runs is compared."""
TYPED: Final = 8
SETTINGS: Final = (
    PlayerSettings(),
    PlayerSettings(Ping.DM, large=True),
    PlayerSettings(Ping.NONE, spoiler=True),
    PlayerSettings(Ping.BOTH, large=True, spoiler=True),
)
"""Settings of the people at the table, in turn."""


class Watched:
    """A random match. Every message is compared with the one from a match that the reader could imagine."""

    def __init__(self, bot: Ambit, match: Match, seed: int, album: Album, every: int) -> None:
        self.bot = bot
        self.every = every
        self.match = match
        self.album = album
        self.changed = 0
        self._rng = random.Random(seed)
        self._seed = seed
        self._true: Host = bot.host
        self._standing = Standing(bot.host, match.id)
        viewers = (None, *range(len(match.seats)))
        self._imaginations = {seat: Imagination(self._true, match.id, seat, seed) for seat in viewers}
        self._typed: set[str] = set()
        self._before: tuple[int, int | None] = (0, None)

    async def play(self) -> None:
        """Play it to the end and compare at every ply, or `every` so many."""
        while self.match.status is Status.RUNNING:
            mover = self.match.mover
            assert mover.user_id is not None
            view = await self._true.look.view(self.match.id, mover.user_id)
            await self._suspect(view)
            await self._compare(view.ply)
            if view.stage is not Stage.SERIES:  # a series of picks has no post for each
                await self._true.outbox.told(0, BoardPost(self.match.id, view.ply + 1, view.ply))
            self._typed |= {move.text for move in self._rng.sample(view.moves, min(TYPED, len(view.moves)))}
            self._before = view.ply, mover.user_id
            self.match = await self._true.play.act(self.match.id, mover.user_id, self._rng.choice(view.moves).text)

    async def _suspect(self, view: View) -> None:
        """Somebody says who they suspect, if roles are hidden."""
        if not view.observation.roles_hidden or view.ply % 3:
            return
        who, whom = self._rng.sample(self.match.seats, 2)
        assert who.user_id is not None
        whom_or_none = self._rng.choice((whom.seat, None))
        self.match = await self._true.part(Suspicions).suspect(self.match.id, who.user_id, whom_or_none)

    async def _compare(self, ply: int) -> None:
        texts = self._rng.sample(sorted(self._typed), min(TYPED, len(self._typed)))
        compared, back = ply % self.every == 0, ply % LOOKING_BACK < self.every
        now = Circumstances(CHANNEL, *self._before, texts, back, self._seed + ply)
        public = await to_everybody(self.bot, self.match.id, self.album, back=now.back) if compared else []
        await self._standing.see()
        for seat, imagination in self._imaginations.items():
            # If the viewer can imagine nothing but the truth, there is nothing to reveal.
            await imagination.see()
            if not compared or not imagination.differs_from(self._standing):
                continue
            self.changed += 1
            assert taken(imagination.course.state) == taken(self._standing.course.state)
            user = UserId(STRANGER if seat is None else self.match.seats[seat].user_id)
            assert user is not None
            with self._asking(self._standing):
                true = public + await to_one(self.bot, self.match.id, user, self.album, now)
            with self._asking(imagination):
                imagined = await to_everybody(self.bot, self.match.id, self.album, back=now.back)
                imagined += await to_one(self.bot, self.match.id, user, self.album, now)
            self._agree(true, imagined, f"for seat {seat} at ply {ply} of {self.match.game}")
        self.album.clear()

    @contextmanager
    def _asking(self, host: Standing) -> Iterator[None]:
        """Let the bot use this host."""
        self.bot.host = host
        try:
            yield
        finally:
            self.bot.host = self._true

    def _agree(self, true: Sent, imagined: Sent, where: str) -> None:
        for (what, one), (also, two) in zip(true, imagined, strict=True):
            assert what == also
            assert one == two, f"{what} {where} tells something hidden"


def taken(state: State[Any]) -> tuple[Any, bool]:
    """The action that is made for the player whose turn it is, if any, and whether one is offered to them (P8).

    Everybody sees both: the first reveals that it was the only one, the second that the match waits.
    """
    waits = offered(state) is not None
    return None if waits else state.forced_action(), waits


async def begun(bot: Ambit, game: str, players: int, seed: int) -> Match:
    """A match of people with different settings, with one of the variants of the game."""
    people = [Person(UserId(200_000_000_000_000_000 + index), name) for index, name in enumerate(NAMES[:players])]
    for number, person in enumerate(people, seed):
        await bot.host.settings.set_player_settings(person.user_id, SETTINGS[number % len(SETTINGS)])
    options = {option.name: option.values[seed % len(option.values)] for option in GAMES[game].info.options}
    match = await bot.host.lobby.open(NewMatch(game, CHANNEL, Terms(options=options)), people[0])
    for person in people[1:]:
        match = await bot.host.lobby.join(match.id, person)
    if match.status is Status.LOBBY:
        match = await bot.host.lobby.start(match.id, people[0].user_id)
    return match


async def run(
    tmp_path: Path, game: str, players: int, seed: int, patch: pytest.MonkeyPatch, share: float, every: int = 1
) -> None:
    album = Album(random.Random(seed), share)
    sketch(game, album, patch)
    bot = make_bot(tmp_path / "ambit.db", entropy=lambda count: random.Random(seed).randbytes(count))
    await bot.open()
    try:
        # A match that ends with the first card, as one of Ambagibus may, hides nothing: try another.
        for other in range(MATCHES_AT_MOST.get(game, 1)):
            number = seed + other * SOAK_MATCHES
            watched = Watched(bot, await begun(bot, game, players, number), number, album, every)
            await watched.play()
            if watched.changed:
                break
        else:
            pytest.fail("nothing was hidden in any of these matches")
        assert album.really_drawn
    finally:
        await bot.database.close()


async def test_what_is_compared_would_tell_a_leak(tmp_path: Path) -> None:
    """An imagined match looks different to anybody but the viewer who imagines it: pictures, words, autocomplete."""
    bot = make_bot(tmp_path / "ambit.db")
    await bot.open()
    try:
        match = await begun(bot, "saboteur", 3, 0)
        mover = match.mover
        assert mover.user_id is not None
        told = []
        for viewer in (mover.seat, None):
            album = Album(random.Random(0), 1)
            bot.host, true = Imagination(bot.host, match.id, viewer, 0), bot.host
            await bot.host.see()
            now = Circumstances(CHANNEL, match.ply, None, ("drop NES",), True, 0)
            told.append(await to_one(bot, match.id, mover.user_id, album, now))
            bot.host = true
    finally:
        await bot.database.close()
    differing = {what for (what, mine), (_, his) in zip(*told, strict=False) if mine != his}
    assert {"hand", "panel", "offers", "told to computers"} <= differing


@pytest.mark.parametrize("game", SECRET_GAMES)
def test_imagined_draws_are_others_that_look_alike(game: str) -> None:
    """So a line of the log that told too much would differ in an imagined match."""
    rng = random.Random(1)
    for viewer in (None, 0, 1):
        state, others = GAMES[game].new_initial_state(GAMES[game].info.max_players), 0
        while state.current_player == CHANCE:
            action = state.sample_chance(rng)
            after = state.child(CHANCE, action)
            line = Line(0, CHANCE, state.action_to_string(action))
            (_, _, text), position = imagined_past(state, line, after, viewer, rng)
            others += text != line.text
            drawn = state.child(CHANCE, state.string_to_action(CHANCE, text))
            assert repr(drawn.observation(viewer)) == repr(after.observation(viewer))
            assert repr(position.observation(viewer)) == repr(after.observation(viewer))
            state = after
        assert others


def test_pictures_of_different_things_are_drawn_and_compared() -> None:
    album, renderer = Album(random.Random(1), 0), RENDERERS["saboteur"]
    state = GAMES["saboteur"].new_initial_state(3)
    while state.current_player == CHANCE:
        state = state.child(CHANCE, state.sample_chance(random.Random(1)))

    def picture(viewer: int, name: str) -> Any:
        sketches = Sketches(renderer, album)
        return album.leaf(sketches.draw(state.observation(viewer), (name, "Bob", "Cleo")))

    assert picture(0, "Ann") == picture(0, "Ann")
    assert album.really_drawn == 2, "the first ones of all are drawn"
    assert picture(0, "Ann") == picture(0, "Ann")
    assert album.really_drawn == 2
    assert picture(0, "Ann") != picture(0, "Eve")
    assert album.really_drawn == 4
    assert picture(1, "Ann") == picture(2, "Ann"), "hands are not on the board"
    assert album.really_drawn == 6


async def test_p34_nothing_that_happens_on_another_server_is_seen_in_ratings(room3: Table) -> None:
    """Neither in a table nor on a page, whoever looks, though the same people play there, and somebody else."""
    ann, bob, _ = room3.people
    other = room3.env.create_guild("Elsewhere")
    place = other.create_text_channel("games")
    there = {person.id: Member(other.add_member(person.user)) for person in room3.people}

    async def told() -> list[tuple[Any, ...]]:
        """Everything that all three are told about ratings here."""
        found = []
        for person in room3.people:
            asked = [await person.slash(room3.channel, "leaderboard", game=game) for game in ("ambush", "gambo")]
            asked.append(await person.slash(room3.channel, "leaderboard"))
            asked += [await person.slash(room3.channel, "profile", person=each.user) for each in room3.people]
            for message in [result.response for result in asked]:
                pictures = [(await file.read(), file.description) for file in message.attachments]
                picking = menu(message)
                offered = () if picking is None else tuple(option.value for option in picking.options)
                found.append((message.content, pictures, labels(message), offered))
        return found

    for _ in range(LISTED):
        await resigned(room3, ann, bob)
    before = await told()
    for _ in range(LISTED):
        await resigned(room3, bob, ann, guild=other.id)
        await resigned(room3, room3.people[2], ann, game="gambo", guild=other.id)
    await room3.bot.host.settings.begin_season(other.id)
    await resigned(room3, bob, ann, guild=other.id)
    assert await told() == before
    elsewhere = await there[ann.id].slash(place, "leaderboard", game="ambush", season=1)
    words = elsewhere.response.attachments[0].description or ""
    assert "1. Bob" in words, "what happened there is seen there"
    await resigned(room3, bob, ann)
    assert await told() != before


@pytest.mark.parametrize(("game", "seed"), [*((game, 1) for game in SECRET_GAMES), ("saboteur", 2)])
async def test_p12_nothing_hidden_in_a_small_match_is_told_to_anybody(
    tmp_path: Path, game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = 1 if seed == 1 else SOME
    await run(tmp_path, game, GAMES[game].info.min_players, seed, monkeypatch, 1 / OFTEN, every)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SOAK_MATCHES))
@pytest.mark.parametrize("game", SECRET_GAMES)
async def test_p12_nothing_hidden_in_any_game_is_told_to_anybody(
    tmp_path: Path, game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = GAMES[game].info
    players = info.min_players + seed % (info.max_players - info.min_players + 1)
    await run(tmp_path, game, players, seed, monkeypatch, 1 / SELDOM)
