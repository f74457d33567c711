"""What people read about a match whose moves were deleted after `AMBIT_KEEP_DAYS`."""

import re
from datetime import timedelta
from pathlib import Path

from matches.api import ManualClock, MatchId, NewMatch, Person, UserId
from tests.cogs.table import TICK, at_match, behind, buttons, finished, labels, private, table
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import moved

GONE = (
    "The moves of match 1 have been deleted, because it ended long ago. Its result is still in **Finished matches** "
    "under `/match`."
)
DEEDS = ("log", "logfile", "replay", "board", "hand", "hint")
OVER = ("undo", "resign", "cancel", "leave", "sit", "move")


async def test_every_command_and_button_of_a_match_without_moves_is_answered_by_a_sentence(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 2, clock=clock, keep_days=30) as room:
        ann, host = room.people[0], room.bot.host
        await moved(host, await host.look.match(await room.begin("gambo", 2)))
        await host.play.resign(MatchId(1), ann.id)
        await room.told()
        assert "(until 30 days after it ends)" in private(await ann.slash(room.channel, "privacy")).content
        history = private(await finished(ann, room.channel)).content
        whole = private(await at_match(ann, room.channel, "verify", match=1)).content
        end = room.latest("Rematch")
        opened = [private(await behind(ann, end, *wanted)) for wanted in ((), ("Log",), ("Replay",))]
        # A look at old data between the leap and the lobby would find nothing, and the next one would be much later.
        await room.told()
        clock.advance(timedelta(days=31))
        # A clock far ahead of everything in the store deletes nothing.
        lobby = await room.bot.host.lobby.open(NewMatch("gambo", room.channel.id), Person(UserId(99), "Zoe"))
        await room.bot.host.lobby.leave(lobby.id, UserId(99))
        await room.env.advance_time(TICK)
        await room.told()
        assert (await room.bot.host.look.match(MatchId(1))).is_pruned

        for deed in DEEDS:
            assert one_sentence(await at_match(ann, room.channel, deed, match=1)) == GONE, deed
        assert one_sentence(await ann.slash(room.channel, "gambo play", match=1)) == GONE
        for deed in OVER:
            assert one_sentence(await at_match(ann, room.channel, deed, match=1)) != "", deed
        told = {}
        for message in (end, *opened):
            for button in buttons(message):
                if button.label == "Rematch":
                    again = await ann.click(message, label=button.label)
                    assert "**Gambo #3**" in again.response.content
                elif not button.disabled and button.label in labels(getattr(message, "message", room.refreshed(end))):
                    answer = await ann.click(message, label=button.label)
                    if answer.response is not None:  # **Another time** is a form, and opens a table as Rematch does.
                        told[button.label] = one_sentence(answer)
        assert {label for label, sentence in told.items() if sentence == GONE} >= {"Replay", "Animation", "Log"}
        assert private(await finished(ann, room.channel)).content == history

        left = private(await at_match(ann, room.channel, "verify", match=1)).content
        assert "what's left checks out" in left
        assert "I can't check the deals any more" in left
        (before,), (after,) = (re.findall(r"Sum: `(.*)`", content) for content in (whole, left))
        assert before == after
