"""What a review says, in words: how the match went, and what would have been better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from cogs.text import names, words
from matches.analysis.luck import Share
from matches.analysis.outline import leaders
from matches.analysis.reasons import About, Reason
from matches.api import Match
from matches.review import OwnMoment, Retry, Review, Turned
from render import RENDERERS
from render.grammar import counted
from render.review import MOST_FACTS, Fact, Outline
from render.style import People

LEADS: Final = 0.5
"""The least expected lead, in the game's unit, with which somebody is said to lead."""

CLEARLY: Final = 0.15
"""The same as a share of the greatest lead of the match, if that is more."""

NOTHING: Final = "I found no move of yours that clearly cost a tenth of what was at stake, and of which I can say why."
OUTDATED: Final = "-# I've learnt to judge better since then. **Review again** goes through the match once more."


def outline(review: Review, *, posted: bool = False) -> Outline:
    """Return what the picture of a review shows. `posted`: for everybody, without the viewer's own moments."""
    match = review.match
    place = {point.ply: number for number, point in enumerate(review.points)}
    return Outline(
        title=f"{match.info.name} #{match.id}",
        below="how the match went",
        unit=f"{review.unit}s",
        leads=tuple(point.leads for point in review.points),
        turns=tuple((place[turned.turn.ply], turned.turn.seat) for turned in review.turns),
        facts=_facts(review)[:MOST_FACTS],
        own=() if posted else tuple(place[own.moment.decision.ply] for own in review.own),
        seat=None if posted or not review.own else review.seat,
    )


def _facts(review: Review) -> tuple[Fact, ...]:
    """Return who led when, what turned it, and how it was decided. `{0}` stands for the name of seat 0."""
    place = {point.ply: number for number, point in enumerate(review.points, 1)}
    facts = [_who_led(review, place)]
    facts += [Fact(_turn(review, turned, place), number) for number, turned in enumerate(review.turns, 1)]
    return tuple(fact for fact in (*facts, _lucky(review), _decided(review)) if fact)


def _turn(review: Review, turned: Turned, place: Mapping[int, int]) -> str:
    """Return what was done at a turning point, and who gained by it."""
    turn = turned.turn
    did = RENDERERS[review.match.game].say(turned.line, turned.seen, places(review.match)).rstrip(".!")
    when = f"Move {place[turn.ply]}{' and the new deal' * turned.dealt}"
    return f"{when}: {did}. {{{turn.seat}}} gained {_amount(turn.gained, review.unit)}."


def places(match: Match) -> tuple[str, ...]:
    """Return `{0}` for the name of seat 0, and so on, for the sentences of a picture."""
    return tuple(f"{{{seat}}}" for seat in range(len(match.seats)))


def _who_led(review: Review, place: Mapping[int, int]) -> Fact:
    led = leaders(review.points, max(LEADS, CLEARLY * max(max(point.leads) for point in review.points)))
    if not led:
        return Fact("Nobody was ever clearly ahead.")
    (_, one), (last, other) = led[0], led[-1]
    if len(led) == 1:
        return Fact(f"Only {{{one}}} was ever clearly ahead.")
    if len(led) == 2:
        return Fact(f"{{{one}}} led first, and {{{other}}} from move {place[last]} on.")
    changes = f"{len(led) - 1} times"
    return Fact(f"{{{one}}} led first. The lead changed {changes}, at last to {{{other}}} at move {place[last]}.")


def _lucky(review: Review) -> Fact | None:
    """Return who had the most luck, or if nobody had any, the most bad luck; ``None`` if it isn't known."""
    told = {share.luck.value: seat for seat, share in _told(review)}
    if not told:
        return None
    luck = max(told) if max(told) > 0 else min(told)
    return Fact(f"{{{told[luck]}}} had {_amount(luck, review.unit)} of {'luck' if luck > 0 else 'bad luck'}.")


def _told(review: Review) -> list[tuple[int, Share]]:
    """Return the seats whose luck is known well enough to tell, with their shares."""
    shares = review.luck.shares if review.luck is not None else ()
    return [(seat, share) for seat, share in enumerate(shares) if share.is_known]


def luck(review: Review) -> list[str]:
    """Return each player's luck apart from play, a sentence each; empty if nobody's is known well enough."""
    people, told = names.people(review.match), _told(review)
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


def _decided(review: Review) -> Fact | None:
    """Return from which move on the winner's lead was never in danger, if there is one winner."""
    points = review.points
    winners = [number for number, seat in enumerate(review.match.seats) if seat.won]
    if len(winners) != 1 or points[-1].leads[winners[0]] <= 0:
        return None
    winner, safe, least = winners[0], len(points), points[-1].leads[winners[0]]
    for number in range(len(points) - 1, -1, -1):
        lead = points[number].leads[winner]
        if lead < LEADS:
            break
        safe, least = number, min(least, lead)
    if safe == 0:
        return Fact(f"{{{winner}}} was ahead throughout.")
    if safe >= len(points) - 1:
        return Fact(f"{{{winner}}} won it with the last moves.")
    return Fact(f"From move {safe + 1} of {len(points) - 1} on, {{{winner}}} was always ahead.")


def _amount(lead: float, unit: str) -> str:
    """Return a lead in words: `2.5 points`, `1 pip`."""
    text = f"{abs(lead):.1f}".removesuffix(".0")
    return f"{text} {unit}" if text == "1" else f"{text} {unit}s"


class Player(NamedTuple):
    """What a moment calls the person who played the seat: as the subject, and as the possessive."""

    subject: str
    possessive: str


YOU: Final = Player("you", "your")


def moment(review: Review, own: OwnMoment, number: int, *, posted: bool = False) -> str:
    """Return a moment in words, for the person who played the seat. `posted`: for everybody."""
    match, found = review.match, own.moment
    draw, people = RENDERERS[match.game], names.people(match)
    played, better = (draw.advise(action, own.seen, people) for action in (own.played, own.better))
    kind = "A blunder" if found.is_blunder else "A mistake"
    # Others can try it themselves first.
    hidden = "||" if posted else ""
    name = people[own.moment.decision.seat]
    player = Player(name, f"{name}'s") if posted else YOU
    rows = [
        f"{words.title(match)} · moment {number} of {len(review.own)}",
        f"**{kind}:** {player.subject} chose to {played}.",
        f"**Better,** among others: {hidden}{better}.{hidden}",
        f"That's worth {cost(review, own)}.",
        *(f"{hidden}{sentence}{hidden}" for sentence in why(review, own, player)),
    ]
    return "\n".join(rows)


def cost(review: Review, own: OwnMoment) -> str:
    """Return by how much the better action was better."""
    loss, lead = own.moment.loss, own.moment.lead
    if loss >= 1:
        return f"the whole {review.stake}"
    share = f"{loss:.0%} of the {review.stake}"
    return f"{share if lead < 0.05 else f'{_amount(lead, review.unit)} ({share})'} more on average"


def task(retry: Retry) -> str:
    """Return what is asked of whoever tries a moment again."""
    match, people = retry.match, names.people(retry.match)
    rows = ["What would have been better here?" if retry.number is not None else "What would you play here?"]
    if retry.number is None:
        rows.append(f"You're in the place of {people[retry.task.seat]}, and see what they could see.")
    if match.info.hidden_information:
        rows.append("-# What couldn't be known then may be dealt differently here.")
    return "\n".join(rows)


def why(review: Review, own: OwnMoment, player: Player = YOU) -> list[str]:
    """Return one or two sentences of facts."""
    return [_because(reason, review.unit, player) for reason in own.moment.reasons]


def _because(reason: Reason, unit: str, player: Player) -> str:
    about, played, better = reason
    match about:
        case About.WINS:
            return f"It wins by force; after {player.possessive} move, {player.possessive} opponent can win by force."
        case About.GAIN:
            return _gain(played, better, unit, player)
        case About.ANSWER:
            then = f"at most {_amount(better, unit)}" if better > 0 else "nothing"
            taken = _amount(played, unit)
            return f"After {player.possessive} move, the answer can take {taken}; after the better one, {then}."
        case About.TURNS:
            if int(better) == 0:
                return f"It plays {player.possessive} whole hand; after {player.possessive} move, something was left."
            turns = counted(int(better), "turn", "turns")
            return f"After it, {player.subject} could play {player.possessive} hand in {turns}, not {int(played)}."
        case About.HOLDS:
            return f"It was at least as good in {better:.0%} of the deals that were possible for {player.subject}."


def _gain(played: float, better: float, unit: str, player: Player) -> str:
    brings = _amount(better, unit) if better else "nothing"
    if better < 0:
        return f"It costs {_amount(better, unit)} at once, {player.possessive} move {_amount(played, unit)}."
    did, brought = "cost" if played < 0 else "brought", _amount(played, unit) if played else "nothing"
    return f"It brings {brings} at once; {player.possessive} move {did} {brought}."


def in_words(review: Review) -> str:
    """Return the story's facts as a text for a message."""
    return "\n".join(sentences(_facts(review), names.people(review.match)))


def sentences(facts: Iterable[Fact], people: People) -> list[str]:
    """Return the facts of a picture as sentences, with the numbers that they have in it."""
    return [f"{f'**{fact.turn}.** ' if fact.turn else ''}{fact.sentence.format(*people)}" for fact in facts]
