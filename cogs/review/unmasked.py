"""What the review of a match of Saboteur says: when rounds turned, whom the table could suspect, and broken rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cogs.review.reviewed import YOU, Player, places, sentences
from cogs.text import names, words
from games.core.suspicion import is_right, standing
from games.grid import cell_to_string
from games.saboteur.components import DIGGER, FINISH, ROLE_NAMES, SABOTEUR
from matches.analysis.broken_rules import EARLY, FRIEND, IGNORED, LATE, THROWN, WASTED, Fault
from matches.analysis.rounds import RoundStory
from matches.features import said
from matches.review import OwnFault, Review
from render import RENDERERS
from render.grammar import counted
from render.review import Fact
from render.saboteur.suspected import MOST_WITH_FACTS, Round, Said, Suspected
from render.style import People

SURE: Final = 0.8
"""From this probability on, the table could be sure of a saboteur."""

NOTHING: Final = "You played by the rules of conduct, as far as I can tell."

CERTAIN: Final = 0.95
"""Above this, a probability isn't told exactly."""

EXPLAINED: Final = (
    "-# The curves say how likely each player was a saboteur, by what everybody could see, if people play as computers "
    "do. A small sign in a curve means that somebody suspected that player then."
)

_SIDES: Final = {DIGGER: "the gold-diggers", SABOTEUR: "the saboteurs"}

_HEADINGS: Final = {
    THROWN: "A useful card thrown away",
    WASTED: "A map for nothing",
    IGNORED: "A map ignored",
    FRIEND: "A friend’s tool broken",
    EARLY: "An attack too early",
    LATE: "An attack too late",
}


def _people(review: Review) -> People:
    """Return the names by seat of those who played, whoever plays now."""
    return tuple(map(names.person_at, review.match.seats))


def shown(review: Review) -> Suspected:
    """Return what the picture of a review shows."""
    match = review.match
    facts, numbered = _facts(review)
    rounds = []
    for story in review.rounds:
        last = standing(said(match), story.number).values()
        spoken = tuple(
            Said(sum(ply < word.ply for ply in story.plies), word.seat, word.suspect)
            for word in last
            if word.suspect is not None
        )
        turn = story.turned if story.number in numbered else None
        rounds.append(
            Round(
                story.number,
                story.odds,
                story.believed,
                story.parts,
                story.winners,
                tuple(sorted(spoken)),
                turn,
                numbered.get(story.number, 0),
            )
        )
    title, below = f"{match.info.name} #{match.id}", "how the rounds went"
    return Suspected(title, below, tuple(rounds), facts)


def _facts(review: Review) -> tuple[tuple[Fact, ...], dict[int, int]]:
    """Return sentences, and by round the number of the sentence about the turn that turned it."""
    facts, numbered = list[Fact](), dict[int, int]()
    for story in review.rounds:
        sentence = _how_it_went(review, story)
        if story.turned is not None:
            numbered[story.number] = len(numbered) + 1
        facts.append(Fact(sentence, numbered.get(story.number, 0)))
    facts += [Fact(sentence) for sentence in (_best_hidden(review), _wrongly_suspected(review)) if sentence]
    return tuple(facts) or (Fact("No turn of a round was played."),), numbered


def _how_it_went(review: Review, story: RoundStory) -> str:
    """Return who won a round, and what turned it. `{0}` stands for the name of seat 0."""
    number = f"Round {story.number}"
    if not story.winners:
        return f"{number} wasn’t played to its end."
    winners = _SIDES[story.winners]
    if story.turned is not None and story.turned_by is not None:
        line, seen = story.turned_by
        did = RENDERERS[review.match.game].say(line, seen, places(review.match)).rstrip(".!")
        before, after = (f"{story.odds[story.turned + step]:.0%}" for step in (0, 1))
        turn = f"turn {story.turned + 1} of {len(story.plies)}"
        return f"{number}, {turn}: {did}. The gold-diggers’ odds: {before}, then {after}."
    since = story.ahead_since
    when = "ahead throughout" if not since else f"ahead from turn {since} of {len(story.plies)} on"
    return f"{number}: {winners} won, {when}."


def _saboteurs(review: Review) -> Iterator[tuple[RoundStory, int, int | None]]:
    """Yield each saboteur of a decided round, and after how many turns the table could first be sure of them."""
    for story in review.rounds:
        for seat, role in enumerate(story.parts):
            if role == SABOTEUR:
                yield story, seat, next((turn for turn, row in enumerate(story.believed) if row[seat] >= SURE), None)


def _best_hidden(review: Review) -> str:
    """Return who hid best as a saboteur, if there was one."""
    found = list(_saboteurs(review))
    if not found:
        return ""
    story, seat, sure = max(found, key=lambda each: 1.0 if each[2] is None else each[2] / (len(each[0].plies) + 1))
    if sure is None:
        most = max(row[seat] for row in story.believed)
        return f"{{{seat}}} hid best: the table could never be sure in round {story.number} ({percent(most)} at most)."
    turns = len(story.plies)
    return f"{{{seat}}} hid best: the table could be sure after turn {sure} of {turns} in round {story.number}."


def _wrongly_suspected(review: Review) -> str:
    """Return which gold-digger looked most like a saboteur, if one looked so more likely than not."""
    found = [
        (row[seat], -turn, story, seat)
        for story in review.rounds
        for turn, row in enumerate(story.believed)
        for seat, role in enumerate(story.parts)
        if role == DIGGER
    ]
    if not found:
        return ""
    most, turn, story, seat = max(found, key=lambda each: each[:2])
    if most <= 0.5:
        return ""
    sure, number = percent(most), story.number
    return f"{{{seat}}} dug for gold in round {number}, but looked like a saboteur after turn {-turn} ({sure})."


def percent(chance: float) -> str:
    """Return a probability in words. Nothing is told as if it were certain: people aren't computers."""
    if chance > CERTAIN:
        return f"more than {CERTAIN:.0%}"
    return f"less than {1 - CERTAIN:.0%}" if chance < 1 - CERTAIN else f"{chance:.0%}"


def below_picture(review: Review) -> list[str]:
    """Return the text of the post: the sentences that the picture has no room for, and what its curves are."""
    many = len(review.match.seats) > MOST_WITH_FACTS
    return [*(sentences(_facts(review)[0], _people(review)) if many else ()), EXPLAINED]


def in_words(review: Review) -> str:
    """Return the story's facts as a text for a message, with who suspected whom."""
    people = _people(review)
    return "\n".join((*sentences(_facts(review)[0], people), *_said(review, people)))


def _said(review: Review, people: People) -> Iterator[str]:
    """Yield who suspected whom last in each round, and how likely that was by what the table could see."""
    for story in review.rounds:
        saboteurs = [seat for seat, role in enumerate(story.parts) if role == SABOTEUR]
        for word in standing(said(review.match), story.number).values():
            turn = sum(ply < word.ply for ply in story.plies)
            whom, sure = "nobody", ""
            if word.suspect is not None:
                whom = people[word.suspect]
                sure = f", when the table could believe that with {percent(story.believed[turn][word.suspect])}"
            verdict = f" ({'right' if is_right(word, saboteurs) else 'wrong'})" if story.parts else ""
            sentence = f"{people[word.seat]} suspected {whom} after turn {turn}{sure}{verdict}."
            yield f"Round {story.number}: {sentence}"


def broken(review: Review, own: OwnFault, number: int, *, posted: bool = False) -> str:
    """Return a decision against a rule in words, for the person who played the seat. `posted`: for everybody."""
    match, fault = review.match, own.fault
    draw, people = RENDERERS[match.game], _people(review)
    played, better = (draw.advise(action, own.seen, people) for action in (own.played, own.better))
    name = people[fault.decision.seat]
    player = Player(name, f"{name}’s") if posted else YOU
    rows = [
        f"{words.title(match)} · moment {number} of {len(review.broken)}",
        f"**{_HEADINGS[fault.rule]}:** in round {fault.number}, {player.subject} chose to {played}.",
        *_why(fault, people, player),
        f"**Better** by the rules of conduct: {better}.",
    ]
    if fault.times > 1:
        rows.append(f"That happened {fault.times} times in this round. This is the clearest case.")
    return "\n".join(rows)


def _why(fault: Fault, people: People, player: Player) -> Iterator[str]:
    """Yield sentences of facts."""
    numbers, subject = fault.numbers, player.subject
    who = subject[:1].upper() + subject[1:]
    if "treasure" in numbers:
        cell = cell_to_string(FINISH[round(numbers["treasure"])])
        yield f"{who} already knew that the treasure is at {cell}."
    if fault.rule == THROWN and "then" not in numbers:
        yield "It could still be of more use than another card."
    if "then" in numbers:
        missing, then = (round(numbers[name]) for name in ("missing", "then"))
        yield f"The path still needed {counted(missing, 'card')}. With the better move it would have needed {then}."
    elif "missing" in numbers:
        yield f"The path still needed {counted(round(numbers['missing']), 'card')} to the nearest finish card."
    if fault.rule == FRIEND:
        target, chance = people[round(numbers["target"])], numbers["friend"]
        yield f"{target} was on the same side. By what {subject} could know, that was {percent(chance)} likely."
    if fault.rule == EARLY:
        before, after = (percent(numbers[name]) for name in ("before", "after"))
        role = ROLE_NAMES[SABOTEUR]
        yield f"Before it, the table could think {subject} a {role} with {before}, and after it with {after}."
