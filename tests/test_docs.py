"""What the documents say about the program is true: the numbers, files, options and tests that they name.

`OURS` lists sentences whose numbers come from the program. ``#`` stands for a number, in figures or as a word. `OTHERS`
lists sentences with other numbers, by reason. A number with a unit that no sentence covers fails. So for a new number
add its sentence to one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from importlib.util import find_spec
from math import ceil, comb
from pathlib import Path
from typing import Final

import pytest

import bot
from benchmarks import (
    growth,
    host,
    measure,
    neighbours,
    pledging,
    postgresql,
    ratings,
    roles,
    strength,
    taps,
    thinking_cost,
)
from benchmarks.measure import UNDER
from benchmarks.ratings import bank, leagues
from benchmarks.review import verdicts
from cogs import drawing
from cogs.play import panel_pages
from cogs.press import custom_ids, reply
from cogs.preview import world
from cogs.process import arguments, health, pace, sessions, watch, wire
from cogs.process.environment import Settings
from cogs.text import unmasked
from db.matches import gaps, leases
from db.model import schema
from db.model.enums import Pace
from db.store import postgres, server_locks
from docs import verify_deals
from games.abissal.components import HAND_SIZE
from matches.computers import paired, pool, timing
from matches.computers.judgements import ambagibus, gambo_ends, saboteur
from matches.computers.judgements.ambagibus import best_play
from matches.computers.judgements.saboteur import conduct
from matches.computers.levels import STRENGTHS, Level, Strength
from matches.computers.thinking import judgement_of
from matches.delivery import dms, presence, scheduler
from matches.engine import clock, fair_queue, handover, lanes, processes, workers
from matches.host import operating, positions, privacy, puzzles, retention, reviews
from matches.puzzles import attempt, calendar, grading
from matches.puzzles.finders import clearly_best, digging, forced_win, going_out, suspects, three_hands
from matches.puzzles.puzzle import KNOWN
from matches.ratings import ladder, model, reliability
from matches.review import judging, luck, outline, posterior, progress, rounds, trying
from matches.table import fair, limits, news, turn, value
from render import cache as tiles
from render import gif
from tests import test_deploy as deploy
from tests import test_papers as papers
from tests.conformance import test_what_a_game_brings as shape
from tests.render import test_legibility as legible
from tests.render import test_vision as vision
from tests.wire import outages

ROOT: Final = Path(__file__).parents[1]
DRAWN: Final = "gallery.md"
PAGES: Final = (
    *(".env.example", "CONTRIBUTING.md", "README.md"),
    *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")) if page.name != DRAWN),
)

WORDS: Final = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "hundred": 100,
    "half": 0.5,
    "first": 1,
    "twice": 2,
}
FIGURES: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
NUMBER: Final = rf"(?:{FIGURES}|\b(?:{'|'.join(WORDS)})\b)"
COUNTED: Final = rf"(?:{FIGURES}|\b(?:{'|'.join(word for word in WORDS if len(word) > 2 and word != 'one')})\b)"
"""Numbers that need a sentence in a list, without ``a`` and ``one``, which are hardly ever quantities."""

UNITS: Final = (
    *("seconds?", "minutes?", "hours?", "days?", "ms", "s", "kB", "MB", "GB", "bytes", "bits", "%", "percent"),
    *("points?", "pixels?", "characters", "decimals", "servers?", "shards?", "processes", "requests", "boards"),
    *("matches", "results", "positions", "iterations", "times", "lines", "leagues"),
)


def seconds(time: timedelta) -> float:
    return time.total_seconds()


def minutes(time: timedelta) -> float:
    return time / timedelta(minutes=1)


def hours(time: timedelta) -> float:
    return time / timedelta(hours=1)


def days(time: timedelta) -> float:
    return time / timedelta(days=1)


def turn_of(pace: Pace) -> timedelta:
    """The time limit of a turn at a pace that has one."""
    assert pace.turn is not None
    return pace.turn


def default(setting: str) -> float:
    """The default of a setting of the process."""
    number: int = Settings.model_fields[setting].default
    return number


def strength_of(game: str, level: Level) -> Strength:
    return judgement_of(game).strengths.get(level, STRENGTHS[level])


def nodes(game: str, level: Level) -> float:
    """How many positions the exact search looks at."""
    return strength_of(game, level).nodes


def share(game: str, level: Level) -> float:
    """The iterations as a multiple of normal's in the same game."""
    return strength_of(game, level).share / strength_of(game, Level.NORMAL).share


OURS: Final[dict[str, dict[str, tuple[float, ...]]]] = {
    "README.md": {
        "The page lists # people": (arguments.read([]).members,),
    },
    ".env.example": {
        "AMBIT_DMS_A_MINUTE=#": (default("dms_a_minute"),),
        "AMBIT_DMS_A_DAY=#": (default("dms_a_day"),),
        "its limit of # requests a second": (pace.A_SECOND,),
    },
    "CONTRIBUTING.md": {
        "shows its latest # messages": (world.LATEST,),
        "of at most # characters that cover every rule": (shape.MAX_SECTION,),
        "so that none passes # lines": (shape.MAX_LINES,),
        "smaller than # pixels in a picture # pixels wide": (legible.SMALLEST, legible.PHONE),
    },
    "docs/computer-players.md": {
        "(a niceness of #)": (pool.NICENESS,),
        "when # cards or fewer are missing": (conduct.STRIKE,),
        "among # players when # are missing, among more when # are": (5, conduct.STRIKE + 1, conduct.STRIKE_AMONG_MANY),
        "on their first turn when # are missing": (conduct.STRIKE_ON_FIRST_TURN,),
        "easy | #/# of normal": (1, 1 / STRENGTHS[Level.EASY].share),
        "hard | # times normal": (STRENGTHS[Level.HARD].share,),
        "expert | # times normal": (STRENGTHS[Level.EXPERT].share,),
        "may take # seconds of a quiet processor": (thinking_cost.CPU_CEILINGS[Level.EXPERT],),
        "hard searches # positions exactly, expert #": (nodes("ambush", Level.HARD), nodes("ambush", Level.EXPERT)),
        "**Gambo:** # and #": (nodes("gambo", Level.HARD), nodes("gambo", Level.EXPERT)),
        "an expert # times as many, judged after # lines; the others": (
            share("gambo", Level.EXPERT),
            strength_of("gambo", Level.EXPERT).horizon or 0,
        ),
        "A whole run adds rows with #% of the work": (100 * strength.MORE,),
        "on the same deals: # rounds with a saboteur": (strength.by_sides.DEALS,),
        "were played before, at #% of their work": (100 * strength.FEW,),
        "Now it judges after # lines": (strength_of("gambo", Level.EXPERT).horizon or 0,),
        "and Saboteur for # or more, have only": (saboteur.CROWD,),
        "where # or more will play, computers": (saboteur.CROWD,),
        "an expert has # times normal's iterations. Only": (share("abissal", Level.EXPERT),),
        "exact ends, of # positions or fewer": (nodes("abissal", Level.EXPERT),),
        "**Ambagibus:** samples are judged after # lines": (judgement_of("ambagibus").horizon,),
        "In the advanced game an expert judges them after # lines": (
            strength_of("ambagibus", Level.EXPERT).horizon or 0,
        ),
        "For two, an expert has # times normal's iterations, and # positions for best play; among more, # times": (
            share("ambagibus", Level.EXPERT),
            nodes("ambagibus", Level.EXPERT),
            ambagibus.AMONG_MORE.share,
        ),
        "the # best actions are compared in up to # worlds, by alpha-beta # lines ahead, or # if": (
            ambagibus.AmbagibusJudgement.finalists,
            ambagibus.MOST_WORLDS,
            ambagibus.FAR,
            ambagibus.NEAR,
        ),
        "if the work isn't enough for # worlds": (ambagibus.FEWEST_WORLDS,),
        "only the # options that gain most at once are tried": (best_play.WIDTH,),
        "Only the # actions after which the chances are best enter the race, # in the basic game": (
            ambagibus.CONSIDERED["advanced"],
            ambagibus.CONSIDERED["basic"],
        ),
        "Normal searches #/# of what expert does": (
            1,
            strength_of("saboteur", Level.EXPERT).share / strength_of("saboteur", Level.NORMAL).share,
        ),
        "after # such restarts it runs to its end, and after # turns of people": (fair_queue.PATIENCE,) * 2,
        "If a decision kills # processes": (workers.TRIES,),
        "at most one of # turns of people": (fair_queue.PATIENCE + 1,),
        "# at easy, # at normal and hard, # at expert": tuple(
            timing.SECONDS[level] for level in (Level.EASY, Level.NORMAL, Level.EXPERT)
        ),
        "(gold in Saboteur) takes # second": (timing.PICK,),
        "at the next multiple of # seconds": (timing.LATE,),
        "a machine that takes # ms for the yardstick": (measure.QUIET * 1000,),
        "changes every # to # seconds": (
            seconds(news.WATCHED_EVERY),
            seconds(news.WATCHED_EVERY) + scheduler.TICK,
        ),
        "A host may have # such matches running at the same time, on all servers together, and a server #": (
            limits.WATCHED_TABLES,
            limits.WATCHED_ON_A_SERVER,
        ),
    },
    "docs/fair-deals.md": {
        "The **seed** is # bytes": (fair.SEED_BYTES,),
        "written as # hexadecimal digits": (2 * fair.SEED_BYTES,),
        "(shifted right by # bits": (leases.SHARD_BITS,),
        "# lines that begin with": (len(verify_deals.REMARKS),),
        "Seat 0 takes # cards": (HAND_SIZE,),
    },
    "docs/listing.md": {
        "At most # characters of description, and # tags of # characters": (
            papers.DESCRIPTION,
            papers.TAGS,
            papers.TAG,
        ),
        "The summary has at most # characters": (papers.SUMMARY,),
        "**At your pace:** # minutes a turn, a day, # days, or": (
            minutes(turn_of(Pace.LIVE)),
            days(turn_of(Pace.SLOW)),
        ),
        "keeps to # requests a second": (pace.A_SECOND,),
    },
    "docs/operating.md": {
        "once more than # pictures": (drawing.FEW,),
        "stuck for # seconds is ended": (deploy.watchdog(),),
        "(a test keeps it under #)": (deploy.EXPOSURE,),
        "keeps the newest # copies": (deploy.copies(),),
        "for # seconds at most, and ends with code 0": (bot.FINISHING,),
        "started within # minutes of an orderly stop": (minutes(sessions.LIVES),),
    },
    "docs/pictures.md": {
        "would take more than # MB": (gif.MAX_BYTES / 10**6,),
        "a contrast of at least # on its ground, and # as seen": (vision.TEXT_CONTRAST, vision.LARGE_CONTRAST),
        "are at least # apart in OKLab": (vision.LEAST_DIFFERENCE,),
        "some # pixels wide, nothing that matters is smaller than # pixels": (legible.PHONE, legible.SMALLEST),
    },
    "docs/privacy-policy.md": {
        "not to give you a puzzle twice | until you delete it; unsolved ones # days": (days(retention.ATTEMPTS_KEPT),),
        "until they're sent, # days at most": (days(scheduler.GIVEN_UP),),
        "a day's puzzle, as long as it's open (# days)": (days(calendar.OPEN_FOR),),
        "is excused once in # days": (days(limits.LIMITS[limits.Deed.EXCUSE].each),),
        "that you were excused, # days, also": (days(limits.LIMITS[limits.Deed.EXCUSE].each),),
        "in how quickly people answer | # days": (days(gaps.REMEMBERED),),
        "arrives twice counts once | # days at most": (
            ceil(days(retention.PRESSES_KEPT + clock.AGREES_FOR + retention.REST)),
        ),
    },
    "docs/ratings.md": {
        "the match ends # days after the last question": (days(turn.STAYS),),
        "isn't in their record, once in # days on a server": (days(limits.LIMITS[limits.Deed.EXCUSE].each),),
        "listed | after # matches in the season": (model.LISTED,),
        "ends # days after its last move if nobody asks about it, and # days after": (
            days(turn.STAYS_UNASKED),
            days(turn.STAYS),
        ),
        "ends after # days and doesn't count": (days(value.STAYS_OUT_OF_REACH),),
        "everybody begins at # again": (model.MU,),
        "which search # % of what they search in a match, in # matches": (roles.EFFORT * 100, 120),
        "begins at # ± #, on": (model.MU, round(model.SIGMA)),
        "While the deviation is above #": (model.SURE,),
        "both are rounded to # decimals": (model.DIGITS,),
        "simulates leagues of # players": (leagues.PLAYERS,),
        "change little among # people": (leagues.PLAYERS,),
        "easy # %, the others # %": (bank.EFFORTS[Level.EASY] * 100, bank.EFFORTS[Level.EXPERT] * 100),
        "order # % of the clear pairs correctly after # matches": (ratings.RIGHT * 100, leagues.SPANS[-1]),
        "stay within # of the strengths": (ratings.BEHIND,),
        "at most # above Elo's": (ratings.WORSE,),
        "wherever two levels are # from equal": (ratings.APART,),
        "met fewer than # people is new.** One person can gain at most # points": (ladder.NEW_BELOW, ladder.FROM_NEW),
        "1 − n/#, where n": (ladder.FROM_NEW,),
        "met fewer than # people belongs to a small circle.** One person can gain at most # points": (
            ladder.FEW_BELOW,
            ladder.FROM_FEW,
        ),
        "1 − n/# in the same way": (ladder.FROM_FEW,),
        "somebody gains at most # points": (ladder.FROM_NEW,),
        "A ring of # accounts that only play each other lifts one of them by at most #": (
            ladder.FEW_BELOW,
            ladder.FROM_FEW,
        ),
        "nobody gets more than # points above": (ladder.FROM_FEW,),
        "that ended in the last # days": (days(reliability.WINDOW),),
        "Nothing is shown before # matches, nor in the first # days": (reliability.LEAST, days(reliability.PROVEN)),
        "known to have finished at least # %": (reliability.FINISHES * 100,),
    },
    "docs/reliability.md": {
        "looks every # seconds for leftovers": (scheduler.TICK,),
        "takes it once it is # seconds overdue": (seconds(leases.OVERDUE_AFTER),),
        "after pauses that grow to # seconds": (seconds(lanes.LONGEST_PAUSE),),
        "The same failure is logged once # minute": (minutes(lanes.SAME_FAULT),),
        "no answer # seconds after it reached the bot": (reply.PATIENCE,),
        "fails after # seconds of silence on the wire": (wire.SILENCE,),
        "After # seconds of silence nobody else": (wire.LATE,),
        "it retries after pauses from # to # seconds": tuple(map(seconds, scheduler.SOON)),
        "after pauses from # minutes to # hours": (minutes(scheduler.LATER[0]), hours(scheduler.LATER[1])),
        "After # days the bot gives up": (days(scheduler.GIVEN_UP),),
        "(after # days the match ends)": (days(value.STAYS_OUT_OF_REACH),),
        "refused requests in # days": (days(scheduler.GIVEN_UP),),
        "at most # seconds after Discord recovers": (seconds(scheduler.SOON[1]),),
        "a retry after # seconds": (wire.SILENCE,),
        "Rate limits: buckets, followups by interaction and by channel, # a second": (pace.A_SECOND,),
        "opens no new DM for # minutes, then twice as long, up to # day": (
            minutes(dms.FIRST_PAUSE),
            days(dms.LONGEST_PAUSE),
        ),
        '"thinking" after # seconds': (reply.PATIENCE,),
        "rewritten # matches at a time": (privacy.MATCHES_PER_STEP,),
        "people # turns are computed at a time, beside those of others, and # posts": (
            scheduler.WATCHED_AT_ONCE,
            scheduler.POSTS_AT_ONCE,
        ),
        "changes at most once in # seconds": (seconds(news.WATCHED_EVERY),),
        "# minutes (`live`), # days (`day`), # days (`slow`), # days (`none`)": (
            minutes(Pace.LIVE.away),
            *(days(each.away) for each in (Pace.DAY, Pace.SLOW, Pace.NONE)),
        ),
        "answered within # seconds when # confirm": (host.ACKNOWLEDGED_WITHIN / 1000, host.WHOLE.burst),
        "at least # the plain way's moves a second": (host.MOVES_FLOOR,),
        "another table's computer, take at most # times as long": (neighbours.CEILING,),
        "# people who ask for **Results**": (neighbours.ASKING,),
        "take at most # times as long, and the bot takes at most # times the memory": (
            neighbours.CEILING,
            neighbours.MEMORY_CEILING,
        ),
        "come within # times what they take alone": (neighbours.CEILING,),
        "loop is busy for at most # ms at a stretch": (pledging.CEILING,),
        "with # at most # times as long as with none": (host.WHOLE.open, host.START_CEILING),
        "at most # times as long as with # (": (growth.SLOWER_CEILING, growth.FEW),
        "at most # bytes each": (growth.BYTES_CEILING,),
        "at least # of the moves a second": (postgresql.MOVES_FLOOR,),
        "at most # times the bot's CPU a move (1.01) and # statements more": (
            postgresql.COST_CEILING,
            postgresql.STATEMENTS_CEILING,
        ),
        "# round trips a move": (postgresql.ROUND_TRIPS_CEILING,),
        "with # ms more for each at # tables # of the moves": (
            postgresql.DELAY * 1000,
            postgresql.FAR_TABLES,
            postgresql.FAR_FLOOR,
        ),
        "taken up within # seconds of the move that they show, at # boards a second": (
            host.TAKEN_UP_WITHIN / 1000,
            host.BOARDS_A_SECOND,
        ),
        "with # matches at work the median is at most # times": (host.WHOLE.matches, host.MANY_CEILING),
        "# in open games, # where there are hands": (host.REQUESTS[False], host.REQUESTS[True]),
        "junk, # characters)": (custom_ids.MAX_LENGTH,),
        "At most # running matches that only computers play for each host, and # on a server": (
            limits.WATCHED_TABLES,
            limits.WATCHED_ON_A_SERVER,
        ),
        "more than # lobbies of a server": (limits.OPEN_TABLES,),
        "nothing is shown for # days and # matches": (days(reliability.PROVEN), reliability.LEAST),
    },
    "docs/puzzles.md": {
        "stays open for # hours": (calendar.OPEN_FOR.total_seconds() / 3600,),
        "posts are spread over # hours": (calendar.SPREAD.total_seconds() / 3600,),
        "after # reports of people who have tried it and solved # others, from at least # servers": (
            puzzles.REPORTS,
            puzzles.OTHERS,
            puzzles.SERVERS,
        ),
        "if that's at least one in # of all": (puzzles.ONE_IN,),
        "withdraw at most # puzzles in # days": (puzzles.WITHDRAWN_A_WEEK, days(puzzles.A_WEEK)),
        "if it solves it in # of # tries": (grading.ENOUGH, grading.TRIES),
        "so there are at most # hands": (comb(going_out.MOST_AGAINST + 3, 3),),
        "as possible, at most #, if the others": (digging.MOST_TURNS,),
        "After # right moves the rest": (forced_win.MOST_TURNS,),
        "Positions have # to # legal actions": (clearly_best.FEWEST_ACTIONS, clearly_best.MOST_ACTIONS),
        "gets # looks, with # runs each, for each of # seeds": (
            clearly_best.LOOKS,
            clearly_best.RUNS,
            clearly_best.SEEDS,
        ),
        "First come # cheap surveys": (len(clearly_best.SURVEYS),),
        "**right** if it loses at most # against": (clearly_best.TIE,),
        "**nearly right** if it loses at most # (": (clearly_best.NEAR,),
        "**wrong** if it loses at least #, by the lower bound (# %": (clearly_best.LEAD, 100 * paired.SURE),
        "more than # % of the actions are right or nearly": (100 * clearly_best.LARGEST_SHARE,),
        "is a saboteur, in steps of # %": (attempt.STEP,),
        "There have been # to # turns, with": (suspects.FEWEST_TURNS, suspects.MOST_TURNS),
        "moved by # points or more, and somebody's are between # and #": (
            100 * suspects.CLEARLY,
            *(100 * each for each in suspects.OPEN),
        ),
        "differ by more than # points": (100 * suspects.UNSETTLED,),
        "Up to # turns are named": (suspects.TOLD,),
        "told in coarse steps up to # times": (KNOWN,),
        "at most # cards that the solver hasn't seen": (three_hands.MOST_UNSEEN,),
        "one loses at least # against the best with these": (judging.MISTAKE,),
        "in up to # worlds of experts and # of plain": [
            three_hands.PLAYERS_ON[name][0][-1] for name in ("experts", "plain players who lead pairs")
        ],
    },
    "docs/review.md": {
        "In Gambo, with # duels left or fewer": (gambo_ends.DUELS,),
        "gives up after # positions": (gambo_ends.POSITIONS,),
        "with up to # turning points": (reviews.TURNS,),
        "only played on for # lines": (ambagibus.AmbagibusJudgement.horizon,),
        "at most # worlds a line, and # a match": (luck.WORLDS, luck.MOST_WORLDS),
        "So # times experts with # % of their work": (luck.DEALS, 100 * luck.EXPERTISE),
        "rest is more than # % of": (100 * luck.MOST_REST,),
        "best play is searched in up to # further worlds": (ambagibus.MOST_WORLDS,),
        "less than # standard errors": (round(luck.SURE),),
        "over # ways to play on": (outline.PLAYOUTS,),
        "a tree of # visits tells it": (outline.VISITS,),
        "exact search of # positions": (outline.POSITIONS,),
        "in the first look # times as many positions, and in the second one # times": judging.LOOK_NODES,
        "at most # decisions that cost you something": (progress.MOMENTS,),
        "with # % of an expert's work": (100 * judging.PART,),
        "at most # decisions with the largest possible loss get **# looks**": (progress.CANDIDATES, judging.LOOKS),
        "(# %, one-sided) reaches # % of what": (100 * paired.SURE, 100 * judging.MISTAKE),
        "after the first of # rounds": (len(trying.ROUNDS),),
        "Whatever loses at most # % is right": (100 * trying.MARGIN,),
        "answered by an expert with # % of its work": (100 * trying.ANSWER,),
        "From # % on it's called a blunder": (100 * judging.BLUNDER,),
        "In games that race it has # runs, in # worlds": (judging.LOOK_SAMPLES, judging.LOOK_WORLDS),
        "it has # runs of # visits": judging.LOOK_TREES,
        "a *reference* with # times the work": (verdicts.REFERENCE,),
        "with more than # decisions of people": (progress.MOST_SURVEYED,),
        "changed the odds by # % or more": (100 * rounds.SWING,),
        "are at most # decisions against the rules": (progress.MOMENTS,),
        "and # % of all actions are anything": (100 * posterior.SLIP,),
        "# samples for each seat and role": (posterior.SAMPLES,),
        "more likely than # %": (100 * unmasked.CERTAIN,),
        "the mean over # worlds for each place": (rounds.WORLDS,),
    },
    "docs/metrics.md": {
        "answers to # presses failed": (presence.PRESSES,),
        "refused some in # places": (presence.EVERYWHERE,),
        "looks once every # seconds by itself": (health.EVERY,),
    },
    "docs/runbook.md": {
        "a scrape and an evaluation every # seconds": (outages.SCRAPED,),
        "from # seconds on and for # days": (seconds(operating.REREAD), days(operating.ANNOUNCED_FOR)),
        "Its matches wait # days for an invitation": (days(value.STAYS_OUT_OF_REACH),),
        "sends one request every # s until": (wire.PROBED_EVERY,),
        "Discord refused it for # days": (days(scheduler.GIVEN_UP),),
        "silent for # seconds in the middle of a request (# with `AMBIT_API`)": (wire.SILENCE, wire.SILENCE_OF_A_PROXY),
        "all # places have been taken for # s and": (scheduler.MATCHES_AT_ONCE, seconds(lanes.FULL)),
        "(# requests in # s)": (pace.A_SECOND, pace.WINDOW),
    },
    "docs/scaling.md": {
        "notes every # seconds, while": (seconds(gaps.NOTED_EVERY),),
        "Discord refuses posts in # places": (presence.EVERYWHERE,),
        "# matches take one transaction": (presence.AT_ONCE,),
        "which takes # seconds a shard. Then": (seconds(processes.IDENTIFY_EVERY),),
        "it doesn't answer within # seconds (# on PostgreSQL)": (
            seconds(handover.WILLING_WITHIN),
            seconds(server_locks.LAG),
        ),
        "has been right for # hour": (hours(clock.AGREES_FOR),),
        "jumps by more than # minute": (minutes(clock.TOLERATED),),
        "deletes lobbies that never started # day after": (1,),
        "A process has # for matches": (postgres.CONNECTIONS,),
        "which is enough for # processes": (100 // (postgres.CONNECTIONS + 2),),
        "version # or newer: the bot refuses": (postgres.OLDEST,),
        "Each process takes # of its connections": (postgres.CONNECTIONS + 3,),
        "it ends within # seconds. Some providers": (watch.LOCKS_EVERY,),
        "autovacuum to run after # dead rows": (schema._TURNED_OVER["autovacuum_vacuum_threshold"],),
        "# seconds for a connection or a locked row": (seconds(postgres.CONNECT_WITHIN),),
        "or a locked row, # for an answer": (seconds(postgres.ANSWER_WITHIN),),
        "by default to # within any minute and # within any day": (default("dms_a_minute"), default("dms_a_day")),
        "unasked, the bot uses at most # fifths": (dms.UNASKED * 5,),
        "it opens none for # minutes": (minutes(dms.FIRST_PAUSE),),
        "then twice as long, up to # day": (days(dms.LONGEST_PAUSE),),
        "Discord accepts # requests a second from one token": (pace.A_SECOND,),
        "# MB at most are drawn tiles and # MB positions": (tiles.MAX_BYTES / 10**6, positions.KEPT / 10**6),
        "kB if it has # channels and # roles": (growth.CHANNELS, growth.ROLES),
        "kB if it has # and #:": growth.LARGER,
        "of a server with # channels, # roles": (growth.CHANNELS, growth.ROLES),
        "a test keeps the sum under # kB": (growth.A_SERVER / 1000,),
        "takes # seconds a shard, because Discord lets one log in every # seconds": (seconds(processes.IDENTIFY_EVERY),)
        * 2,
        "sends what it had left unsent, within # seconds": (scheduler.TICK + seconds(leases.OVERDUE_AFTER),),
        "takes the locks again within # seconds": (watch.LOCKS_EVERY,),
        "the server notices after # seconds": (
            sum(
                int(postgres._KEEPALIVES[f"tcp_keepalives_{part}"]) * times
                for part, times in (("idle", 1), ("interval", int(postgres._KEEPALIVES["tcp_keepalives_count"])))
            ),
        ),
        "waits for that, # seconds at most": (seconds(server_locks.LAG),),
        "shards log in every # seconds": (seconds(processes.IDENTIFY_EVERY),),
        "**# requests a second.**": (pace.A_SECOND,),
        "The share of the # that its shards are": (pace.A_SECOND,),
        "one of four shards: #), within any # seconds": (pace.A_SECOND // 4, pace.WINDOW),
        "at the start and every # seconds": (watch.CLOCK_EVERY,),
        "From a difference of # seconds on": (seconds(processes.APART),),
    },
    "docs/taps.md": {
        "at most # pictures on average": (taps.PICTURES_CEILING,),
        "Up to # choices are buttons": (panel_pages.A_ROW * panel_pages.ROWS,),
    },
}
"""By page and sentence, the numbers that the program has there."""

OTHERS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "Discord's": {
        "docs/listing.md": ("(asked from # servers on",),
        "docs/reliability.md": (
            "Discord allows answers for # minutes",
            "(Discord allows # seconds)",
            "keeps a nonce for # minutes",
        ),
        "docs/scaling.md": ("within # minutes if Discord lets # do so at once",),
    },
    "measured, in the program as it was then": {
        "docs/computer-players.md": (
            "some # seconds' work",
            "some # minutes on two quiet processors",
            "with #% of its iterations #.43 in",
            "deals below #.54 with #% of the work and #.51 with #%",
            "with #% #.40 in",
            "In # positions of Gambo",
            "proves a win within # lines",
            "without a win within # lines",
            "in # positions where one is proved within # lines",
            "# matches of five experts",
            "come from # matches of the copy",
            "than those of # matches of the program",
            "With little work, # lines ahead in # worlds, the copy scores",
            "and # lines ahead in # worlds #.65",
            "best play # lines ahead #.67 (#.63 to #.71) in # with # worlds",
            "# lines ahead in # worlds #.63",
        ),
        "docs/pictures.md": ("four to # times as long for files that are 7 to # percent smaller",),
        "docs/puzzles.md": (
            "In # other rounds of such computers, none of the #",
            "odds under # % after eight turns",
            "all of the # above # % were",
        ),
        "docs/ratings.md": (
            "for some # matches of two players",
            "correctly after # matches each goes",
            "With # matches of a league per day",
        ),
        "docs/scaling.md": (
            "takes # kB in a file and # kB on a server",
            "a million take 7 or # GB",
            "that write | # and #",
            "sent a move | # kB |",
            "with few players | # |",
            "adds some # kB if it has 30 channels and 25 roles, and # kB if",
            "with drawing | # ms |",
            "and # s more with # shards",
            "# s with # shards. A server's boards",
            "match in a file | # kB |",
            "match on a server | # kB |",
            "Discord in memory | # kB |",
        ),
    },
    "computed or assumed on the page itself": {
        "docs/operating.md": ("That is enough for some # servers",),
        "docs/scaling.md": (
            "up to # servers |",
            "add to the database | # GB a day | # GB a day",
            "| # times that |",
            "a peak of # times the mean",
            "# moves a day per active player",
            "So # servers with five players",
            "# servers are another quarter",
            "A million servers are about # shards in 20 to # processes",
            "(one of # shards",
        ),
    },
    "an example": {
        "docs/fair-deals.md": ("when the log has # lines",),
        "docs/ratings.md": ("answers in # hours (median)",),
        "docs/review.md": (
            "# to # % were confirmed",
            "it had # runs in at most # worlds",
            "were worth as little as # equal ones",
            "told # verdicts, of which # stayed",
            "on # rounds of normal computers for four, # for seven, and # of experts",
            "On # fresh rounds for four",
            "On # fresh rounds for seven",
            "with # % was true in # %",
        ),
        "docs/runbook.md": (
            "in # s` | it was migrated",
            "longest at work is 7, for # s`",
            "has delayed # requests by # s in the median",
            "are, # s after the start",
        ),
        "docs/scaling.md": ("that ended more than # days ago",),
    },
    "how a test or a benchmark is made": {
        "docs/computer-players.md": ("notice of # matches between experts",),
        "docs/reliability.md": (
            "ends within # seconds with exit code",
            "**Confirm** # times at once",
            "start is pressed # times at once",
            "# processes with their own shards",
            "over # results in the same moment",
            "on # servers, delay nobody",
            "99 of # boards",
        ),
        "docs/scaling.md": ("a small proxy with # processes",),
    },
    "a convention, a scale or a definition": {
        "CONTRIBUTING.md": (
            "five to # positions",
            "its cog, # lines",
            "the game in # lines",
            "at # pixels' width",
            "an imperative of at most # characters",
        ),
        "docs/computer-players.md": ("what makes a few # iterations enough",),
        "docs/fair-deals.md": (
            "no # matches share",
            "Its # bytes are four words of # bytes",
            " Version # Matches",
        ),
        "docs/pictures.md": ("drawn once at # times their size", "which is # times a just noticeable difference"),
        "docs/ratings.md": ("where # points are odds",),
        "docs/taps.md": ("that suffices for # %",),
    },
}
"""By reason and page, sentences with numbers that the program doesn't have."""


@cache
def text(page: str) -> str:
    """A page in one line, without code blocks and without what benchmarks write into it."""
    found = (ROOT / page).read_text("utf-8")
    if page == ".env.example":
        found = found.replace("\n# ", "\n")
    found = re.sub(r"<!-- (\w+) -->.*?<!-- end of \1 -->", "", found, flags=re.DOTALL)
    found = re.sub(r"```.*?```|(?<=\n\n)    .*?(?=\n\n\S|\Z)", "", found, flags=re.DOTALL)
    return " ".join(found.split())


def pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(rf"({NUMBER})".join(map(re.escape, sentence.split("#"))), re.IGNORECASE)


def number(said: str) -> float:
    """The value of a number that a text has in figures or as a word."""
    return WORDS[said.lower()] if said.lower() in WORDS else float(said.replace(",", ""))


def sentences(page: str) -> Iterator[str]:
    """The sentences of a page that are listed here."""
    yield from OURS.get(page, {})
    for pages in OTHERS.values():
        yield from pages.get(page, ())


@pytest.mark.parametrize(("page", "sentence"), [(page, each) for page, said in OURS.items() for each in said])
def test_a_number_in_a_document_is_that_of_the_program(page: str, sentence: str) -> None:
    found = pattern(sentence).search(text(page))
    assert found, f"{page} doesn't say this any more"
    assert [number(each) for each in found.groups()] == [pytest.approx(each) for each in OURS[page][sentence]]


@pytest.mark.parametrize("page", PAGES)
def test_every_number_with_a_unit_is_compared_or_has_a_reason(page: str) -> None:
    missing = [each for each in sentences(page) if not pattern(each).search(text(page))]
    assert not missing, f"{page} doesn't say this any more"
    covered = {
        found.start(group)
        for each in sentences(page)
        for found in pattern(each).finditer(text(page))
        for group in range(1, each.count("#") + 1)
    }
    quantity = re.compile(rf"(?<![\w.#/-])({COUNTED})(?= ?(?:{'|'.join(UNITS)})(?!\w))", re.IGNORECASE)
    loose = [
        text(page)[max(0, found.start() - 60) : found.end() + 30]
        for found in quantity.finditer(text(page))
        if found.start() not in covered
    ]
    assert not loose, "Add these to OURS with their constants, or to OTHERS"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_module_and_target_that_a_page_names_is_there(page: str) -> None:
    source = (ROOT / page).read_text("utf-8")
    rooms = "benchmarks|cogs|db|docs|games|matches|render|tests"
    files = {ROOT / path for path in re.findall(rf"`((?:{rooms})/[\w./]*)`", source)}
    files |= {ROOT / path for path in re.findall(r"-r (requirements[\w-]*\.txt)", source)}
    files |= {(ROOT / page).parent / path for path in re.findall(r"\]\(([\w/.-]+)[)#]", source)}
    assert not [path for path in files if not path.exists()]
    modules = set(re.findall(r"python -m ((?:benchmarks|games|matches|tests)[\w.]*)", source))
    assert not [module for module in modules if find_spec(module) is None]
    targets = set(re.findall(r"[`\n]make ([\w-]+)", source))
    assert targets <= set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


# FOUND V4
def test_the_page_about_reviews_says_what_was_measured_with_which_version_and_what_follows() -> None:
    page = (ROOT / "docs" / "review.md").read_text("utf-8")
    _, _, rows = (page.split("<!-- measured -->")[1].split("<!-- end of measured -->")[0]).partition("|---")
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.split("\n")[1:] if row.startswith("|")]
    versions = sorted({version for row in cells for version in re.findall(r"version (\d+)", row[-1])})
    assert len(cells) > 30
    told = re.findall(
        r"measured with version (\d+) of judging; the program ships version (\d+)", text("docs/review.md")
    )
    assert told == [(version, str(progress.VERSION)) for version in versions if int(version) != progress.VERSION]
    under = {f"{table}, {what}" for table, what, *_, verdict, _ in cells if verdict == UNDER.lower()}
    follows = re.findall(r"^\* \*\*(.+):\*\* \w", page, re.MULTILINE)
    assert len(follows) == len(under)
    for row in under:
        table, _, what = row.partition("players, ")
        assert any(each.startswith(table) and what.endswith(each.partition("players, ")[2]) for each in follows), row


def test_every_option_of_the_bot_that_a_page_names_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments.read(["--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    for page in PAGES:
        for command in re.findall(r"python bot\.py ([^`\n#\"]*)", (ROOT / page).read_text("utf-8")):
            assert set(re.findall(r"--[a-z-]+", command)) <= known


def test_every_test_that_holds_a_promise_is_there() -> None:
    """A file without a folder lies in `tests/wire`. ``…`` is the file named before, or the rest of a name."""
    file = ROOT
    for path, name in re.findall(r"`([\w/]*\w+\.py|…)(?:::(\w+…?))?`", text("docs/reliability.md")):
        if path != "…":
            file = ROOT / path if "/" in path else ROOT / "tests" / "wire" / path
        defined = re.findall(r"^(?:async )?def (\w+)", file.read_text("utf-8"), re.MULTILINE)
        whole = name.removesuffix("…")
        assert any(each == name or (name != whole and each.startswith(whole)) for each in defined) or not name, name


def test_the_readme_begins_with_what_it_is_a_match_in_motion_and_two_ways_in() -> None:
    source = (ROOT / "README.md").read_text("utf-8")
    first, *sections = source.split("\n## ")
    lines = [line for line in first.split("\n") if line]
    assert lines[0] == "# Ambit"
    assert sum(not line.startswith(("#", "!", "**")) for line in lines) == 3, "three lines say what it is"
    (picture,) = re.findall(r"!\[[^\]]+\]\((.+)\)", first)
    assert (ROOT / picture).stat().st_size < 400_000
    titles = [section.split("\n")[0] for section in sections]
    assert titles == ["What it does", "Try it now", "Add it to a server", "How to run it", "How to develop it"]
    links = re.findall(r"\[[^\]]+\]\(#([\w-]+)\)", first)
    assert links == ["add-it-to-a-server", "try-it-now"]
    assert set(links) <= {title.lower().replace(" ", "-") for title in titles}
