"""Every press is acknowledged in time, wherever the time goes, and never twice."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.press import reply
from cogs.press.reply import Message, Press, answer, promised, whisper

KINDS = discord.InteractionResponseType


class Response:
    """Discord's side of one interaction: slow, and refusing a second answer."""

    def __init__(self) -> None:
        self.type: KINDS | None = None
        self.heard: list[str] = []

    def is_done(self) -> bool:
        return self.type is not None

    async def _hear(self, what: str, kind: KINDS) -> None:
        assert self.type is None, f"{what} after {self.heard}"
        await asyncio.sleep(0)
        assert self.type is None, f"{what} at the same time as {self.heard}"
        self.heard.append(what)
        self.type = kind

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        assert ephemeral is thinking, "the answer that follows is for this person only"
        kind = KINDS.deferred_channel_message if thinking else KINDS.deferred_message_update
        await self._hear("thinking" if thinking else "noted", kind)

    async def send_message(self, **_: Any) -> None:
        await self._hear("message", KINDS.channel_message)

    async def edit_message(self, **_: Any) -> None:
        await self._hear("edit", KINDS.message_update)


class Interaction(SimpleNamespace):
    """The parts of an interaction that answers need."""

    def __init__(self) -> None:
        followup = SimpleNamespace(send=self._follow)
        super().__init__(type=discord.InteractionType.component, message=None, response=Response(), followup=followup)

    async def _follow(self, **_: Any) -> None:
        self.response.heard.append("followup")

    async def edit_original_response(self, **_: Any) -> None:
        self.response.heard.append("edit of the original")


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply, "PATIENCE", 0.0)


@pytest.fixture
def asked() -> Any:
    return Interaction()


@pytest.fixture
def press(asked: Any) -> Press:
    return Press(asked)


async def slow() -> None:
    """Something that takes longer than the bot's patience."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_slow_work_before_any_answer_is_acknowledged_and_then_answered(asked: Any, press: Press) -> None:
    async with promised(press):
        await slow()
        assert asked.response.heard == ["thinking"]
        await whisper(press, Message("yes"))
    assert asked.response.heard == ["thinking", "edit of the original"]


async def test_slow_work_on_a_panel_keeps_the_panel(asked: Any, press: Press) -> None:
    async with promised(press):
        press.promise.edits = True
        await slow()
        await answer(press, Message("yes"))
    assert asked.response.heard == ["noted", "edit of the original"]


async def test_a_refusal_after_a_silent_acknowledgement_is_a_message_of_its_own(asked: Any, press: Press) -> None:
    async with promised(press):
        press.promise.edits = True
        await slow()
        await whisper(press, Message("no"))
    assert asked.response.heard == ["noted", "followup"]


@pytest.mark.parametrize("turns", range(6))
async def test_an_answer_never_meets_its_own_announcement(asked: Any, press: Press, turns: int) -> None:
    async with promised(press):
        for _ in range(turns):
            await asyncio.sleep(0)
        await whisper(press, Message("yes"))
        await slow()
    assert asked.response.heard in (["message"], ["thinking", "edit of the original"])


async def test_whoever_is_answered_in_time_hears_of_no_thinking(asked: Any, press: Press) -> None:
    async with promised(press):
        await whisper(press, Message("yes"))
        await slow()
    assert asked.response.heard == ["message"]


async def test_what_discord_says_to_the_announcement_is_heard(asked: Any, press: Press) -> None:
    async def refuse(**_: Any) -> None:
        raise LookupError("too late")

    asked.response.defer = refuse
    with pytest.raises(LookupError):
        async with promised(press):
            await slow()
