"""The gallery: ``python -m render.gallery`` draws `docs/gallery.md` and the small pictures beside it anew.

Computers played the matches, which the illustrations of the rules show too. Every picture is made from what its viewer
may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import PIL
from PIL import features

from games import GAMES, illustrations
from games.illustrations import Illustration
from render import RENDERERS, Computer, gif, illustrate, leaderboard, lobby, profile
from render.grammar import MAX_ALT_TEXT
from render.leaderboard import Leaderboard, Rated
from render.lobby import Lobby, Sitting
from render.profile import Between, Course, Profile, Role
from render.story import Passed, Story
from render.style import Style

FOLDER: Final = Path(__file__).parent.parent / "docs"
PAGE: Final = "gallery.md"
PICTURES: Final = "gallery"

STYLE: Final = Style(600)

FRAMES: Final = 13
"""Most frames of an animation in the gallery."""

_FRAME: Final = 90
_STOP: Final = 200
_LAST_FRAME: Final = 300
"""How long a frame, one to stop at, and the last frame are shown, in hundredths of a second."""


class Shown(NamedTuple):
    """What the gallery shows of a game: its match at a `ply`, a `seat`'s secrets, an illustration (`rule`), a lobby."""

    ply: int
    seat: int
    rule: str
    lobby: Lobby


_HOST: Final = Sitting("Hana", remark="host")
_FIVE: Final = (
    *(_HOST, Sitting("Борис"), Sitting("Ζωή"), Sitting("勅使河原")),
    Sitting(Computer("Juniper"), remark="normal computer"),
)
_TWO: Final = (_HOST._replace(seat=1), Sitting("Jon", seat=0))
_THREE: Final = (
    *(_HOST._replace(seat=1, won=True), Sitting("Jon", seat=0)),
    Sitting(Computer("Otter"), seat=2, remark="normal computer"),
)

GALLERY: Final = {
    "saboteur": Shown(98, 2, "saboteur-fit", Lobby(_FIVE, 1, "24 hours a turn", "ready")),
    "ambush": Shown(22, 0, "ambush-two", Lobby((_HOST,), 1, "24 hours a turn", "1 more needed")),
    "ambagibus": Shown(
        40, 0, "ambagibus-own", Lobby((_HOST, Sitting("محمد")), 1, "Variant: advanced · 3 days a turn", "ready")
    ),
    "abissal": Shown(80, 1, "abissal-number-pair", Lobby(_THREE, 0, "no time limit", "over")),
    "gambo": Shown(20, 0, "gambo-duels", Lobby(_TWO, 0, "5 minutes a turn", "under way")),
}


class Picture(NamedTuple):
    """One picture of the gallery: its file name, title, alternative text, and the function that draws it."""

    file: str
    title: str
    alt: str
    draw: Callable[[], bytes]


def pictures(key: str) -> Iterator[Picture]:
    """The pictures of a game, from the lobby to the whole match as an animation."""
    shown, draw, name = GALLERY[key], RENDERERS[key], GAMES[key].info.name
    match = f"{key}-match"
    yield Picture(
        f"{key}-lobby.png",
        "The lobby",
        lobby.alt_text(shown.lobby, name),
        lambda: draw.draw_lobby(shown.lobby, name, STYLE),
    )
    pages = {
        "board": ("In the middle of a match", Illustration(match, f"{name} in the middle of a match.", shown.ply)),
        "hand": ("A hand", Illustration(match, f"A hand in {name}.", shown.ply, hand=shown.seat)),
        "role": ("A role", Illustration(match, f"A role in {name}.", shown.ply, role=shown.seat)),
        "rules": ("In the rules", _rule(key, shown.rule)),
    }
    for kind, (title, page) in pages.items():
        if kind not in _missing(key, shown):
            yield Picture(f"{key}-{kind}.png", title, page.alt, partial(illustrate.drawn, page, STYLE))
    yield from _moments(key)
    yield Picture(
        f"{key}.gif", "The whole match", f"A match of {name}, from beginning to end.", partial(_animated, key)
    )


def _moments(key: str) -> Iterator[Picture]:
    """The first big moment of a game's match, its first round if that has a picture of its own, and its end."""
    draw: Any = RENDERERS[key]
    beats, whole = illustrations.watched(f"{key}-match"), _whole(key)
    course = tuple(Passed(beat.public_line, beat.seen) for beat in beats)
    people = illustrate.PEOPLE[: course[0].observation.players]
    captions = [(ply, draw.moment(course[ply - 1].observation, course[ply])) for ply in range(1, len(course) - 1)]
    for ply, caption in [each for each in captions if each[1] is not None][:1]:
        seen = course[ply].observation
        words = draw.moment_text(seen, people, caption)
        yield Picture(
            f"{key}-moment.png",
            "A big moment",
            words,
            partial(draw.draw_moment, seen, people, (), STYLE, caption),
        )
    rounds = [ply for ply, beat in enumerate(beats[:-1]) if beat.round_over]
    for ply in rounds[: draw.paint_round is not None]:
        told = Story(course[: ply + 1])
        words = draw.round_words(told, people)
        yield Picture(f"{key}-round.png", "A round is over", words, partial(draw.draw_round, told, people, STYLE))
    words = draw.end_words(whole, people)
    yield Picture(f"{key}-end.png", "The end", words, partial(draw.draw_end, whole, people, STYLE))


def _whole(key: str) -> Story:
    """A game's match, from its beginning to its end."""
    course = tuple(Passed(beat.full_line, beat.seen) for beat in illustrations.watched(f"{key}-match"))
    return Story(course, RENDERERS[key].ended(course[-1].observation))


FRONT: Final = "match.gif"
"""The animation on the first screen of the README."""


def front() -> Picture:
    """A match of Gambo: the board at the start and after each duel, and its end."""
    return Picture(
        FRONT,
        "A match",
        "A match of Gambo: the rows at the start, the board after each duel, and who wins.",
        _front,
    )


def _front() -> bytes:
    key, people = "gambo", illustrate.PEOPLE[:2]
    draw, whole = RENDERERS[key], _whole(key)
    boards, duels = [whole.course[1].observation], 0
    for seen in (each.observation for each in whole.course):
        # The end has a picture of its own.
        if len(seen.duels) > duels and seen.outcome is None:
            boards.append(seen)
        duels = len(seen.duels)
    frames = [gif.Frame(partial(draw.paint_frame, seen, people, STYLE), 2 * _FRAME) for seen in boards]
    return gif.animated([*frames, gif.Frame(partial(draw.paint_match_end, whole, people, STYLE), 2 * _LAST_FRAME)])


_TABLE: Final = Leaderboard(
    (
        Rated(1, "Ζωή", 1746, 58, 84, 6),
        Rated(2, "勅使河原", 1688, 64, 61, -11),
        Rated(3, "Hana", 1652, 71, 40, 14, own=True),
        Rated(4, "محمد", 1540, 96, 18, -17),
        Rated(5, "Борис", 1423, 148, 7, 31, provisional=True),
        Rated(0, "Ngọc", 1526, 103, 2, 26, provisional=True, lacks=3),
    ),
    "on this server, season 2",
    "page 1 of 1",
)
"""Made-up ratings."""


def _course(key: str, matches: int, drift: float, spread: int) -> Course:
    """A made-up history of a rating over so many matches, all within 400 days."""
    name = GAMES[key].info.name
    rng, moment, rating = Random(f"{key} {name}"), datetime(2026, 1, 4, tzinfo=UTC), 1500.0
    points = []
    for played in range(matches):
        moment += timedelta(days=rng.uniform(0, 400 / matches))
        rating += rng.gauss(drift, 70 / (1 + played / 8))
        points.append((moment, rating))
    now, won, place = round(rating), matches * 2 // 5, 3 if key == "gambo" else 7
    return Course(key, name, now, spread, matches, won, tuple(points), place, provisional=spread > 100)


def _profile() -> Profile:
    return Profile(
        "Hana",
        "on this server, season 2",
        (_course("saboteur", 64, 1.5, 60), _course("gambo", 40, 3.0, 71), _course("abissal", 9, 4.0, 140)),
        (Role("As gold-digger", 41, 24, 0.52), Role("As saboteur", 23, 7, 0.41)),
        Between(12, 7, 4),
        (
            "Best moment: 26 : 14 in Gambo, after 4 : 14 (3 Mar 2026)",
            "Finished 109 of 113 matches",
            "Last 90 days: finished 38 of 40, answers in 2 hours (median)",
        ),
    )


def ratings() -> Iterator[Picture]:
    """The pictures of ratings: a table and a person's page."""
    name, shown = GAMES["gambo"].info.name, _profile()
    yield Picture(
        "ratings-table.png",
        "A table",
        leaderboard.alt_text(_TABLE, name, MAX_ALT_TEXT),
        lambda: RENDERERS["gambo"].draw_leaderboard(_TABLE, name, STYLE),
    )
    yield Picture(
        "ratings-person.png",
        "A person",
        profile.alt_text(shown, MAX_ALT_TEXT),
        lambda: profile.draw(shown, {key: RENDERERS[key].emblem for key in GAMES}, STYLE),
    )


def _rule(key: str, name: str) -> Illustration:
    """The illustration of this name in a game's rules that shows the end of a log."""
    return next(each for each in illustrations.of_game(key) if each.name == name and each.ply is None)


def _missing(key: str, shown: Shown) -> set[str]:
    """The kinds of pictures that a game doesn't have: a hand without secret cards, a role without roles."""
    draw: Any = RENDERERS[key]
    seen = illustrations.observed(Illustration(f"{key}-match", "", shown.ply, hand=shown.seat))
    people = illustrate.PEOPLE[: seen.players]
    texts = {"hand": draw.hand_text(seen, people), "role": draw.role_text(seen, people)}
    return {kind for kind, text in texts.items() if text is None}


def _animated(key: str) -> bytes:
    """The match in a few frames, among them the last."""
    beats = illustrations.watched(f"{key}-match")
    shots = RENDERERS[key].shots(beats, illustrate.PEOPLE[: beats[0].seen.players])
    count = min(FRAMES, len(shots))
    chosen = [shots[number * (len(shots) - 1) // (count - 1)] for number in range(count)]
    delays = [_STOP if shot.stop else _FRAME for shot in chosen[:-1]] + [_LAST_FRAME]
    return gif.animated(
        [gif.Frame(partial(shot.paint, STYLE), delay) for shot, delay in zip(chosen, delays, strict=True)]
    )


def all_pictures() -> Iterator[Picture]:
    """Every picture of the gallery, and the one of the README."""
    yield front()
    for key in GALLERY:
        yield from pictures(key)
    yield from ratings()


def tools() -> str:
    """The libraries and their versions that the pictures depend on."""
    return f"Pillow {PIL.__version__}, FreeType {features.version('freetype2')}"


def page() -> str:
    """The page that shows the pictures, in Markdown."""
    lines = [
        "# Gallery",
        "",
        "All pictures are drawn by the program, here at half their usual width; its computers played the matches.",
        "`make gallery` draws this page again.",
        *_shown(iter((front(),))),
    ]
    for key in GALLERY:
        info = GAMES[key].info
        lines += ["", f"## {info.name}", "", info.summary, *_shown(pictures(key))]
    lines += ["", "## Ratings", "", "Who is best at a game on a server, and how it has gone for somebody."]
    lines += _shown(ratings())
    return "\n".join([*lines, "", f"Drawn with {tools()}.", ""])


def _shown(these: Iterator[Picture]) -> Iterator[str]:
    """The lines of the page that show some pictures."""
    for picture in these:
        words = picture.alt.replace("[", "(").replace("]", ")").replace("\n", " ")
        yield from ("", f"**{picture.title}**", "", f"![{words}]({PICTURES}/{picture.file})")


def main() -> None:
    """Draw all pictures, write the page, and remove files that it doesn't show."""
    folder = FOLDER / PICTURES
    folder.mkdir(exist_ok=True)
    drawn = {picture.file: picture.draw() for picture in all_pictures()}
    for stale in {file.name for file in folder.iterdir()} - set(drawn):
        (folder / stale).unlink()
    for name, data in drawn.items():
        (folder / name).write_bytes(data)
    (FOLDER / PAGE).write_text(page(), "utf-8")
    print(f"{len(drawn)} pictures, {sum(map(len, drawn.values())) / 1000:.0f} kB, in {PAGE}.")


if __name__ == "__main__":
    main()
