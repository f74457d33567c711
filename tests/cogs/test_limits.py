"""Nobody can disturb others without end: every command, button and menu is limited, or says why not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import discord
import pytest

from cogs import HANDLERS
from cogs.commands.apart import IN_MENU
from games import GAMES
from matches.api import MatchId
from matches.appointments.appointed import APPOINT, RESCHEDULE
from matches.orders.giving import ORDER
from matches.pledges.asking import PLEDGE
from matches.pledges.calls import CALL, CALLED_TO_TABLE
from matches.pledges.resting import CALLED, MISS
from matches.puzzles.solving import REPORT
from matches.table.limits import OPEN_TABLES, Deed, Limit
from tests.cogs.table import Table, at_match, away, behind, cancel, table
from tests.cogs.test_rights import FORGED, commands, said, scene
from tests.matches.test_limits import DEEDS


class Free(StrEnum):
    """Why something needs no limit."""

    PRIVATE = "only whoever asks sees anything of it; what takes a processor long is done one at a time for each"
    PLAY = "the rules of the game say how often: in one's own turn"
    ONCE = "a table, a seat, a person or a question has one end, one start or one vote of somebody"
    LIMITED_BEFORE = "what it undoes was limited, so that it can be done no oftener"
    TALK = "once a turn, and nothing is posted or pinged: the next board post has it"
    OWN = "it changes what somebody has set for themselves, or a server's settings for who manages that"


COSTS: Final[dict[str, tuple[Limit, ...] | Free]] = {
    **{f"/{game} new": (Deed.OPEN, APPOINT, Deed.INVITE, CALL) for game in GAMES},
    **{f"/{game} play": Free.PLAY for game in GAMES},
    **{f"/{game} rules": Free.PRIVATE for game in GAMES},
    **dict.fromkeys(("/play", "/match", "/tables", "match", "finished", "askcancel", "logfile"), Free.PRIVATE),
    "movehere": (Deed.MOVE,),
    "suspect": Free.PRIVATE,
    "operate": Free.PRIVATE,  # Only the bot's owners can.
    "suspected": Free.TALK,
    **dict.fromkeys(("want", "wantset", "wantcall"), (PLEDGE,)),
    "unwant": Free.LIMITED_BEFORE,
    **dict.fromkeys(("willplay", "wontplay"), Free.ONCE),
    "/help": Free.PRIVATE,
    "/learn": Free.PRIVATE,
    "/puzzle": Free.PRIVATE,
    **dict.fromkeys(
        ("puzpick", "puzpage", "puzback", "puzconfirm", "puzshow", "puzplayshown", "puzopen", "puzday"), Free.PRIVATE
    ),
    **dict.fromkeys(("puzeasy", "puznext", "puzstreaks", "puzwrong", "puzset", "puzgive"), Free.PRIVATE),
    "puzshare": (Deed.SHOW,),
    "puzreport": (REPORT,),
    "/leaderboard": Free.PRIVATE,
    "/profile": Free.PRIVATE,
    "/privacy": Free.PRIVATE,
    "/settings me": Free.OWN,
    "/settings server": Free.OWN,
    IN_MENU: Free.OWN,
    **dict.fromkeys(
        ("hand", "board", "log", "logpage", "more", "inwords", "rules", "section", "details"), Free.PRIVATE
    ),
    **dict.fromkeys(
        ("animation", "moments", "replay", "step", "resign", "forget", "computer", "seats", "change", "notnow"),
        Free.PRIVATE,
    ),
    **dict.fromkeys(("hint", "away", "askdepart", "fill", "fair", "review", "turned"), Free.PRIVATE),
    **dict.fromkeys(("ladder", "profile", "ratings", "help", "courses", "privacy"), Free.PRIVATE),
    **dict.fromkeys(("results", "mydata"), (Deed.RESULTS,)),
    **dict.fromkeys(("play", "pick", "page", "back", "confirm"), Free.PLAY),
    **dict.fromkeys(("orders", "order", "orderpage", "orderback", "orderhint"), Free.PRIVATE),
    **dict.fromkeys(("orderpick", "orderconfirm", "instruct", "atonce", "unless", "orderdrop", "orderclear"), (ORDER,)),
    **dict.fromkeys(("agree", "cancel", "close", "start", "vote", "resigned", "forgotten"), Free.ONCE),
    "cancelled": (Deed.END,),
    **dict.fromkeys(("learn", "lesson", "showme", "trypick", "trypage", "tryback", "tryconfirm"), Free.PRIVATE),
    **dict.fromkeys(("retry", *(f"retry{verb}" for verb in ("pick", "page", "back", "confirm", "show"))), Free.PRIVATE),
    **dict.fromkeys(("shown", "skip", "goback", "startover", "setme", "setserver"), Free.OWN),
    # It runs a command with a match or a time, under that command's limits.
    "which": (Deed.ASK, Deed.MOVE, Deed.UNDO, Deed.OPEN, CALL, PLEDGE),
    **dict.fromkeys(("practise", "newtable"), (Deed.OPEN, CALL)),
    "join": (Deed.JOIN,),
    "leave": Free.LIMITED_BEFORE,
    "watch": (Deed.ARRANGE,),
    "level": (Deed.ARRANGE,),
    "filllevel": (Deed.ARRANGE,),
    "where": (Deed.ARRANGE,),
    "starts": (Deed.ARRANGE,),
    "ready": Free.ONCE,
    "missing": Free.PRIVATE,
    "missingpick": (Deed.ARRANGE,),
    "reschedule": (RESCHEDULE,),
    "terms": (Deed.ARRANGE,),
    "remove": (Deed.ARRANGE,),
    "bring": (Deed.BRING,),
    "rematch": (Deed.OPEN, Deed.INVITE, Deed.JOIN),
    "anothertime": (Deed.OPEN, Deed.INVITE, APPOINT),
    "branch": Free.PRIVATE,
    **dict.fromkeys(("playalone", "playhere"), (Deed.OPEN,)),
    "sit": (Deed.ASK,),
    "depart": (Deed.LEAVE, Deed.ABORT),
    "awayuntil": (Deed.AWAY,),
    "return": Free.LIMITED_BEFORE,
    "remind": (Deed.REMIND,),
    "undo": (Deed.UNDO,),
    "posthere": (Deed.SHOW,),
    "postladder": (Deed.SHOW,),
    "postprofile": (Deed.SHOW,),
}
"""Every command, and every verb of a button or menu."""

MANY: Final = 20


class Noise:
    """What the bot has said in public since this was made: posts, and whom they pinged."""

    def __init__(self, room: Table) -> None:
        self.room = room
        self.before = len(room.env.http_requests)

    def _posts(self) -> list[Any]:
        made = []
        for request in self.room.env.http_requests[self.before :]:
            body: Any = request.json or {}
            if request.method == "POST" and request.path.endswith("/callback"):
                body = (body.get("data") or {}) if body.get("type") == 4 else None
            elif request.method != "POST" or not request.path.endswith("/messages"):
                continue
            # The bot says "here" where a test presses a button that stands on no page (`at_match`).
            if body is not None and not body.get("flags", 0) & 64 and body.get("content") != "here":
                made.append(body)
        return made

    @property
    def posts(self) -> int:
        return len(self._posts())

    @property
    def pings(self) -> int:
        return sum(len((body.get("allowed_mentions") or {}).get("users", [])) for body in self._posts())


def test_every_command_button_and_menu_is_limited_or_says_why_it_need_not_be(tmp_path: Path) -> None:
    verbs = {name for name in COSTS if not name.startswith("/") and name != IN_MENU}
    assert verbs == set(HANDLERS)
    named = {deed for deeds in COSTS.values() if isinstance(deeds, tuple) for deed in deeds}
    # Nobody does these: they happen to somebody.
    assert named | {MISS, Deed.EXCUSE, CALLED, CALLED_TO_TABLE} == set(DEEDS)


async def test_every_command_of_the_tree_is_limited_or_says_why_it_need_not_be(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        found = {f"/{command.qualified_name}" for command in commands(room.bot.tree)}
        kinds = (discord.AppCommandType.user, discord.AppCommandType.message)
        found |= {menu.name for kind in kinds for menu in room.bot.tree.get_commands(type=kind)}
    assert found == {name for name in COSTS if name.startswith("/")} | {IN_MENU}


async def test_what_is_free_because_nobody_else_sees_it_says_nothing_to_anybody_else(tmp_path: Path) -> None:
    async with scene(tmp_path / "ambit.db") as at:
        noise = Noise(at.room)
        for name in sorted(name for name, cost in COSTS.items() if cost is Free.PRIVATE):
            for person in (*at.room.people[:2], at.stranger):
                if name.startswith("/"):
                    await person.slash(at.private if person is not at.stranger else at.public, name[1:])
                else:
                    for kind in FORGED:
                        await at.forge(person, name, place=at.public, kind=kind)
        await at.room.told()
        assert (noise.posts, noise.pings) == (0, 0)


async def attacked(room: Table, attack: Callable[[int], Awaitable[Any]]) -> tuple[Noise, list[str]]:
    """The noise of twenty tries, and their refusals."""
    noise, answers = Noise(room), []
    for number in range(MANY):
        result = await attack(number)
        if result.response is not None and "You can do this again <t:" in result.response.content:
            answers.append(result.response.content)
    await room.told()
    return noise, answers


async def test_twenty_times_sit_by_an_outsider_ask_a_table_once(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 4) as room:
        await room.begin("saboteur", 3)
        host = room.bot.host
        await host.play.depart(MatchId(1), room.people[2].id)
        await room.told()
        outsider = room.people[3]
        noise, refused = await attacked(room, lambda _: at_match(outsider, room.channel, "sit"))
        assert (noise.posts, noise.pings) == (1, 2)
        assert len(refused) == MANY - 1
        assert refused[0].startswith("You've already asked this table for a seat, and it hasn't decided yet.")


async def test_twenty_invitations_leave_few_open_tables_and_ping_few(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 6) as room:
        ann, *others = room.people
        invite = " ".join(f"<@{person.id}>" for person in others)
        noise, refused = await attacked(room, lambda _: ann.slash(room.channel, "gambo new", invite=invite))
        assert (noise.posts, noise.pings) == (OPEN_TABLES, 5 * OPEN_TABLES)
        assert len(refused) == MANY - OPEN_TABLES
        assert refused[0].startswith(f"You already have {OPEN_TABLES} tables here that are waiting for players.")


async def test_invitations_to_tables_that_are_closed_again_ping_no_more(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 6) as room:
        ann, *others = room.people
        invite = " ".join(f"<@{person.id}>" for person in others)

        async def open_and_close(number: int) -> Any:
            result = await ann.slash(room.channel, "gambo new", invite=invite)
            if "again <t:" not in said(result):
                await cancel(ann, room.channel)
            return result

        noise, refused = await attacked(room, open_and_close)
        assert noise.pings == Deed.INVITE.most
        assert refused[0].startswith(Deed.INVITE.refusal)


async def test_a_match_is_moved_back_and_forth_a_few_times(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        guild = room.channel.guild
        places = (guild.create_text_channel("other"), room.channel)
        noise, refused = await attacked(
            room, lambda number: at_match(room.people[0], places[number % 2], "move", match=1)
        )
        assert noise.posts == Deed.MOVE.most
        assert refused[0].startswith(Deed.MOVE.refusal)


# FOUND F10
async def test_tables_are_told_a_few_times_that_somebody_is_away_and_whoever_is_can_always_come_back(
    tmp_path: Path,
) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        ann, back = room.people[0], []

        async def come_and_go(number: int) -> Any:
            going = await away(room, ann, "1 day")
            back.append((await away(room, ann, "now")).response.content)
            return going

        noise, refused = await attacked(room, come_and_go)
        assert noise.posts == 2 * Deed.AWAY.most
        assert refused[0].startswith(Deed.AWAY.refusal)
        assert len(refused) == MANY - Deed.AWAY.most
        assert all(said.startswith("Welcome back!") for said in back)
        # Nobody is told that somebody who wasn't away is back.
        assert sum("let 1 table know" in said for said in back) == Deed.AWAY.most


@pytest.mark.parametrize("label", ["Join", "Leave"])
async def test_join_and_leave_come_to_an_end_but_everybody_can_always_leave(tmp_path: Path, label: str) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("saboteur")
        bob, lobby = room.people[1], room.latest("Join")

        async def toggle(number: int) -> Any:
            joining = await bob.click(lobby, label="Join")
            if label == "Leave" and not joining.response.ephemeral:
                await behind(bob, lobby, "Leave")
            return joining

        _, refused = await attacked(room, toggle)
        assert len(refused) == (MANY - Deed.JOIN.most if label == "Leave" else 0)
        assert (await room.bot.host.look.match(MatchId(1))).seat_of(bob.id) is None or label == "Join"
