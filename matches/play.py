"""Playing: actions, resigning, coming back, and the proof that the deals were fair."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from db import matches as queries
from games.core import CHANCE, ActionError, State
from games.log import Line, LogError, after, initial_state
from matches import fair, stored
from matches.computers import Level
from matches.desk import Desk
from matches.errors import Frozen, NotAllowed, NotYourTurn, Refused, Stale, WrongTime
from matches.records import Ended, Match, Seat, Status, Verification
from matches.sitting import Sitting


class Play(Desk):
    """The part of the host that runs matches."""

    async def act(
        self,
        match_id: int,
        user_id: int,
        text: str,
        *,
        ply: int | None = None,
        interaction_id: int | None = None,
        typed: bool = False,
    ) -> Match:
        """Take an action, given as canonical text, or as people type it (`typed`).

        `ply` is the one of the board that was pressed: any other than the match's raises Stale. An
        `interaction_id` that was carried out before changes nothing. Raises NotFound, NotSeated, NotYourTurn,
        WrongTime, NotAllowed, Frozen, Unavailable, and Refused with the rule that forbids it.
        """
        async with self._sitting(match_id) as sitting:
            if not await sitting.repeated(interaction_id):
                state = sitting.running().state
                seat = sitting.seated(user_id)
                if ply is not None and ply != sitting.match.ply:
                    raise Stale("The match has gone on since: please look at the latest board.")
                player = _on_turn(sitting.match, seat)
                sitting.play(player, _read(state, player, text, typed=typed), interaction_id)
        return sitting.match

    async def resign(self, match_id: int, user_id: int, interaction_id: int | None = None) -> Match:
        """Give up: with two players the other wins at once, with more the computer plays on (P15).

        When no other person is left the match ends without a winner (``h end left``). Raises as `act` does.
        """
        async with self._sitting(match_id) as sitting:
            if not await sitting.repeated(interaction_id):
                sitting.running()
                seat = sitting.seated(user_id)
                sitting.note(f"resign {seat.seat}", interaction_id)
                seat = await sitting.set_seat(seat, resigned=True)
                if len(sitting.match.seats) == 2:
                    sitting.end(Ended.RESIGNED)
                elif not sitting.match.present:
                    sitting.note("end left")
                    sitting.end(Ended.LEFT)
                elif seat.computer is None:
                    await hand_over(sitting, seat)
        return sitting.match

    async def take_back(self, match_id: int, user_id: int, interaction_id: int | None = None) -> Match:
        """Whoever comes back takes the seat over from the computer (P14). Raises as `act` does."""
        async with self._sitting(match_id) as sitting:
            if not await sitting.repeated(interaction_id):
                sitting.running()
                seat = sitting.seated(user_id)
                if seat.computer is None:
                    raise WrongTime("You play this seat yourself.")
                sitting.note(f"return {seat.seat}", interaction_id)
                await sitting.set_seat(seat, computer=None)
        return sitting.match

    async def verify(self, match_id: int) -> Verification:
        """Check commitment, seats and every chance line of a match that is over against its seed.

        Raises NotFound, WrongTime while the seed is secret, and Frozen where the log does not fit this program.
        """
        async with self._reading() as connection:
            match, seed, _ = await stored.read(connection, match_id)
            if match.status is not Status.OVER:
                raise WrongTime("The deals can be checked when the match is over: its seed is secret until then.")
            lines = [Line(*row) for row in await queries.lines(connection, match.id)]
        try:
            return await asyncio.to_thread(_verified, match, seed, lines)
        except LogError as error:
            raise Frozen(f"This match cannot be checked any more. {error}") from error


async def hand_over(sitting: Sitting, seat: Seat, interaction_id: int | None = None) -> None:
    """The computer plays this seat from now on."""
    sitting.note(f"computer {seat.seat} {Level.NORMAL}", interaction_id)
    await sitting.set_seat(seat, computer=Level.NORMAL)


def _on_turn(match: Match, seat: Seat) -> int:
    """The seat's number in the game. Raises NotYourTurn or NotAllowed."""
    if seat.computer is not None:
        raise NotAllowed("The computer plays your seat: take it back first.")
    if seat.seat is None or match.mover is None or match.mover.seat != seat.seat:
        raise NotYourTurn(match.info.not_your_turn, match.mover)
    return seat.seat


def _read(state: State[Any], player: int, text: str, *, typed: bool) -> Any:
    """The legal action that this text means. Raises Refused."""
    try:
        if typed:
            return state.parse_action(player, text)
        action = state.string_to_action(player, text)
    except ActionError as error:
        raise Refused(str(error), error.rule) from error
    refusal = state.why_illegal(player, action)
    if refusal is not None:
        raise Refused(str(refusal), refusal.rule)
    return action


def _verified(match: Match, seed: bytes, lines: Sequence[Line]) -> Verification:
    in_lobby = sorted(match.seats, key=lambda seat: seat.position)
    order = fair.seats(seed, match.id, len(match.seats))
    seats_ok = all(in_lobby[position].seat == seat for seat, position in enumerate(order))
    state = initial_state(stored.header(match))
    good = draws = 0
    for line in lines:
        if line.player == CHANCE:
            drawn = state.sample_chance(fair.chance(seed, match.id, draws))
            good += state.action_to_string(drawn) == line.text
            draws += 1
        state = after(state, line, trusted=True)
    told = fair.commitment(seed, match.id)
    return Verification(
        seed=seed.hex(),
        commitment=match.commitment,
        commitment_ok=told == match.commitment,
        seats_ok=seats_ok,
        chance_lines=draws,
        chance_ok=good == draws,
        explanation=_explained(told == match.commitment, seats_ok, good, draws),
    )


def _explained(commitment_ok: bool, seats_ok: bool, good: int, draws: int) -> str:
    if not commitment_ok:
        return "The seed is not the one that the lobby committed to."
    if not seats_ok:
        return "The seats are not those that follow from the seed."
    if good != draws:
        return f"Only {good} of {draws} deals follow from the seed."
    return (
        "The seed is the one that the lobby committed to before anybody joined; the seats and "
        f"{'the only deal' if draws == 1 else f'all {draws} deals'} follow from it."
    )
