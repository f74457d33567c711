"""What can be pressed in puzzles. Everything is private, except **Share**."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from cogs import drawing
from cogs.learn import exercise_pages, exercises
from cogs.learn.exercise_pages import Sheet
from cogs.learn.exercises import Kind
from cogs.post import pictures
from cogs.press import components, rights
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref, expect, id_in
from cogs.press.reply import Instead, Message, Press, announce, answer, stay_in_dms, whisper
from cogs.puzzles import form_pages, puzzle_pages
from cogs.puzzles.puzzle_pages import DAY, NEXT, OPEN, REPORT, SHARE, SOLVER, STREAKS, WRONG_PUZZLE
from cogs.text import names, words
from games import GAMES
from games.exercise import Answer
from matches.api import NotAllowed, NotFound, Person, Ply
from matches.puzzles import Puzzles
from matches.puzzles.puzzle import Difficulty, Step
from matches.puzzles.standing import PuzzlePage, PuzzleStanding, PuzzleWish
from matches.records.exercise_view import view
from render.illustrate import PEOPLE

PREFIX: Final = "puz"
SHOW: Final = f"{PREFIX}show"
PLAY_SHOWN: Final = f"{PREFIX}playshown"
ANOTHER: Final = "Another one"
EASY_FIRST: Final = "An easy one first"


# Opening one.


async def open_any(press: Press, wish: PuzzleWish, among: Collection[str] = GAMES) -> None:
    """``/puzzle``: the day's puzzle if it isn't finished, otherwise another one; what they wish for, if anything.

    `among`: of one of these games.
    """
    stay_in_dms(press)
    user = press.person
    if wish == PuzzleWish() and among is GAMES:
        day = await press.host.part(Puzzles).of_the_day(user)
        if day is not None and not day.finished:
            await _open(press, day)
            return
    await _another(press, wish, among=among)


async def _another(press: Press, wish: PuzzleWish, after: str = "", among: Collection[str] = GAMES) -> None:
    found = await press.host.part(Puzzles).pick(press.person, wish, after, among)
    if found is None:
        await answer(press, Message(puzzle_pages.none_left(wish)))
        return
    await _open(press, found)


async def _open(press: Press, standing: PuzzleStanding) -> None:
    """Show a puzzle. Who doesn't know its game is offered to learn it, and an easy puzzle who hasn't solved any."""
    sheet, first, host, game = await _sheet(press, standing), list[tuple[str, Ref]](), press.host, standing.puzzle.game
    if game not in await host.known_games(press.person):
        offers = (offer for feature in host.work.features for offer in feature.of_game)
        first += [(f"{each.label} it first", Ref(each.verb, path=(game,))) for each in offers]
    is_hard = standing.is_open and standing.difficulty > Difficulty.EASY
    if is_hard and await host.part(Puzzles).is_beginner(press.person):
        first.append((EASY_FIRST, puzzle_pages.to(puzzle_pages.EASY, standing)))
    await exercises.say(press, sheet, await _page_of(sheet._replace(beside=(*first, *sheet.beside)), standing))


async def _page_of(sheet: Sheet, standing: PuzzleStanding) -> Message:
    """A puzzle's panel or form; how it went, once it is solved."""
    if not isinstance(standing.puzzle.first, Step):
        return await (form_pages.answered if standing.solved else form_pages.page)(sheet, standing)
    if not standing.solved:
        return await exercise_pages.page(sheet)
    text = f"{sheet.heading}\n{puzzle_pages.over(standing)}"
    return Message(text, [await pictures.board(sheet.view)], components.view(*sheet.after_right))


async def _sheet(press: Press, standing: PuzzleStanding) -> Sheet:
    """A puzzle as its solver has it before them."""
    drawing.share_pictures()
    named, turn = puzzle_pages.named(standing), Ply(standing.row.turn)
    settings = await press.host.settings.player_settings(press.person)
    in_server = press.interaction.guild_id is not None

    def ref(verb: str, path: tuple[str, ...], number: int) -> Ref:
        return Ref(f"{PREFIX}{verb}", None, turn, (named, *path), number)

    beside = [] if standing.is_open else [(ANOTHER, puzzle_pages.to(NEXT, standing))]
    if standing.row.marks:
        beside.append((puzzle_pages.REPORT_IT, puzzle_pages.to(WRONG_PUZZLE, standing)))
    go_on = components.button(ref("open", (), 0), "Go on", Style.success)
    finished = puzzle_pages.after_solving(standing, in_server=in_server)
    return Sheet(
        exercise=standing.attempt,
        view=view(standing.attempt, Person(press.person, SOLVER), PEOPLE, settings),
        heading=puzzle_pages.heading(standing),
        task=puzzle_pages.task(standing),
        ref=ref,
        beside=tuple(beside),
        after_right=finished if standing.solved else (go_on,),
        after_shown=finished,
    )


# Trying.


def _named(press: Press) -> tuple[str, bool]:
    """The key of the pressed puzzle, and whether its kind was asked for. Raises NotAllowed if no puzzle is named."""
    (name, *_) = press.ref.path or ("",)
    key = name.removesuffix(puzzle_pages.BY_KIND)
    expect(bool(key))
    return key, key != name


async def _here(press: Press) -> PuzzleStanding:
    key, by_kind = _named(press)
    return await press.host.part(Puzzles).standing(press.person, key, by_kind=by_kind)


async def _load(press: Press) -> Sheet:
    """The pressed puzzle, whose answer is an action. Raises as `_loaded`, and NotAllowed for any other."""
    sheet, standing = await _loaded(press)
    if not isinstance(standing.puzzle.first, Step):
        raise NotAllowed(words.OUT_OF_DATE)
    return sheet


async def _loaded(press: Press) -> tuple[Sheet, PuzzleStanding]:
    """The pressed puzzle, and how far they are in it. Raises Instead with the current page if this one is older."""
    standing = await _here(press)
    sheet = await _sheet(press, standing)
    # The same press may come twice: the host knows whether it has done that already.
    if press.ref.ply == standing.row.turn or standing.row.press == press.id:
        return sheet, standing
    message = await _page_of(sheet, standing)
    if not standing.solved:
        message.content = f"That page was out of date, so nothing happened. Here's where you are.\n{message.content}"
    raise Instead(exercises.presentable(press, sheet, message))


def _page(press: Press, turn: int | None) -> PuzzlePage:
    key, by_kind = _named(press)
    name = names.plain(press.interaction.user.display_name)
    return PuzzlePage(press.person, key, turn, press.id, press.interaction.guild_id, name, by_kind)


async def _tried(press: Press, sheet: Sheet, text: str) -> tuple[Sheet, Answer]:
    """Answer an action, and store how that went."""
    tried = await press.host.part(Puzzles).answer(_page(press, press.ref.ply), text)
    # The answer that refutes the action may need cards that the opponent could hold: show them with these.
    attempt, found = tried.before.attempt, tried.answer
    if found.legal and not found.right:
        attempt = attempt.imagined(text)
        found = attempt.answer(text)
    # The buttons of its page lead on from where the solver is now.
    before = await _sheet(press, tried.after)
    before = before._replace(exercise=attempt, view=(await _sheet(press, tried.after._replace(attempt=attempt))).view)
    if tried.after.solved:
        streak = await press.host.part(Puzzles).streak(press.person) if tried.after.is_open else None
        found = found._replace(words=f"{found.words}\n{puzzle_pages.solved(tried.after, streak)}")
    return before, found


async def _show(press: Press) -> None:
    """**Show me**: show what is right. The puzzle doesn't count as solved then."""
    stay_in_dms(press)
    _, before = await _loaded(press)
    if before.solved:
        await _open(press, before)
        return
    standing = await press.host.part(Puzzles).show(_page(press, press.ref.ply))
    sheet = await _sheet(press, standing)
    step = standing.attempt.asked
    if isinstance(step, Step):
        if step.right[0].next is not None:
            go_on = components.button(sheet.to("playshown"), "Go on", Style.success)
            another = components.button(puzzle_pages.to(NEXT, standing), "Another puzzle")
            sheet = sheet._replace(after_shown=(go_on, another))
        message = await exercise_pages.shown(sheet)
    else:
        message = await form_pages.shown(sheet, standing)
    await exercises.say(press, sheet, message)


async def _play_shown(press: Press) -> None:
    """**Go on** after **Show me**: play what was shown. The puzzle still doesn't count as solved."""
    stay_in_dms(press)
    _, here = await _loaded(press)
    if here.row.shown and not here.solved and isinstance(here.attempt.asked, Step):
        here = (await press.host.part(Puzzles).answer(_page(press, press.ref.ply), here.attempt.shown)).after
    await _open(press, here)


# Answers that aren't actions.


async def _set(press: Press) -> None:
    """Show the form again with the entry that was picked in one of its menus."""
    stay_in_dms(press)
    sheet, standing = await _loaded_form(press)
    _, number, *path = press.ref.path
    given = [*form_pages.given_in(standing.attempt, path)]
    expect(number in map(str, range(len(given))) and len(press.values) == 1)
    given[int(number)] = press.values[0]
    picked = form_pages.given_in(standing.attempt, given)
    await exercises.say(press, sheet, await form_pages.page(sheet, standing, picked))


async def _give(press: Press) -> None:
    """**Answer**."""
    stay_in_dms(press)
    _, here = await _loaded_form(press)
    given = form_pages.given_in(here.attempt, press.ref.path[1:])
    if form_pages.OPEN in given:
        raise NotAllowed("Pick an answer for each first.")
    tried = await press.host.part(Puzzles).answer(_page(press, press.ref.ply), ",".join(given))
    sheet = await _sheet(press, tried.after)
    if not tried.answer.right:
        message = await form_pages.refused(sheet, tried.text, tried.answer.words)
    else:
        streak = await press.host.part(Puzzles).streak(press.person) if tried.after.is_open else None
        message = await form_pages.answered(sheet, tried.after, streak)
    await exercises.say(press, sheet, message)


async def _loaded_form(press: Press) -> tuple[Sheet, PuzzleStanding]:
    sheet, standing = await _loaded(press)
    if isinstance(standing.puzzle.first, Step) or len(press.ref.path) < 2:
        raise NotAllowed(words.OUT_OF_DATE)
    return sheet, standing


async def _open_again(press: Press) -> None:
    """**Try again**, **Go on**, **Let me try**: the puzzle as far as they are now."""
    stay_in_dms(press)
    await _open(press, await _here(press))


async def _open_day(press: Press) -> None:
    """**Solve it** under the day's post."""
    number = id_in(*press.ref.path[:1] or ("",))
    puzzle = press.host.part(Puzzles).day(number)
    if puzzle is None:
        raise NotFound(puzzle_pages.NOT_YET)
    await _open(press, await press.host.part(Puzzles).standing(press.person, puzzle.key))


async def _next(press: Press) -> None:
    """**Another puzzle**: one of the same game and shelf, or of the kind that was asked for."""
    stay_in_dms(press)
    here = await _here(press)
    await _another(press, here.next, here.puzzle.key)


async def _easy(press: Press) -> None:
    """**An easy one first**: one of the same game, or of a game that they know, if they know only others."""
    stay_in_dms(press)
    here, known = await _here(press), await press.host.known_games(press.person)
    same = {here.puzzle.game}
    await _another(press, PuzzleWish(), among=same if not known or same <= known else known)


# The day's.


async def _share(press: Press) -> None:
    """**Share**: post one line that gives nothing away; in a direct message, give it to copy."""
    standing = await _here(press)
    if standing.number is None or not standing.finished:
        raise NotAllowed("You can share the day's puzzle once you've finished it.")
    line = puzzle_pages.shared(standing)
    if press.interaction.guild_id is None:
        stay_in_dms(press)
        await whisper(press, Message(f"Copy this line wherever you like:\n```\n{line}\n```"))
        return
    rights.refuse_posting(press)
    await press.host.reach.show_on(rights.server(press), press.person)
    name = names.in_message(press.interaction.user.display_name)
    await announce(press, Message(f"**{name}** · {line}"), puzzle_pages.SHARED)


async def _streaks(press: Press) -> None:
    """**Streaks**: the board of the server's streaks."""
    puzzles, server = press.host.part(Puzzles), rights.server(press)
    found = await puzzles.streaks(server)
    await whisper(press, Message(puzzle_pages.streaks(found, await puzzles.streak(press.person))))


# Reports.


async def _ask_what_is_wrong(press: Press) -> None:
    """**Report this puzzle**: ask whether they want to report the puzzle."""
    here = await _here(press)
    view = components.view(
        components.button(puzzle_pages.to(REPORT, here), "Report it", Style.danger),
        components.button(puzzle_pages.to(OPEN, here), "◀ Back"),
    )
    await answer(press, Message(puzzle_pages.ASK, view=view))


async def _report(press: Press) -> None:
    here = await _here(press)
    told = await press.host.part(Puzzles).report(_page(press, None))
    view = components.view(
        components.button(puzzle_pages.to(OPEN, here), "◀ Back"),
        components.button(puzzle_pages.to(NEXT, here), "Another puzzle"),
    )
    await answer(press, Message(told, view=view))


KIND: Final = Kind(PREFIX, 1, _load, _tried, SHOW)
HANDLERS: Final[dict[str, Verb]] = {
    **exercises.verbs(KIND),
    SHOW: Verb(_show, edits=True),
    PLAY_SHOWN: Verb(_play_shown, edits=True),
    form_pages.SET: Verb(_set, edits=True),
    form_pages.GIVE: Verb(_give, edits=True),
    OPEN: Verb(_open_again, edits=True),
    DAY: Verb(_open_day),
    NEXT: Verb(_next, edits=True),
    puzzle_pages.EASY: Verb(_easy, edits=True),
    SHARE: Verb(_share),
    STREAKS: Verb(_streaks),
    WRONG_PUZZLE: Verb(_ask_what_is_wrong, edits=True),
    REPORT: Verb(_report, edits=True),
}
