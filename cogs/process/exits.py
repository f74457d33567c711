"""How the program ends: exit codes, and a sentence for each error that the operator, the store or Discord causes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

import aiohttp
import discord

from cogs.process import faults
from matches.api import DatabaseError, Unavailable

EXIT_CHANGE: Final = 2
"""A person must change something before another start can succeed."""

EXIT_LATER: Final = 75
"""A later start may succeed without any change (EX_TEMPFAIL of sysexits.h)."""

EXIT_INTERRUPTED: Final = 130
"""Ctrl+C interrupted a command before it was done (the shell's code for SIGINT)."""

SHARDING_REQUIRED: Final = 4011

CLOSE_CODES: Final = {
    4004: "the token is no longer valid",
    4010: "AMBIT_SHARD_COUNT and AMBIT_SHARD_IDS don't fit what it expects",
    4012: "it no longer speaks this version of its protocol, so the bot needs a newer version (code 4012)",
    4013: "it doesn't know the intents that the bot asks for (code 4013)",
}
"""Why Discord closes a connection for good. A person must change something in each case."""


class StartError(Exception):
    """The bot can't start, or can't go on. The message is one plain sentence for the operator.

    `passes`: a later start may succeed without any change.
    """

    def __init__(self, sentence: str, *, passes: bool = False) -> None:
        super().__init__(sentence)
        self.code = EXIT_LATER if passes else EXIT_CHANGE


def of_database(error: DatabaseError, place: str | None = None) -> StartError:
    """Return a database's error for the command line, with the database's name if the sentence lacks it."""
    sentence = str(error)
    named = place is None or place.rpartition(" at ")[2] in sentence
    return StartError(sentence if named else f"{place}: {sentence}", passes=error.passes)


@contextlib.contextmanager
def plain_sentences(*, place: str, has_proxy: bool, counted: bool) -> Iterator[None]:
    """Turn any exception that ends the bot's connections into a StartError.

    `place` names the database. `has_proxy`: Discord is asked through AMBIT_API. `counted`: AMBIT_SHARD_COUNT is set.
    """
    try:
        yield
    except DatabaseError as error:
        raise of_database(error, place) from error
    except Unavailable as error:
        cause = error.__cause__
        raise of_database(cause if isinstance(cause, DatabaseError) else DatabaseError(str(error)), place) from error
    except discord.LoginFailure as error:
        if isinstance(error.__cause__, faults.FAILURES) and faults.is_transient(error.__cause__):
            raise _failed(error.__cause__, has_proxy=has_proxy) from error
        raise StartError("Discord doesn't know this token: copy AMBIT_TOKEN again from the page “Bot”.") from error
    except discord.PrivilegedIntentsRequired as error:
        raise StartError(
            "Discord refuses the intents that the bot asks for; Ambit needs none that must be granted."
        ) from error
    except discord.ConnectionClosed as closed:
        raise _closed(closed.code, counted=counted) from closed
    except discord.app_commands.CommandSyncFailure as error:
        raise StartError(f"Discord refuses the commands: {str(error).splitlines()[-1].strip()}.") from error
    except aiohttp.ClientConnectorCertificateError as error:
        raise StartError("Discord's certificate can't be verified: is this machine's clock right?") from error
    except (*faults.FAILURES, discord.GatewayNotFound) as error:
        raise _failed(error, has_proxy=has_proxy) from error


def _failed(error: BaseException, *, has_proxy: bool) -> StartError:
    passes, status = faults.is_transient(error), faults.status_of(error)
    if status is not None:
        later = "; please try again later" if passes else ""
        return StartError(f"Discord answers with an error (HTTP {status}){later}.", passes=passes)
    cause = "does the proxy at AMBIT_API run?" if has_proxy else "is there a connection to the internet?"
    return StartError(f"Discord can't be reached: {cause}", passes=passes)


def _closed(code: int, *, counted: bool) -> StartError:
    why = CLOSE_CODES.get(code, f"code {code}")
    if code == SHARDING_REQUIRED:
        # Without AMBIT_SHARD_COUNT each start asks Discord for the number, so the next start has enough shards.
        why = "the bot is in so many servers that it needs more shards "
        why += "(AMBIT_SHARD_COUNT)" if counted else "than at its start; the next start asks how many"
    known = code in CLOSE_CODES or (code == SHARDING_REQUIRED and counted)
    return StartError(f"Discord has closed the connection for good: {why}.", passes=not known)
