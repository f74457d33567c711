"""What can be pressed in lessons. Whatever a button carries, it is about the lessons of whoever presses it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from cogs.learn import lesson_pages
from cogs.learn.lesson_pages import TRY, Learner
from cogs.lobby import lobby_buttons
from cogs.play.panel_pages import wants_last_look
from cogs.play.panel_steps import label, position
from cogs.post import pictures
from cogs.press import components, places
from cogs.press.custom_ids import BETWEEN, Ref
from cogs.press.reply import Interaction, Message, in_time, stay_in_dms, turn_into, whisper, will_edit
from cogs.text import names, words
from games import GAMES
from games.core import ActionError
from games.typed import undecorated
from matches.api import NotAllowed, Refused, Stale, Standing, UserId
from matches.computers.levels import Level

MAX_TYPED: Final = 100

NOT_POSSIBLE: Final = "That choice is no longer possible."

Change: TypeAlias = Callable[[UserId, str, int, int], Awaitable[Standing]]
"""What a course becomes: whose, of which game, at which turn, by which interaction."""


async def open_course(interaction: Interaction, game: str, *, edit: bool = False) -> None:
    """Where somebody is in the lessons of a game: a new private message, or the pressed one changed."""
    stay_in_dms(interaction)
    will_edit(interaction, edit)
    standing = await _standing(interaction, game)
    await _said(interaction, standing, await in_time(interaction, _page(interaction, standing), edit=edit), edit=edit)


async def courses(interaction: Interaction) -> tuple[Standing, ...]:
    """How far somebody is in every game that can be learned."""
    return await interaction.client.host.lessons.courses(UserId(interaction.user.id))


async def list_courses(interaction: Interaction) -> None:
    """All games that can be learned."""
    stay_in_dms(interaction)
    await whisper(interaction, lesson_pages.courses(await courses(interaction)))


async def moves(interaction: Interaction, game: str) -> dict[str, str]:
    """What can be tried where somebody is in the lessons of a game: canonical texts, and how they are picked."""
    attempt = (await _standing(interaction, game)).attempt
    if attempt is None:
        return {}
    view = lesson_pages.seen(attempt, await _learner(interaction))
    return {move.text: ", ".join(label(view, choice) for choice in move.choices) for move in view.moves}


async def try_typed(interaction: Interaction, game: str, typed: str) -> None:
    """``/learn move:``: what is written as the game writes it is tried at once, as what can't be done is."""
    stay_in_dms(interaction)
    standing, learner = await _standing(interaction, game), await _learner(interaction)
    attempt = standing.attempt
    if attempt is None:
        await whisper(interaction, await _page(interaction, standing))
        return
    try:
        text = attempt.read(typed[:MAX_TYPED])
    except ActionError as error:
        raise Refused(str(error), error.rule) from error
    offered = {move.text for move in lesson_pages.seen(attempt, learner).moves}
    if undecorated(typed) == text or text not in offered:
        await _answer(interaction, standing, text)
    else:
        page = lesson_pages.as_read(standing, attempt, learner, text)
        await _said(interaction, standing, await in_time(interaction, page))


async def _standing(interaction: Interaction, game: str) -> Standing:
    return await interaction.client.host.lessons.standing(UserId(interaction.user.id), game)


async def _learner(interaction: Interaction) -> Learner:
    person = names.person(interaction.user)
    return Learner(person, await interaction.client.host.settings.player_settings(person.user_id))


async def _said(interaction: Interaction, standing: Standing, message: Message, *, edit: bool = False) -> None:
    """Answer with a page of a lesson; where the bot may post no pictures, with the board in words instead (P29)."""
    if message.pictures and not places.may_attach(interaction):
        message.pictures = []
        if standing.attempt is not None:
            board = pictures.in_words(lesson_pages.seen(standing.attempt, await _learner(interaction)))
            message.content = "\n".join((message.content, board))
    await (turn_into if edit else whisper)(interaction, message)


async def _page(interaction: Interaction, standing: Standing, path: tuple[str, ...] = (), number: int = 0) -> Message:
    learner, in_server = await _learner(interaction), interaction.guild_id is not None
    return await lesson_pages.lesson(standing, learner, path, number, in_server=in_server)


async def _answer(interaction: Interaction, standing: Standing, text: str, *, edit: bool = False) -> None:
    """Try an action, and say what becomes of it."""
    tried = await interaction.client.host.lessons.answer(
        UserId(interaction.user.id), standing.game, standing.turn, text, interaction.id
    )
    message = await in_time(interaction, lesson_pages.answer(tried, await _learner(interaction)), edit=edit)
    await _said(interaction, standing, message, edit=edit)


async def _open(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Learn**, under a lobby or the rules, which stay."""
    await open_course(interaction, _game(ref))


async def _go_on(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Next**, **Try again**, or a game in the list of courses: the lesson in the place of what was pressed."""
    await open_course(interaction, _game(ref), edit=True)


async def _current(interaction: Interaction, ref: Ref) -> Standing | None:
    """Where the presser is, if that is where they have pressed; else they are shown it, and nothing happens."""
    will_edit(interaction)
    stay_in_dms(interaction)
    standing = await _standing(interaction, _game(ref))
    if ref.ply == standing.turn:
        return standing
    await _show_where_they_are(interaction, standing)
    return None


async def _show_where_they_are(interaction: Interaction, standing: Standing) -> None:
    message = await in_time(interaction, _page(interaction, standing))
    message.content = f"That page was out of date, so nothing happened. Here's where you are now.\n{message.content}"
    await _said(interaction, standing, message)


async def _pick(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """A choice in the panel, by a button or an entry of its menu."""
    standing = await _current(interaction, ref)
    if standing is None:
        return
    path = (*ref.path[1:], *(value for entry in values[:1] for value in entry.split(BETWEEN)))
    text = await _complete(interaction, standing, path, confirmed=False)
    if text is not None:
        await _answer(interaction, standing, text, edit=True)
        return
    page = _page(interaction, standing, path)
    await _said(interaction, standing, await in_time(interaction, page, edit=True), edit=True)


async def _turn_page(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Back**, and the buttons that turn the pages of a long menu."""
    standing = await _current(interaction, ref)
    if standing is not None:
        await _complete(interaction, standing, ref.path[1:], confirmed=False)
        page = _page(interaction, standing, ref.path[1:], ref.page)
        await _said(interaction, standing, await in_time(interaction, page, edit=True), edit=True)


async def _confirm(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Confirm**: the move is tried."""
    standing = await _current(interaction, ref)
    if standing is None:
        return
    text = await _complete(interaction, standing, ref.path[1:], confirmed=True)
    if text is None:
        raise Stale(NOT_POSSIBLE)
    await _answer(interaction, standing, text, edit=True)


async def _complete(
    interaction: Interaction, standing: Standing, path: tuple[str, ...], *, confirmed: bool
) -> str | None:
    """The move that these choices make, if it needs no last look any more. Raises Stale where they lead nowhere."""
    if standing.attempt is None:
        raise Stale(NOT_POSSIBLE)
    view = lesson_pages.seen(standing.attempt, await _learner(interaction))
    place = position(view, path)
    if place is None:
        raise Stale(NOT_POSSIBLE)
    if place.move is None or not (confirmed or not wants_last_look(view, place)):
        return None
    return place.move.text


async def _show(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Show me**."""
    standing = await _current(interaction, ref)
    if standing is None:
        return
    if standing.attempt is None:
        raise Stale(NOT_POSSIBLE)
    page = lesson_pages.shown(standing, standing.attempt, await _learner(interaction))
    await _said(interaction, standing, await in_time(interaction, page, edit=True), edit=True)


async def _play_shown(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Next** after **Show me**: what was shown is played, and the lesson goes on."""
    standing = await _current(interaction, ref)
    if standing is None:
        return
    if standing.attempt is not None and standing.attempt.step is not None:
        await interaction.client.host.lessons.answer(
            UserId(interaction.user.id), standing.game, standing.turn, standing.attempt.shown, interaction.id
        )
    await open_course(interaction, standing.game, edit=True)


async def _skip(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Skip**: on to the next lesson."""
    await _changed(interaction, ref, interaction.client.host.lessons.skip)


async def _go_back(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Do what I skipped**."""
    await _changed(interaction, ref, interaction.client.host.lessons.go_back)


async def _start_over(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Start over**."""
    await _changed(interaction, ref, interaction.client.host.lessons.start_over)


async def _changed(interaction: Interaction, ref: Ref, change: Change) -> None:
    """Let the presser's course change, and show where they are then."""
    standing = await _current(interaction, ref)
    if standing is not None:
        after = await change(UserId(interaction.user.id), standing.game, standing.turn, interaction.id)
        page = _page(interaction, after)
        await _said(interaction, after, await in_time(interaction, page, edit=True), edit=True)


async def _practise(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """At the end of a course: a table like that of ``/<game> new``, whose other seats easy computers have."""
    game = _game(ref)
    info = GAMES[game].info
    if interaction.guild_id is None:
        raise NotAllowed(
            f"Matches are played in server channels. In one, use `/{game} new`, then **Fill with computers**."
        )
    computers = (Level.EASY,) * (info.min_players - 1)
    await lobby_buttons.open_lobby(interaction, game, {"size": info.min_players}, computers=computers)


def _game(ref: Ref) -> str:
    """The game of which the lessons are. Raises NotAllowed where the custom_id names none."""
    (game, *_) = ref.path or ("",)
    if game not in GAMES:
        raise NotAllowed(words.OUT_OF_DATE)
    return game


HANDLERS: Final[dict[str, components.Handler]] = {
    "learn": _open,
    "lesson": _go_on,
    f"{TRY}pick": _pick,
    f"{TRY}page": _turn_page,
    f"{TRY}back": _turn_page,
    f"{TRY}confirm": _confirm,
    "showme": _show,
    "shown": _play_shown,
    "skip": _skip,
    "goback": _go_back,
    "startover": _start_over,
    "practise": _practise,
}
