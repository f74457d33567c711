"""Leaving never pays: each act at each point of a life is compared with resigning and with playing on.

All follow one line of play, the same for everybody, so a substitute is as strong as the person. A table in
`docs/ratings.md`, which is read here, lists the acts by which somebody does better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from db.model.ids import UserId
from matches.api import Ended, Kind, Pace, Status, Vote
from matches.ratings.model import Level, computer, rated
from matches.ratings.result import Entrant
from matches.table import absence, play, privacy, rating, undo, votes
from tests.matches.lives import Life, Wish, asked
from tests.matches.tables import PEOPLE
from tests.slowness import some_slow

DOCS: Final = Path(__file__).parents[2] / "docs" / "ratings.md"
FRIEND: Final = PEOPLE[6]
LEVELS: Final = (1300.0, 1500.0, 1700.0)
"""The person's strength; everybody else has 1500."""


class Wanted(NamedTuple):
    """A game for this many people and computers."""

    game: str
    people: int
    computers: int = 0


TABLES: Final = (
    Wanted("ambush", 2),
    Wanted("gambo", 2),
    Wanted("abissal", 3),
    Wanted("abissal", 2, 1),
    Wanted("ambush", 1, 1),
)


class Worth(NamedTuple):
    """The worth of a life for somebody: rating points, and 1 for a finished match, -1 for an unfinished one."""

    points: float
    record: int


Deed = Callable[[Life, UserId], bool]
"""An act of somebody. Returns whether it was possible."""


def begun(table: Wanted) -> Life:
    life = Life.begin(Wish(table.game, people=table.people, computers=table.computers, pace=Pace.DAY))
    for request in life.wish.requests():
        question = asked(request, life)
        assert question is not None
        life.ask(question, life.loaded())
    assert life.table.match.status is Status.RUNNING
    return life


def play_on(life: Life, actions: int | None = None, *, but: UserId | None = None) -> None:
    """Play this many actions of the one line, or all. One person may stay away; then stop when the table waits for
    them.
    """
    done = 0
    while life.table.match.status is Status.RUNNING and done != actions:
        if but is not None and life.table.match.waits_for(but):
            return
        decide = life.next_action()
        assert decide is not None
        assert life.decide(decide) is None
        done += 1


def others(life: Life, person: UserId) -> list[UserId]:
    return [seat.user_id for seat in life.table.match.present if seat.user_id not in (None, person)]


# The acts.


def resign(life: Life, person: UserId) -> bool:
    return life.decide(lambda table: play.resign(table, person)) is None


def leave(life: Life, person: UserId) -> bool:
    return life.decide(lambda table: play.depart(table, person)) is None


def block_and_leave(life: Life, person: UserId) -> bool:
    life.apart.update((person, other) for other in others(life, person))
    return leave(life, person)


def leave_and_come_back(life: Life, person: UserId) -> bool:
    if len(life.table.match.seats) == 2:
        return False
    return leave(life, person) and life.decide(lambda table: play.take_back(table, person)) is None


def delete_their_data(life: Life, person: UserId) -> bool:
    return life.decide(lambda table: privacy.forget(table, person)) is None


def take_a_hint(life: Life, person: UserId) -> bool:
    return life.decide(lambda table: rating.helped(table, person)) is None


def ask_to_take_back(life: Life, person: UserId) -> bool:
    """Ask. Nobody answers, unless there is nobody to ask."""
    table = life.loaded()
    assert table.course is not None
    number = undo.retractable(table.match, table.course)
    return number is not None and life.decide(lambda table: undo.undo(table, person, number)) is None


def call_it_off(life: Life, person: UserId) -> bool:
    """Vote to end the match, with as few others as are needed."""
    for voter in (person, *others(life, person)):
        if life.table.match.status is Status.RUNNING and life.decide(lambda t, v=voter: votes.cancel(t, v)) is not None:
            return False
    everybody = len(life.table.match.present) > 1
    agreed = {ballot.user_id for ballot in life.table.match.ballots if ballot.vote is Vote.CANCEL}
    return not (everybody and agreed >= {seat.user_id for seat in life.table.match.present})


def call_it_off_together(life: Life, person: UserId) -> bool:
    """Everybody who plays agrees to end the match."""
    people = [person, *others(life, person)]
    if len(people) < 2:
        return False
    *first, last = people
    # They decide one after the other: the last vote decides, so the others' votes come first.
    for voter in first:
        if life.decide(lambda table, v=voter: table.with_ballot(v, Vote.CANCEL)) is not None:
            return False
    return life.decide(lambda table: votes.cancel(table, last)) is None


def sit_a_friend_down(life: Life, person: UserId) -> bool:
    """A friend takes a computer's seat, with everybody's consent."""
    life.known.setdefault(FRIEND.user_id, life.table.stranger)
    if life.decide(lambda table: absence.apply(table, FRIEND)) is not None:
        return False
    for voter in (person, *others(life, person)):
        if life.table.match.applications:
            life.decide(lambda table, v=voter: absence.agree(table, v, FRIEND.user_id))
    return not life.table.match.applications


def _stop(life: Life, person: UserId, choice: Vote | None) -> bool:
    """Let every turn pass. The others play on, and vote for `choice` when asked; for waiting only once."""
    play_on(life, but=person)
    match = life.table.match
    while match.status is Status.RUNNING and match.waits_for(person):
        for voter in others(life, person):
            if choice is not None and match.asking and (choice is not Vote.WAIT or match.asked == 1):
                life.decide(partial(votes.vote, user_id=voter, choice=choice))
        still = life.table.match.status is Status.RUNNING and life.table.match.waits_for(person)
        if still and not life.pass_on():
            return False
        match = life.table.match
    return True


def stop_while_nobody_waits(life: Life, person: UserId) -> bool:
    return _stop(life, person, None)


def stop_while_others_wait(life: Life, person: UserId) -> bool:
    return bool(others(life, person)) and _stop(life, person, Vote.WAIT)


def stop_till_a_computer_plays(life: Life, person: UserId) -> bool:
    return bool(others(life, person)) and _stop(life, person, Vote.COMPUTER)


def stop_till_the_others_end_it(life: Life, person: UserId) -> bool:
    return bool(others(life, person)) and _stop(life, person, Vote.END)


DEEDS: Final[dict[str, Deed]] = {
    "leaves": leave,
    "blocks everybody and leaves": block_and_leave,
    "leaves and comes back": leave_and_come_back,
    "has their data deleted": delete_their_data,
    "takes a hint": take_a_hint,
    "asks to take a move back": ask_to_take_back,
    "ends it with a majority": call_it_off,
    "agrees with everybody to call it off": call_it_off_together,
    "seats a friend in a computer's place": sit_a_friend_down,
    "stops playing, and so does everybody else": stop_while_nobody_waits,
    "stops playing while others wait": stop_while_others_wait,
    "stops playing until a computer plays": stop_till_a_computer_plays,
    "stops playing until the others end it": stop_till_the_others_end_it,
}


def excepted() -> set[str]:
    """The acts by which somebody may do better, according to the page."""
    page = DOCS.read_text().split("<!-- exceptions -->")[1].split("<!-- end of exceptions -->")[0]
    return {row.strip() for row in re.findall(r"^\| somebody ([^|]+)\|", page, re.MULTILINE)}


# The worth of lives.


def points(entrants: dict[int, Entrant], position: int, game: str, mu: float) -> float:
    """How far a result moves the rating of the person who began at this position, by the model alone."""
    if position not in entrants:
        return 0.0
    levels = {
        each: computer(game, entrant.level) if entrant.level else Level(mu if each == position else 1500.0, 80.0)
        for each, entrant in entrants.items()
    }
    own = entrants[position]
    compared = dict(entrants)
    if any(entrant.absent for entrant in entrants.values()) and not own.absent:
        compared = {each: entrant for each, entrant in entrants.items() if each == position or entrant.absent}
    order = sorted(compared)
    after = rated([levels[each] for each in order], [compared[each].place for each in order])
    change = after[order.index(position)].mu - mu
    return min(change, 0.0) if own.helped else change


def worth(life: Life, position: int, mu: float) -> Worth:
    match = life.table.match
    assert match.status is Status.OVER
    seat = match.seats[[each.position for each in match.seats].index(position)]
    entrants = {} if life.result is None else dict(life.result.entrants)
    return Worth(points(entrants, position, match.game, mu), {True: 1, None: 0, False: -1}[seat.finished])


def as_it_stands(life: Life, position: int, mu: float) -> float:
    """The points if the match ended by its rules as it stands, with the current position's ranking."""
    table = life.loaded()
    ended = table.ended(Ended.RULES)
    return points(dict(rating.meaning(ended).entrants), position, table.match.game, mu)


@cache
def moments(table: Wanted) -> tuple[Life, ...]:
    """The life of this table before each action of the one line."""
    life, found = begun(table), list[Life]()
    while life.table.match.status is Status.RUNNING:
        found.append(life.fork())
        play_on(life, 1)
    return tuple(found)


@cache
def beside(table: Wanted, point: int) -> tuple[Life, Life]:
    """Two lives from this point on: the first person resigns, or plays on."""
    resigning, playing = (moments(table)[point].fork() for _ in range(2))
    assert resign(resigning, PEOPLE[0].user_id)
    for life in (resigning, playing):
        play_on(life)
    return resigning, playing


def better(table: Wanted, point: int, name: str) -> Iterator[tuple[float, Worth, list[Worth]]]:
    """The ratings with which somebody does better by this act at this point than by resigning and by playing on."""
    life, person = moments(table)[point].fork(), PEOPLE[0].user_id
    seat = life.table.match.seat_of(person)
    assert seat is not None
    if not DEEDS[name](life, person):
        return
    by_vote = life.table.match.ended_by is Ended.VOTE
    play_on(life)
    resigning, playing = beside(table, point)
    for mu in LEVELS:
        found, resigned, played = (worth(each, seat.position, mu) for each in (life, resigning, playing))
        if by_vote:
            # Whoever is ahead may fall behind later and vice versa, so the current standing counts.
            stands = as_it_stands(moments(table)[point], seat.position, mu)
            played = Worth(stands, played.record)
        most = max(resigned.points, played.points) + 1e-6
        if found.points > most or found.record > max(resigned.record, played.record):
            yield mu, found, [resigned, played]


def points_of(table: Wanted) -> list[int]:
    """Points before and after the first moves, in the middle, and near the end."""
    last = len(moments(table)) - 1
    return sorted({0, 1, 2, 3, 4, last // 4, last // 2, last - 1})


@pytest.mark.parametrize(
    "name",
    some_slow(
        DEEDS,
        *("leaves", "leaves and comes back", "blocks everybody and leaves", "takes a hint", "has their data deleted"),
        "stops playing until a computer plays",
    ),
)
def test_whoever_leaves_never_gains_but_where_the_page_says_so(name: str) -> None:
    gained = [
        (table, point, *case) for table in TABLES for point in points_of(table) for case in better(table, point, name)
    ]
    assert not gained or name in excepted(), gained[:3]


def test_the_page_names_no_other_cases() -> None:
    assert excepted() <= DEEDS.keys()
    assert {"agrees with everybody to call it off", "stops playing, and so does everybody else"} <= excepted()


@pytest.mark.parametrize("name", ["leaves", "ends it with a majority", "stops playing while others wait"])
@pytest.mark.parametrize("table", TABLES)
def test_nothing_that_everybody_hears_depends_on_anybodys_list(table: Wanted, name: str) -> None:
    for point in (0, 1, 3):
        lives = [moments(table)[point].fork() for _ in range(2)]
        person = PEOPLE[0].user_id
        lives[1].apart.update((person, other) for other in others(lives[1], person))
        lives[1].apart.update((other, person) for other in others(lives[1], person))
        done = {DEEDS[name](life, person) for life in lives}
        assert len(done) == 1
        free, listed = (
            [[row for row in each.rows if row.kind is not Kind.NEAR] for each in life.told] for life in lives
        )
        assert free == listed
        assert lives[0].lines == lives[1].lines
        assert lives[0].table.match == lives[1].table.match
