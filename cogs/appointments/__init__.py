"""``/… new at:``, ``/match reschedule`` and scheduled events: tables that start at an appointed time (P40)."""

from __future__ import annotations

from typing import Final

from cogs.appointments import hosting
from cogs.appointments.mirroring import Mirroring
from cogs.commands.finding import Which, match_command
from cogs.face import Face
from matches.api import Kind

FACE: Final = Face(
    verbs=hosting.HANDLERS,
    terms=hosting.TERMS,
    agreed=hosting.agreed,
    of_match=(
        match_command(
            "reschedule",
            "Give a table another time to start; everybody at it is told.",
            hosting.reschedule,
            Which.SEATED,
            before={"at": hosting.AT},
        ),
    ),
    posts={
        Kind.EVENT: lambda hands, row, match: Mirroring(hands.bot).tell(row, match),
        Kind.RESCHEDULED: hosting.tell,
    },
    left_out="It doesn't start at a certain time any more: that isn't offered here now. Its host can start it.",
    heard={
        "event_changed": lambda bot, event, deleted: Mirroring(bot).changed(event, deleted=deleted),
        "servers_ready": lambda bot, here: Mirroring(bot).notice(here),
    },
)
