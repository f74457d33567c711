"""What a review says, in words: what turned the match, what would have been better and why, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cogs.text import names, words
from cogs.text.reasons import amount, why
from games.saboteur.components import ROLE_NAMES
from matches.analysis.progress import Verdict
from matches.analysis.reasons import About
from matches.analysis.rounds import RoundStory
from matches.review import Retry, Review, Told
from render import RENDERERS
from render.review import Outline
from render.sentences import seats
from render.style import People

AHEAD: Final = 0.5
"""The least expected lead, in the game's unit, with which somebody is said to be ahead."""

NOTHING: Final = "I found no move of yours that clearly cost you something, and of which I can say why."
QUIET: Final = "No single move turned it."
OUTDATED: Final = "-# I've learnt to judge better since then. **Review again** goes through the match once more."


def outline(review: Review) -> Outline:
    """Return what the picture of a review shows."""
    match = review.match
    place = {point.ply: number for number, point in enumerate(review.points)}
    moments = [each.moment for each in review.story]
    return Outline(
        title=f"{match.info.name} #{match.id}",
        below="how the match went",
        unit=f"{review.unit}s",
        leads=tuple(point.leads for point in review.points),
        turns=tuple((place[each.decision.ply], each.curve) for each in moments),
        facts=tuple(sentences(review, seats(len(match.seats)))),
    )


def sentences(review: Review, people: People) -> list[str]:
    """Return what turned the match and how it was decided, with the numbers that the turning points have."""
    turned = [f"**{each.number}.** {moment(review, each, people)}" for each in review.story]
    return [*(turned or [QUIET]), *_decided(review, people)]


def moment(review: Review, told: Told, people: People, *, own: bool = False, hides: bool = False) -> str:
    """Return a moment in words: what was done, what would have been better, and why.

    The story and the moments of a seat say the same of it. `own`: as the seat saw it, else as everybody did. `hides`:
    others can try it themselves first.
    """
    found, sight, draw = told.moment, told.own if own else told.public, RENDERERS[review.match.game]
    rows = [f"{when(review, told)}: {draw.say(sight.line, sight.after, people)}"]
    match found.verdict:
        case Verdict.COST:
            better = f"Better: {draw.advise(told.better, sight.before, people)}."
            said = [better, *why(found.reasons, review.unit, people, found.decision.seat)]
            rows += [f"||{each}||" for each in said] if hides else said
        case Verdict.BEST if review.rounds:
            rows.append(f"That turned the round for the {ROLE_NAMES[_round(review, told).winners]}s.")
        case Verdict.BEST:
            rows.append("Nothing better was found.")
        case Verdict.CARDS:
            rows.append(f"The cards that came turned it for {people[found.curve]}.")
        case Verdict.TURN:
            rows.append(f"That turned it for {people[found.curve]}.")
    return " ".join(rows)


def when(review: Review, told: Told) -> str:
    """Return the turn of a moment: `Turn 14`, `Round 2, turn 5`."""
    ply = told.moment.decision.ply
    if not review.rounds:
        return f"Turn {1 + [point.ply for point in review.points].index(ply)}"
    story = _round(review, told)
    return f"Round {story.number}, turn {1 + story.plies.index(ply)}"


def _round(review: Review, told: Told) -> RoundStory:
    return next(story for story in review.rounds if told.moment.decision.ply in story.plies)


def _decided(review: Review, people: People) -> Iterator[str]:
    """Yield since when the winner was ahead, if there is one winner."""
    points, winners = review.points, [number for number, seat in enumerate(review.match.seats) if seat.won]
    if not points or len(winners) != 1 or points[-1].leads[winners[0]] <= 0:
        return
    behind = [number for number, point in enumerate(points) if point.leads[winners[0]] < AHEAD]
    since, who = behind[-1] + 1 if behind else 0, people[winners[0]]
    if since >= len(points) - 1:
        yield f"{who} won it with the last moves."
    else:
        yield f"{who} was ahead {f'from turn {since + 1} on' if since else 'throughout'}."


def numbers(review: Review) -> list[str]:
    """Return the page **Numbers**: by how much each moment mattered, and each player's luck apart from play."""
    people = names.people(review.match)
    return [*(f"{when(review, each)}: {_number(review, each, people)}." for each in review.moments), *luck(review)]


def _number(review: Review, told: Told, people: People) -> str:
    found, name = told.moment, people[told.moment.curve]
    changed = amount(found.lead, review.unit)
    if found.verdict is not Verdict.COST:
        return f"{name}’s expected lead rose by {changed}"
    if found.loss >= 1:
        return f"it cost {name} the whole {review.stake}"
    holds = [each.better for each in found.reasons if each.about is About.HOLDS]
    deals = f". The better move was at least as good in {holds[0]:.0%} of the deals" if holds else ""
    return f"it cost {name} {changed} on average, {found.loss:.0%} of the {review.stake}{deals}"


def luck(review: Review) -> list[str]:
    """Return each player's luck apart from play, a sentence each; empty if nobody's is known well enough."""
    people, shares = names.people(review.match), review.luck.shares if review.luck is not None else ()
    told = [(seat, share) for seat, share in enumerate(shares) if share.is_known]
    rows = [f"**Luck apart from play,** in {review.unit}s ahead of the best other player:"] if told else []
    for seat, share in told:
        start, *others = (
            f"{name} {_signed(figure.value)} ± {figure.error:.1f}"
            for name, figure in zip(("start", "luck", "play", "rest"), share[1:5], strict=True)
        )
        if not share.start.error:
            start = f"start {_signed(share.start.value)}"
        rows.append(f"{people[seat]}: {_signed(share.result)} = {', '.join((start, *others))}")
    if told:
        rows.append(
            "-# Luck is what cards changed as they turned up, play what decisions changed. ± is how sure that is."
        )
    return rows


def _signed(lead: float) -> str:
    """Return a lead with its sign: `+2.5`, `−1.0`, `0.0`."""
    text = f"{lead:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def page(review: Review, told: Told, *, posted: bool = False) -> str:
    """Return a moment for the person who played the seat, or for everybody if it's `posted`: they can try it first."""
    seat = told.moment.decision.seat
    people = names.people_to(review.match, None if posted else seat)
    title = f"{words.title(review.match)} · moment {1 + review.own.index(told)} of {len(review.own)}"
    return f"{title}\n{moment(review, told, people, own=True, hides=posted and told.can_try)}"


def task(retry: Retry) -> str:
    """Return what is asked of whoever tries a moment again."""
    match, people = retry.match, names.people(retry.match)
    rows = ["What would have been better here?" if retry.number is not None else "What would you play here?"]
    if retry.number is None:
        rows.append(f"You're in the place of {people[retry.task.seat]}, and see what they could see.")
    if match.info.hidden_information:
        rows.append("-# What couldn't be known then may be dealt differently here.")
    return "\n".join(rows)
