"""What the review of a match of Saboteur says: when rounds turned, and whom the table could suspect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cogs.review.reviewed import moment, when
from cogs.text import names
from games.core.suspicion import is_right, standing
from games.saboteur.components import DIGGER, ROLE_NAMES, SABOTEUR
from matches.analysis.reasons import About
from matches.analysis.rounds import RoundStory
from matches.features import said
from matches.review import Review
from render.saboteur.suspected import Round, Said, Suspected
from render.sentences import seats
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


def shown(review: Review) -> Suspected:
    """Return what the picture of a review shows."""
    match, rounds = review.match, []
    turned = {each.moment.decision.ply: each.number for each in review.story}
    for story in review.rounds:
        last = standing(said(match), story.number).values()
        spoken = tuple(
            Said(sum(ply < word.ply for ply in story.plies), word.seat, word.suspect)
            for word in last
            if word.suspect is not None
        )
        turn = next((turn for turn, ply in enumerate(story.plies) if ply in turned), None)
        rounds.append(
            Round(
                story.number,
                story.odds,
                story.believed,
                story.parts,
                story.winners,
                tuple(sorted(spoken)),
                turn,
                0 if turn is None else turned[story.plies[turn]],
            )
        )
    title, below = f"{match.info.name} #{match.id}", "how the rounds went"
    return Suspected(title, below, tuple(rounds), tuple(sentences(review, seats(len(match.seats)))))


def sentences(review: Review, people: People) -> list[str]:
    """Return how each round went, who hid best, and who was wrongly suspected."""
    turned = {each.moment.decision.ply: f"**{each.number}.** {moment(review, each, people)}" for each in review.story}
    rows = []
    for story in review.rounds:
        told = [turned[ply] for ply in story.plies if ply in turned]
        rows += told or [_how_it_went(story)]
    suspected = (_best_hidden(review, people), _wrongly_suspected(review, people))
    return [*(rows or ["No turn of a round was played."]), *(said[0] for said in suspected if said)]


def _how_it_went(story: RoundStory) -> str:
    """Return who won a round in which no turn decided it."""
    if not story.winners:
        return f"Round {story.number} wasn’t played to its end."
    since, winners = story.ahead_since, f"the {ROLE_NAMES[story.winners]}s"
    return f"Round {story.number}: {winners} were ahead {f'from turn {since} on' if since else 'throughout'}."


def numbers(review: Review) -> list[str]:
    """Return the page **Numbers**: the odds at the moments, whom the table could suspect, and what curves are."""
    people, rows = names.people(review.match), []
    for each in review.moments:
        (story,) = (story for story in review.rounds if each.moment.decision.ply in story.plies)
        turn = story.plies.index(each.moment.decision.ply)
        before, after = (f"{story.odds[turn + step]:.0%}" for step in (0, 1))
        row = f"{when(review, each)}: the gold-diggers’ odds {before}, then {after}"
        chances = {reason.about: percent(reason.played) for reason in each.moment.reasons}
        if About.FRIEND in chances:
            row += f"; a friend with {chances[About.FRIEND]}"
        if About.EARLY in chances:
            row += f"; then suspected with {chances[About.EARLY]}"
        rows.append(f"{row}.")
    rows += [row for said in (_best_hidden(review, people), _wrongly_suspected(review, people)) for row in said[1:]]
    return [*rows, *_said(review, people), EXPLAINED]


def _saboteurs(review: Review) -> Iterator[tuple[RoundStory, int, int | None]]:
    """Yield each saboteur of a decided round, and after how many turns the table could first be sure of them."""
    for story in review.rounds:
        for seat, role in enumerate(story.parts):
            if role == SABOTEUR:
                yield story, seat, next((turn for turn, row in enumerate(story.believed) if row[seat] >= SURE), None)


def _best_hidden(review: Review, people: People) -> list[str]:
    """Return who hid best as a saboteur, if there was one, and then how well in numbers."""
    found = list(_saboteurs(review))
    if not found:
        return []
    story, seat, sure = max(found, key=lambda each: 1.0 if each[2] is None else each[2] / (len(each[0].plies) + 1))
    how = "could never be sure" if sure is None else f"wasn’t sure before turn {sure}"
    most = percent(max(row[seat] for row in story.believed))
    name, number = people[seat], story.number
    return [
        f"{name} hid best: in round {number} the table {how}.",
        f"Round {number}: {name} was suspected with {most} at most.",
    ]


def _wrongly_suspected(review: Review, people: People) -> list[str]:
    """Return which gold-digger looked like a saboteur, if one did, and then how much in numbers."""
    found = [
        (row[seat], -turn, story.number, seat)
        for story in review.rounds
        for turn, row in enumerate(story.believed)
        for seat, role in enumerate(story.parts)
        if role == DIGGER
    ]
    most, turn, number, seat = max(found, default=(0.0, 0, 0, 0))
    if most <= 0.5:
        return []
    return [
        f"{people[seat]} dug for gold in round {number}, but looked like a saboteur.",
        f"Round {number}, turn {-turn}: {people[seat]} was suspected with {percent(most)}.",
    ]


def percent(chance: float) -> str:
    """Return a probability in words. Nothing is told as if it were certain: people aren't computers."""
    if chance > CERTAIN:
        return f"more than {CERTAIN:.0%}"
    return f"less than {1 - CERTAIN:.0%}" if chance < 1 - CERTAIN else f"{chance:.0%}"


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
