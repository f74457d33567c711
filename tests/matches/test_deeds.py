"""Leaving never pays: whoever leaves after their turn came is last, and no other act beats playing on.

All lives follow one line of play, the same for everybody, so a substitute is as strong as the person. The acts are
those below, and every verb of `lives.VERBS` that none of them covers. A table in `docs/ratings.md`, which is read here,
lists the acts by which somebody does better.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache, partial
from typing import Final, NamedTuple

import pytest

from db.model.ids import UserId
from games import GAMES
from matches.api import Ended, Kind, Pace, Status, Vote
from matches.ratings.ladder import after
from matches.results.result import Entrant, Result, written
from matches.table import absence, play, privacy, rating, undo, votes
from matches.table.events import MatchEnded
from matches.table.value import Table
from tests.matches.lives import VERBS, Life, Request, Wish, asked
from tests.matches.tables import PEOPLE
from tests.pages import page

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
    Wanted("abissal", 1, 2),
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
    def hint(table: Table) -> Table:
        rating.check_hints(table.match)
        return rating.helped(table, person)

    return life.decide(hint) is None


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
    if not match.waits_for(person):
        return False
    while match.status is Status.RUNNING and match.waits_for(person):
        for voter in others(life, person):
            if choice is not None and match.asking and (choice is not Vote.WAIT or life.table.details.asked == 1):
                life.decide(partial(votes.vote, user_id=voter, choice=choice))
        still = life.table.match.status is Status.RUNNING and life.table.match.waits_for(person)
        if still and not life.pass_on():
            return False
        match = life.table.match
    # The program makes the only legal move at the end of a round or match for them.
    return match.ended_by is not Ended.RULES


def stop_while_nobody_waits(life: Life, person: UserId) -> bool:
    return _stop(life, person, None)


def stop_while_others_wait(life: Life, person: UserId) -> bool:
    return bool(others(life, person)) and _stop(life, person, Vote.WAIT)


def stop_till_a_computer_plays(life: Life, person: UserId) -> bool:
    return bool(others(life, person)) and _stop(life, person, Vote.COMPUTER)


def stop_till_the_others_end_it(life: Life, person: UserId) -> bool:
    return bool(others(life, person)) and _stop(life, person, Vote.END)


def stop_till_a_computer_plays_and_come_back(life: Life, person: UserId) -> bool:
    """Come back when it isn't their turn any more, so that the computer has moved for them."""
    if not stop_till_a_computer_plays(life, person) or life.table.match.status is not Status.RUNNING:
        return False
    play_on(life, 1)
    return life.table.match.status is Status.RUNNING and life.decide(lambda t: play.take_back(t, person)) is None


LEAVING: Final[dict[str, Deed]] = {
    "resigns": resign,
    "leaves": leave,
    "blocks everybody and leaves": block_and_leave,
    "has their data deleted": delete_their_data,
    "stops playing, and so does everybody else": stop_while_nobody_waits,
    "stops playing while others wait": stop_while_others_wait,
    "stops playing until a computer plays": stop_till_a_computer_plays,
    "stops playing until the others end it": stop_till_the_others_end_it,
}
"""The acts after which somebody is gone."""

OTHERS: Final[dict[str, Deed]] = {
    "leaves and comes back": leave_and_come_back,
    "lets a computer play and comes back": stop_till_a_computer_plays_and_come_back,
    "takes a hint": take_a_hint,
    "asks to take a move back": ask_to_take_back,
    "ends it with a majority": call_it_off,
    "agrees with everybody to call it off": call_it_off_together,
    "seats a friend in a computer's place": sit_a_friend_down,
}

COVERED: Final = {"resign", "depart", "forget", "block", "take_back", "undo", "cancel", "apply", "agree", "vote"}
"""The verbs that these acts are made of."""

ANOTHER_LINE: Final = {"act", "act_wrongly", "computer", "time"}
NOBODYS: Final = {"lose_place", "find_place", "stay_in_channel", "lose_server", "find_server", "post", "event"}
"""Verbs that play another line, and what happens to a table without any person's doing."""


def once(verb: str) -> Deed:
    """An act of this verb, with each of some parameters until one is possible."""

    def deed(life: Life, person: UserId) -> bool:
        people = [seat.user_id for seat in life.table.match.everybody if seat.user_id is not None]
        for number, whom in ((1, 0), (2, 1), (3, 2), (11, 3)):
            question = asked(Request(verb, people.index(person), whom, number), life)
            if question is not None and life.ask(question, life.loaded()) is None:
                return True
        return False

    return deed


VERBS_ALONE: Final = sorted(VERBS.keys() - COVERED - ANOTHER_LINE - NOBODYS)
DEEDS: Final = LEAVING | OTHERS | {f"does: {verb}": once(verb) for verb in VERBS_ALONE}


@cache
def excepted() -> set[str]:
    """The acts by which somebody may do better, according to the page."""
    return {act.removeprefix("somebody ") for act, _ in page("docs/ratings.md").marked("exceptions").rows}


# The worth of lives.


def points(entrants: Mapping[int, Entrant], position: int, game: str, mu: float) -> float:
    """How far a result moves the rating of the person who began at this position, if all have met many people."""
    if position not in entrants:
        return 0.0
    keyed = [each if each.level else each._replace(key=str(place)) for place, each in entrants.items()]
    before = {str(place): (mu if place == position else 1500.0, 80.0, 9, 3, 0.0, 1, 8, 0.0, 0.0) for place in entrants}
    found = after(game, before, {}, Result(2, date(2025, 1, 1), tuple(map(written, keyed))))
    return found.ratings[str(position)][4]


def worth(life: Life, position: int, mu: float) -> Worth:
    match = life.table.match
    assert match.status is Status.OVER
    seat = match.seats[[each.position for each in match.seats].index(position)]
    entrants = {} if life.result is None else dict(life.result.entrants)
    return Worth(points(entrants, position, match.game, mu), {True: 1, None: 0, False: -1}[seat.finished])


def as_it_stands(life: Life, position: int, mu: float, found: Life) -> float:
    """The points if the match ended by its rules as it stands, among those whom `found` compares."""
    table = life.loaded()
    for place in () if found.result is None else found.result.entrants:
        table = table.set_seat(place, acted=True)
    return points(dict(rating.meaning(table.ended(Ended.RULES)).entrants), position, table.match.game, mu)


@cache
def moments(table: Wanted) -> tuple[Life, ...]:
    """The life of this table before each action of the one line."""
    life, found = begun(table), list[Life]()
    while life.table.match.status is Status.RUNNING:
        found.append(life.fork())
        play_on(life, 1)
    return tuple(found)


@cache
def played_on(table: Wanted) -> Life:
    """The life in which everybody plays the one line to its end."""
    life = begun(table)
    play_on(life)
    return life


@cache
def doers(table: Wanted) -> tuple[UserId, ...]:
    """Who wins the one line among people, and who loses it."""
    seats = [seat for seat in played_on(table).table.match.seats if seat.entered]
    found = sorted(seats, key=lambda seat: seat.place or 0)
    ids = [found[place].user_id for place in sorted({0, len(found) - 1})]
    return tuple(each for each in ids if each is not None)


def first_turn(table: Wanted, person: UserId) -> int:
    """The number of the moment at which this person's first turn has come."""
    return next(number for number, life in enumerate(moments(table)) if life.table.match.waits_for(person))


def points_of(table: Wanted, person: UserId) -> list[int]:
    """Points from somebody's first turn on: at it, soon after it, in the middle, and near the end."""
    first, end = first_turn(table, person), len(moments(table)) - 1
    return sorted({first, min(first + 1, end), min(first + 2, end), (first + end) // 2, end - 1})


def nothing_changed(before: Life, after: Life) -> bool:
    """Whether an act has changed nothing that the end of the match could depend on."""
    was, now = before.table.match, after.table.match
    same = (was.seats, was.ballots, was.applications, was.awaited) == (
        now.seats,
        now.ballots,
        now.applications,
        now.awaited,
    )
    return same and was.status is now.status and before.position == after.position


def position_of(table: Wanted, person: UserId) -> int:
    (seat,) = (seat for seat in moments(table)[0].table.match.seats if seat.user_id == person)
    return seat.position


def last(table: Wanted, position: int, found: Life, mu: float) -> float:
    """The points for finishing last by the rules, among those with whom `found` compares this seat, or among all."""
    entrants = dict((played_on(table).result or MatchEnded()).entrants)
    compared = () if found.result is None else found.result.entrants
    kept = {place: entrant for place, entrant in entrants.items() if place in compared or position not in compared}
    return points(kept | {position: kept[position]._replace(place=99)}, position, table.game, mu)


def has_been_played(life: Life, person: UserId) -> bool:
    """Whether another person has acted in the match, or there are only computers besides."""
    rivals = [seat for seat in life.table.match.seats if seat.entered and seat.user_id != person]
    return not rivals or any(seat.acted for seat in rivals)


@pytest.mark.parametrize(("name", "spent"), [(name, spent) for name in LEAVING for spent in (True, False)])
def test_whoever_leaves_after_their_turn_came_is_last(name: str, spent: bool) -> None:  # FOUND D1
    """By every door, in rating and in the record, except where the page says so (once a day before the first move)."""
    compared = 0
    for table in TABLES:
        for person in doers(table):
            position, first = position_of(table, person), first_turn(table, person)
            for point in points_of(table, person) if spent else (first,):
                life = moments(table)[point].fork()
                life.spent |= {person} if spent else set()
                if not LEAVING[name](life, person):
                    continue
                play_on(life)
                if not has_been_played(life, person):
                    continue
                excused = point == first and not spent and "leaves" in excepted()
                found = [(worth(life, position, mu), last(table, position, life, mu)) for mu in LEVELS]
                compared += 1
                if excused and table.people > 1:
                    assert all(own == Worth(0.0, -1) for own, _ in found), (table, point, found)
                elif not excused and name not in excepted():
                    assert all(own.points <= least + 1e-6 for own, least in found), (table, point, found)
                # Resigning a match of two in which both have moved is an end as good as any.
                is_end = life.table.match.ended_by is Ended.RESIGNED and point > first
                assert {own.record for own, _ in found} == ({1} if is_end and found[0][0].record == 1 else {-1})
    assert compared


@pytest.mark.parametrize("game", GAMES)
def test_in_every_game_whoever_leaves_at_their_first_turn_is_last_and_the_others_are_compared(game: str) -> None:
    table = Wanted(game, GAMES[game].info.min_players)  # FOUND D1
    life, left = begun(table), set[UserId]()
    first = life.table.match.mover
    assert first is not None
    while not left:
        play_on(life, 1)
        mover = life.table.match.mover
        if mover.user_id is not None and mover.position != first.position:
            life.spent.add(mover.user_id)
            assert leave(life, mover.user_id)
            left.add(mover.user_id)
    play_on(life)
    places = {position: entrant.place for position, entrant in life.result.entrants.items()}
    assert len(places) == table.people
    assert [position for position, place in places.items() if place == max(places.values())] == [mover.position]


def better(table: Wanted, point: int, person: UserId, name: str) -> Iterator[tuple[float, Worth, Worth]]:
    """The ratings with which somebody does better by this act at this point than by playing on."""
    position, life = position_of(table, person), moments(table)[point].fork()
    life.spent.add(person)
    if not DEEDS[name](life, person) or nothing_changed(moments(table)[point], life):
        return
    play_on(life)
    by_vote = life.table.match.ended_by is Ended.VOTE
    for mu in LEVELS:
        found, played = worth(life, position, mu), worth(played_on(table), position, mu)
        if by_vote:
            # Whoever is ahead may fall behind later and vice versa, so the current standing counts.
            played = Worth(as_it_stands(moments(table)[point], position, mu, life), played.record)
        if found.points > played.points + 1e-6 or found.record > played.record:
            yield mu, found, played


@pytest.mark.parametrize("name", [name for name in DEEDS if name not in LEAVING])
def test_no_other_act_is_better_than_playing_on_but_where_the_page_says_so(name: str) -> None:
    gained = [
        (table, point, *case)
        for table in TABLES
        for person in doers(table)
        for point in (0, *points_of(table, person))
        for case in better(table, point, person, name)
    ]
    assert not gained or name in excepted(), gained[:3]


@pytest.mark.parametrize(
    "name", ["leaves and comes back", "lets a computer play and comes back", "takes a hint", "asks to take a move back"]
)
def test_nobody_loses_to_somebody_who_had_help_and_nobody_else_gains_by_it(name: str) -> None:  # FOUND D2
    """Their allies aren't better off than if they had left for good, and those before them keep what they won."""
    for table in TABLES:
        for person in doers(table):
            position = position_of(table, person)
            for point in points_of(table, person):
                life = moments(table)[point].fork()
                if not OTHERS[name](life, person):
                    continue
                play_on(life)
                found = life.result.entrants
                if position not in found or not found[position].helped:
                    continue
                assert table.people == 1 or name != "takes a hint"
                plain = {place: each._replace(helped=False, spared=()) for place, each in found.items()}
                without = {place: each for place, each in plain.items() if place != position}
                as_last = plain | {position: plain[position]._replace(place=99)}
                for place in without:
                    if found[place].level is not None:
                        continue
                    for mu in LEVELS:
                        own, full, gone = (points(each, place, table.game, mu) for each in (found, plain, as_last))
                        if found[place].place < found[position].place or full >= 0:
                            assert own == full
                        elif len(without) > 1:
                            assert full <= own <= max(full, min(0.0, points(without, place, table.game, mu))) <= 0
                        else:
                            assert own == 0
                        assert own <= max(gone, 0) + 1e-6


def test_the_page_names_no_other_cases() -> None:
    together = {"agrees with everybody to call it off", "stops playing, and so does everybody else"}
    assert excepted() == {"leaves", *together}
    assert excepted() <= DEEDS.keys()
    assert VERBS.keys() >= COVERED | ANOTHER_LINE | NOBODYS


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
