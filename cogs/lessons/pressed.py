"""What can be pressed in lessons. Every button is about the lessons of the person who presses it."""

from __future__ import annotations

from typing import Final

from cogs.learn import exercise_pages, exercises
from cogs.learn.exercise_pages import Sheet
from cogs.learn.exercises import NOT_POSSIBLE, Kind
from cogs.lessons import lesson_pages
from cogs.lessons.lesson_pages import GO_BACK, OPEN, SHOW, SKIP, START_OVER, TRY, Learner
from cogs.lobby import lobby_buttons
from cogs.play.panel_steps import label
from cogs.press.components import Verb
from cogs.press.custom_ids import expect
from cogs.press.reply import Instead, Message, Press, answer, stay_in_dms, whisper
from cogs.text import names
from games import GAMES
from games.exercise import Answer, typed_action
from games.lessons import Attempt
from games.typed import undecorated
from matches.api import NotAllowed, Stale
from matches.computers.levels import Level
from matches.errors import by_the_rules
from matches.lessons import LessonPage, Lessons, Standing

MAX_TYPED: Final = 100


async def open_course(press: Press, game: str) -> None:
    """Show where somebody is in the lessons of a game."""
    stay_in_dms(press)
    await _show_page(press, await _standing(press, game))


async def list_courses(press: Press) -> None:
    """Show all games that can be learned."""
    stay_in_dms(press)
    await whisper(press, lesson_pages.courses(await press.host.part(Lessons).courses(press.person)))


async def moves(press: Press, game: str) -> dict[str, str]:
    """The moves that somebody can try in their current lesson: canonical texts, and the choices that make them."""
    attempt = (await _standing(press, game)).attempt
    if attempt is None:
        return {}
    view = lesson_pages.seen(attempt, await _learner(press))
    return {move.text: ", ".join(label(view, choice) for choice in move.choices) for move in view.moves}


async def try_typed(press: Press, game: str, typed: str) -> None:
    """``/learn move:``: try a move at once if it's written canonically or illegal; otherwise ask how it was read."""
    stay_in_dms(press)
    standing, learner = await _standing(press, game), await _learner(press)
    attempt = standing.attempt
    if attempt is None:
        await whisper(press, await _page(press, standing))
        return
    with by_the_rules():
        text = typed_action(attempt, typed[:MAX_TYPED])
    sheet = lesson_pages.sheet(standing, attempt, learner)
    offered = {move.text for move in sheet.view.moves}
    if undecorated(typed) == text or text not in offered:
        await exercises.answer_try(press, LESSONS, sheet, text)
    else:
        await exercises.say(press, sheet, await exercise_pages.as_read(sheet, text))


async def _standing(press: Press, game: str) -> Standing:
    return await press.host.part(Lessons).standing(press.person, game)


def _pressed(press: Press, standing: Standing) -> LessonPage:
    """The page that was pressed, with how far the presser is in the lessons."""
    return LessonPage(press.person, standing.game, standing.turn, press.id)


async def _learner(press: Press) -> Learner:
    return Learner(names.person(press.interaction.user), await press.host.settings.player_settings(press.person))


async def _presentable(press: Press, standing: Standing, message: Message) -> Message:
    """A page of a lesson; with the board in words if the bot may not post pictures here (P29)."""
    if standing.attempt is None:
        return message
    return exercises.presentable(press, await _sheet(press, standing, standing.attempt), message)


async def _sheet(press: Press, standing: Standing, attempt: Attempt) -> Sheet:
    return lesson_pages.sheet(standing, attempt, await _learner(press))


async def _show_page(press: Press, standing: Standing) -> None:
    """Answer with the page on which somebody is."""
    await answer(press, await _presentable(press, standing, await _page(press, standing)))


async def _page(press: Press, standing: Standing) -> Message:
    return await lesson_pages.lesson(standing, await _learner(press), in_server=press.interaction.guild_id is not None)


async def _open(press: Press) -> None:
    """**Learn**, under a lobby or the rules; **Next**, **Try again**, or a game in the list of courses."""
    await open_course(press, _game(press))


async def _current(press: Press) -> Standing:
    """Where the presser is in the lessons. Raises Instead with that page if they have pressed an older one."""
    stay_in_dms(press)
    standing = await _standing(press, _game(press))
    if press.ref.ply == standing.turn:
        return standing
    message = await _page(press, standing)
    message.content = f"That page was out of date, so nothing happened. Here's where you are now.\n{message.content}"
    raise Instead(await _presentable(press, standing, message))


async def _load(press: Press) -> Sheet:
    """The lesson step that was pressed. Raises Instead as `_current` does, and Stale at the end of the course."""
    standing = await _current(press)
    if standing.attempt is None:
        raise Stale(NOT_POSSIBLE)
    return await _sheet(press, standing, standing.attempt)


async def _tried(press: Press, sheet: Sheet, text: str) -> tuple[Sheet, Answer]:
    """Try an action. A right one is stored."""
    here = sheet.to("open")
    (game,) = here.path
    tried = await press.host.part(Lessons).answer(LessonPage(press.person, game, here.ply, press.id), text)
    if tried.before.attempt is not None:
        sheet = await _sheet(press, tried.before, tried.before.attempt)
    return sheet, tried.answer


LESSONS: Final = Kind(TRY, 1, _load, _tried, SHOW)


async def _play_shown(press: Press) -> None:
    """**Next** after **Show me**: play what was shown, and go on with the lesson."""
    standing = await _current(press)
    if standing.attempt is not None and standing.attempt.step is not None:
        await press.host.part(Lessons).answer(_pressed(press, standing), standing.attempt.shown, shown=True)
    await open_course(press, standing.game)


async def _change(press: Press) -> None:
    """**Skip**, **Do what I skipped** and **Start over**: change the presser's course, and show where they are then."""
    standing, lessons = await _current(press), press.host.part(Lessons)
    change = {SKIP: lessons.skip, GO_BACK: lessons.go_back, START_OVER: lessons.start_over}[press.ref.verb]
    await _show_page(press, await change(_pressed(press, standing)))


async def _practise(press: Press) -> None:
    """At the end of a course: open a table with easy computers, like ``/<game> new``."""
    game = _game(press)
    info = GAMES[game].info
    if press.interaction.guild_id is None:
        raise NotAllowed(
            f"Matches are played in server channels. In one, use `/{game} new`, then **Add missing computers**."
        )
    computers = (Level.EASY,) * (info.min_players - 1)
    await lobby_buttons.open_lobby(press, game, {"size": info.min_players}, computers=computers)


def _game(press: Press) -> str:
    """The game of the pressed lesson. Raises NotAllowed if the custom_id names none."""
    (game, *_) = press.ref.path or ("",)
    expect(game in GAMES)
    return game


HANDLERS: Final[dict[str, Verb]] = {
    "courses": Verb(list_courses),
    "learn": Verb(_open),
    OPEN: Verb(_open, edits=True),
    **exercises.verbs(LESSONS),
    "shown": Verb(_play_shown, edits=True),
    **dict.fromkeys((SKIP, GO_BACK, START_OVER), Verb(_change, edits=True)),
    "practise": Verb(_practise),
}
