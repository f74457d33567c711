"""What can be pressed in exercises of every kind. The buttons name the exercise, so nothing is kept in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from cogs.learn import exercise_pages
from cogs.learn.exercise_pages import Sheet
from cogs.play.panel_pages import wants_last_look
from cogs.play.panel_steps import position
from cogs.post import pictures
from cogs.press import places
from cogs.press.components import Verb
from cogs.press.custom_ids import BETWEEN
from cogs.press.reply import Message, Press, answer, stay_in_dms
from games.exercise import Answer
from matches.api import Stale

NOT_POSSIBLE: Final = "That choice is no longer possible."


async def _answered(press: Press, sheet: Sheet, text: str) -> tuple[Sheet, Answer]:
    return sheet, sheet.exercise.answer(text)


class Kind(NamedTuple):
    """One kind of exercise.

    Attributes:
        prefix: the beginning of its verbs.
        named: how many of the first parts of a button's path name the exercise. The choices in the panel follow.
        load: returns the exercise whose button was pressed. Raises Instead with the current page if that one is older.
        tried: answers an action, and stores the result. Returns the exercise as it was before, and the answer.
        show: the verb of **Show me**, if it isn't ``show`` with the prefix.
    """

    prefix: str
    named: int
    load: Callable[[Press], Awaitable[Sheet]]
    tried: Callable[[Press, Sheet, str], Awaitable[tuple[Sheet, Answer]]] = _answered
    show: str = ""


def verbs(kind: Kind) -> dict[str, Verb]:
    """Return what the buttons of these exercises do. The kind itself has a verb for their first page."""

    async def pick(press: Press) -> None:
        """A choice in the panel, by a button or an entry of its menu."""
        sheet = await _loaded(press, kind)
        path = (*_path(press, kind), *(value for entry in press.values[:1] for value in entry.split(BETWEEN)))
        text = _complete(sheet, path, confirmed=False)
        if text is None:
            await open_page(press, sheet, path)
        else:
            await answer_try(press, kind, sheet, text)

    async def turn_page(press: Press) -> None:
        """**Back**, and the buttons that turn the pages of a long menu."""
        sheet, path = await _loaded(press, kind), _path(press, kind)
        _complete(sheet, path, confirmed=False)
        await open_page(press, sheet, path, press.ref.page)

    async def confirm(press: Press) -> None:
        """**Confirm**: try the move."""
        sheet = await _loaded(press, kind)
        text = _complete(sheet, _path(press, kind), confirmed=True)
        if text is None:
            raise Stale(NOT_POSSIBLE)
        await answer_try(press, kind, sheet, text)

    async def show(press: Press) -> None:
        """**Show me**."""
        sheet = await _loaded(press, kind)
        await say(press, sheet, await exercise_pages.shown(sheet))

    handlers = {"pick": pick, "page": turn_page, "back": turn_page, "confirm": confirm}
    found = {f"{kind.prefix}{name}": Verb(handler, edits=True) for name, handler in handlers.items()}
    return {**found, kind.show or f"{kind.prefix}show": Verb(show, edits=True)}


async def open_page(press: Press, sheet: Sheet, path: tuple[str, ...] = (), number: int = 0) -> None:
    """Answer with the panel after the choices `path`."""
    await say(press, sheet, await exercise_pages.page(sheet, path, number))


async def answer_try(press: Press, kind: Kind, sheet: Sheet, text: str) -> None:
    """Try an action, and show whether it was right."""
    before, found = await kind.tried(press, sheet, text)
    await say(press, before, await exercise_pages.answer(before, text, found))


async def say(press: Press, sheet: Sheet, message: Message) -> None:
    """Answer with a page of an exercise."""
    await answer(press, presentable(press, sheet, message))


def presentable(press: Press, sheet: Sheet, message: Message) -> Message:
    """Return a page; with the board in words if the bot may not post pictures here (P29)."""
    if message.pictures and not places.may_attach(press):
        message.pictures = []
        message.content = "\n".join((message.content, pictures.in_words(sheet.view)))
    return message


async def _loaded(press: Press, kind: Kind) -> Sheet:
    stay_in_dms(press)
    return await kind.load(press)


def _path(press: Press, kind: Kind) -> tuple[str, ...]:
    return press.ref.path[kind.named :]


def _complete(sheet: Sheet, path: tuple[str, ...], *, confirmed: bool) -> str | None:
    """The move that these choices make; ``None`` before the last choice or look. Raises Stale if there's none."""
    place = position(sheet.view, path)
    if place is None:
        raise Stale(NOT_POSSIBLE)
    if place.move is None or not (confirmed or not wants_last_look(sheet.view, place)):
        return None
    return place.move.text
