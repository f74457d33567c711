"""People who may know only what everybody sees of a match, and everything they can think of to learn more.

What the wire carries to them is compared between two bots. One knows the match as it is. The other (by `WIRE_IMAGINE`,
see the launcher) is in a position that looks the same to a spectator.
"""

import random
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from db import Database
from games import GAMES
from games.log import Course
from matches.api import Host, Match, NewMatch, Person, Status, UserId
from matches.records import fair
from matches.work import stored
from tests.store import execute, fresh

from .discord_standin import Channel, Discord, Message
from .discord_standin import Person as Somebody
from .launcher import imagined
from .table import Table, labels

SECRET: Final = tuple(key for key, game in GAMES.items() if game.info.hidden_information)
FORMER: Final = 3
"""In one of this many matches somebody leaves and another person takes the seat over."""

WISHES: Final = frozenset({"Join", "Leave", "Take a seat", "Rematch", "Animation"})
"""What an outsider may really do to a match, or what takes seconds to draw when it is over."""

JUNK: Final = "drop"


class Fate(NamedTuple):
    """How a match of the file was made, so that a table on the wire can be made for it; `former` left their seat."""

    number: int
    game: str
    players: int
    former: bool


async def fill(file: Path, seed: int, count: int) -> list[Fate]:
    """Matches of all games with secrets, each stopped somewhere, with its last board and hands to be announced."""
    rng = random.Random(seed)
    nowhere = Discord()
    fates, changed = [], 0
    async with await Database.open(fresh(file)) as database:
        host = Host(database, entropy=rng.randbytes)
        for number in range(1, count + 1):
            game = SECRET[number % len(SECRET)]
            players = max(3, GAMES[game].info.min_players)
            table = Table.of(nowhere, players + 1, number=number)
            match = await _played(host, table, game, rng)
            former = number % FORMER == 0 and match.status is Status.RUNNING
            if former:
                await _change_seats(host, match, table.people[-1])
            fates.append(Fate(number, game, players, former))
            state = host.work.positions._courses[number].course.state
            changed += str(imagined(state, seed, number)) != str(state)
    assert changed > count // 2, "nothing was hidden in these matches"
    execute(file, "DELETE FROM outbox WHERE ply < (SELECT ply FROM matches WHERE id = match_id)")
    return fates


async def _played(host: Host, table: Table, game: str, rng: random.Random) -> Match:
    """A match with everybody except the table's last person, stopped before its end."""
    first, *others = (Person(UserId(person.id), person.user.global_name or "") for person in table.people[:-1])
    request = NewMatch(game=game, channel_id=table.channel.id, guild_id=table.channel.guild_id)
    match = await host.lobby.open(request, first)
    for person in others:
        match = await host.lobby.join(match.id, person)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, first.user_id)
    draws = (await host.work.read(stored.table, match.id, host.now())).draws
    for _ in range(rng.randint(1, 60)):
        if match.mover is None:
            break  # it closed by itself, before anybody could do anything
        assert match.mover.user_id is not None
        view = await host.look.view(match.id, match.mover.user_id)
        text = rng.choice(view.moves).text
        if _ends(host.work.positions._courses[match.id].course, text, draws):
            break
        match = await host.play.act(match.id, match.mover.user_id, text)
    return match


def _ends(course: Course, text: str, draws: fair.Draws) -> bool:
    """Whether the match would be over after this action and all that follows from it."""
    player = course.state.current_player
    _, after = course.played(player, course.state.string_to_action(player, text))
    following = [course for _, course in after.settled(draws.chance)]
    return (following or [after])[-1].state.is_terminal


async def _change_seats(host: Host, match: Match, newcomer: Somebody) -> None:
    """The first person of the table leaves, and with the table's consent another one takes the seat."""
    leaver, *others = sorted(seat.user_id or 0 for seat in match.seats)
    await host.play.depart(match.id, UserId(leaver))
    await host.absence.apply(match.id, Person(UserId(newcomer.id), newcomer.user.global_name or ""))
    for user_id in others:
        match = await host.look.match(match.id)
        if match.seat_of(UserId(newcomer.id)) is None:
            await host.absence.agree(match.id, UserId(user_id), UserId(newcomer.id))
    assert (await host.look.match(match.id)).seat_of(UserId(newcomer.id)) is not None


class Outsiders:
    """The people who ask, at one match, through one bot."""

    def __init__(self, discord: Discord, fate: Fate) -> None:
        self.fate = fate
        self.table = Table.of(discord, fate.players + 1, number=fate.number)
        guild = discord.world.guilds[self.table.channel.guild_id or 0]
        self.people = [discord.person("Zoe", self._id(50)), discord.person("Yan", self._id(51))]
        guild.members |= {person.id: person.user for person in self.people}
        if fate.former:
            self.people.append(self.table.people[0])
        self.offered: list[Any] = []

    def _id(self, what: int) -> int:
        return self.table.people[0].id - 1 + what

    async def ask(self) -> None:
        """Try everything that they can think of, one after the other."""
        board = await self.table.called()
        for person in self.people:
            await self._press_everything(person, board)
            for place in (self.table.channel, person.dm):
                await self._command_everything(person, place)

    async def _press_everything(self, person: Somebody, message: Message, depth: int = 0) -> None:
        for label in labels(message):
            # An earlier press may have changed the message.
            there = any(part.get("label") == label and not part.get("disabled") for part in message.parts())
            if not there or label in WISHES or (depth and label == "Play") or (depth > 1 and label == "Rules"):
                continue
            answer = await person.press(message, label)
            if answer.message is not None and answer.message is not message and depth < 2:
                await self._press_everything(person, answer.message, depth + 1)

    async def _command_everything(self, person: Somebody, place: Channel) -> None:
        number, game = self.fate.number, self.fate.game
        page = (await person.command(place, "match", match=number)).message
        if page is not None:
            await self._press_everything(person, page, 1)
        for name in ("match", "play", f"{game} play"):
            await person.command(place, name)
        await person.command(place, f"{game} play", match=number, move=JUNK)
        for option in ("move", "match"):
            given: dict[str, Any] = {} if option == "match" else {"match": number}
            offered = await person.complete(place, f"{game} play", option, **given)
            self.offered.append((person.id, option, offered.choices))

    def heard(self) -> dict[str, Any]:
        """Everything that reached them, without what always differs: ids of messages and files."""
        seen: dict[str, Any] = {"offered": self.offered}
        for person in self.people:
            for what, place in (("channel", self.table.channel), ("DM", person.dm)):
                seen[f"{person.user.global_name} in the {what}"] = [_plain(each) for each in person.sees(place)]
        return seen


def _plain(message: Message) -> Any:
    files = [(each.filename, each.description, each.data) for each in message.attachments]
    parts = [{key: value for key, value in part.items() if key != "id"} for part in message.parts()]
    # A turn's clock begins when its board is there, which a busy machine posts late.
    return re.sub(r"<t:\d+", "<t:", message.content), parts, files, message.pings
