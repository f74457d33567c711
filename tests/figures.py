"""The numbers of the program that documents tell, each in its sentence, made with its constant.

`test_docs.py` looks for these sentences, and has those with other numbers. For a new number, add its sentence.
"""

from datetime import timedelta
from math import ceil, comb
from typing import Final

from benchmarks import (
    growth,
    host,
    measure,
    memory,
    move_cost,
    neighbours,
    odds,
    pledging,
    postgresql,
    ratings,
    strength,
    taps,
)
from benchmarks.ratings import bank, leagues
from benchmarks.review import verdicts
from benchmarks.thinking_cost import CPU_CEILINGS
from cogs import drawing
from cogs.play import panel_pages
from cogs.press import custom_ids, reply
from cogs.preview import world
from cogs.process import arguments, health, pace, passing, sessions, watch, wire
from cogs.process.environment import Settings
from cogs.review import unmasked
from db.matches import gaps
from db.model import schema
from db.model.enums import Pace
from db.puzzles import kept
from db.store import leases, postgres, server_locks
from docs import verify_deals
from games.abissal.components import HAND_SIZE
from matches.analysis import judging, luck, outline, progress, rounds, trying
from matches.computers import paired, pool, timing
from matches.computers.judgements import ambagibus, gambo, saboteur
from matches.computers.judgements.saboteur import conduct, plan, roles
from matches.computers.judgements.saboteur.turns import Deed
from matches.computers.levels import STRENGTHS, Level, Strength
from matches.computers.thinking import judgement_of
from matches.delivery import dms, presence
from matches.engine import clock, fair_queue, handover, lanes, processes, workers
from matches.host import operating, privacy, retention, scheduler
from matches.puzzles import attempt, calendar, grading, shelves, solving
from matches.puzzles.finders import clearly_best, digging, going_out, suspects, three_hands
from matches.puzzles.finders.found import MOST_TURNS
from matches.puzzles.puzzle import KNOWN
from matches.ratings import ladder, model
from matches.records import fair
from matches.results import reliability
from matches.table import follow, limits, news, turn, value
from matches.work import positions
from render import cache as tiles
from render import gif
from tests import test_deploy as deploy
from tests import test_papers as papers
from tests.conformance import test_what_a_game_brings as shape
from tests.render import test_legibility as legible
from tests.render import test_vision as vision
from tests.wire import outages

SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))
IDLE, INTERVAL, COUNT = map(int, postgres._KEEPALIVES.values())


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


OURS: Final[dict[str, tuple[str, ...]]] = {
    "README.md": (f"The page lists {arguments.read([]).members} people",),
    ".env.example": (
        f"AMBIT_DMS_A_MINUTE={default('dms_a_minute')}",
        f"AMBIT_DMS_A_DAY={default('dms_a_day')}",
        f"its limit of {pace.A_SECOND} requests a second",
    ),
    "CONTRIBUTING.md": (
        f"shows its latest {world.LATEST} messages",
        f"of at most {shape.MAX_SECTION} characters that cover every rule",
        f"so that none passes {shape.MAX_LINES} lines",
        f"smaller than {legible.SMALLEST} pixels in a picture {legible.PHONE} pixels wide",
    ),
    "docs/computer-players.md": (
        f"at least {odds.ROUNDS[Level.NORMAL]} of normal computers and {odds.ROUNDS[Level.EXPERT]} of experts",
        f"(a niceness of {pool.NICENESS})",
        f"when {conduct.STRIKE} cards or fewer are missing",
        f"among 5 players when {conduct.STRIKE + 1} are missing, among more when {conduct.STRIKE_AMONG_MANY} are",
        f"on their first turn when {conduct.STRIKE_ON_FIRST_TURN} are missing",
        f"easy | 1/{1 / STRENGTHS[Level.EASY].share} of normal",
        f"hard | {STRENGTHS[Level.HARD].share} times normal",
        f"expert | {STRENGTHS[Level.EXPERT].share} times normal",
        f"may take {CPU_CEILINGS[Level.EXPERT]} seconds of a quiet processor",
        f"hard searches {nodes('ambush', Level.HARD)} positions exactly, expert {nodes('ambush', Level.EXPERT)}",
        f"**Gambo:** {nodes('gambo', Level.HARD)} and {nodes('gambo', Level.EXPERT)}",
        f"an expert {share('gambo', Level.EXPERT)} times as many, judged after "
        f"{strength_of('gambo', Level.EXPERT).horizon} lines; the others",
        f"A whole run adds rows with {100 * strength.MORE}% of the work",
        f"on the same deals: {strength.by_sides.DEALS} rounds with a saboteur",
        f"experts that searched (commit {strength.searching.COMMIT}) play",
        f"Now it judges after {strength_of('gambo', Level.EXPERT).horizon} lines",
        f"and Saboteur for {saboteur.CROWD} or more, have only",
        f"where {saboteur.CROWD} or more will play, computers",
        f"an expert has {share('abissal', Level.EXPERT)} times normal's iterations. Only",
        f"exact ends, of {nodes('abissal', Level.EXPERT)} positions or fewer",
        f"**Ambagibus:** samples are judged after {judgement_of('ambagibus').horizon} lines",
        f"In the advanced game an expert judges them after {strength_of('ambagibus', Level.EXPERT).horizon} lines",
        f"For two, an expert has {share('ambagibus', Level.EXPERT)} times normal's iterations, and "
        f"{nodes('ambagibus', Level.EXPERT)} positions for best play; among more, {ambagibus.AMONG_MORE.share} times",
        f"the {ambagibus.AmbagibusJudgement.finalists} best actions are compared in up to {ambagibus.MOST_WORLDS} "
        f"worlds, by alpha-beta {ambagibus.FAR} lines ahead, or {ambagibus.NEAR} if",
        f"if the work isn't enough for {ambagibus.FEWEST_WORLDS} worlds",
        f"only the {ambagibus.WIDTH} options that gain most at once are tried",
        f"Only the {ambagibus.CONSIDERED['advanced']} actions after which the chances are best enter the race, "
        f"{ambagibus.CONSIDERED['basic']} in the basic game",
        f"looking at a finish card is worth {plan.LOOKED} cards",
        f"their last broken tool is worth {plan.FREED} cards, also to a saboteur whose fellow is found out, and "
        f"stopping a certain saboteur {plan.STOPPED}",
        f"for certain costs a saboteur up to {plan.BLUFF} cards, and nothing below a chance of "
        f"{round(100 * plan.UNNOTICED)}%",
        f"a rock-fall on the path is worth {plan.CUT} cards",
        f"A broken tool is worth {plan.HELD_UP}",
        f"after {fair_queue.PATIENCE} such restarts it runs to its end, and after {fair_queue.PATIENCE} turns of "
        "people",
        f"If a decision kills {workers.TRIES} processes",
        f"at most one of {fair_queue.PATIENCE + 1} turns of people",
        f"{timing.SECONDS[Level.EASY]} at easy, {timing.SECONDS[Level.NORMAL]} at normal and hard, "
        f"{timing.SECONDS[Level.EXPERT]} at expert",
        f"(gold in Saboteur) takes {timing.PICK} second",
        f"at the next multiple of {timing.LATE} seconds",
        f"a machine that takes {measure.QUIET * 1000} ms for the yardstick",
        f"changes every {news.WATCHED_EVERY / SECOND} to {news.WATCHED_EVERY / SECOND + scheduler.TICK} seconds",
        f"A host may have {limits.WATCHED_TABLES} such matches running at the same time, on all servers together, and "
        f"a server {limits.WATCHED_ON_A_SERVER}",
    ),
    "docs/fair-deals.md": (
        f"The **seed** is {fair.SEED_BYTES} bytes",
        f"written as {2 * fair.SEED_BYTES} hexadecimal digits",
        f"(shifted right by {leases.SHARD_BITS} bits",
        f"{len(verify_deals.REMARKS)} lines that begin with",
        f"Seat 0 takes {HAND_SIZE} cards",
    ),
    "docs/listing.md": (
        f"At most {papers.DESCRIPTION} characters of description, and {papers.TAGS} tags of {papers.TAG} characters",
        f"The summary has at most {papers.SUMMARY} characters",
        f"**At your pace:** {turn_of(Pace.LIVE) / MINUTE} minutes a turn, a day, {turn_of(Pace.SLOW) / DAY} days, or",
        f"keeps to {pace.A_SECOND} requests a second",
    ),
    "docs/operating.md": (
        f"once more than {drawing.FEW} pictures",
        f"stuck for {deploy.watchdog()} seconds is ended",
        f"(a test keeps it under {deploy.EXPOSURE})",
        f"keeps the newest {deploy.copies()} copies",
        f"for {passing.FINISHING} seconds at most, and ends with code 0",
        f"started within {sessions.LIVES / MINUTE} minutes of an orderly stop",
    ),
    "docs/pictures.md": (
        f"would take more than {gif.MAX_BYTES / 10**6} MB",
        f"a contrast of at least {vision.TEXT_CONTRAST} on its ground, and {vision.LARGE_CONTRAST} as seen",
        f"are at least {vision.LEAST_DIFFERENCE} apart in OKLab",
        f"some {legible.PHONE} pixels wide, nothing that matters is smaller than {legible.SMALLEST} pixels",
    ),
    "docs/privacy-policy.md": (
        f"not to give you a puzzle twice | until you delete it; unsolved ones {kept.ATTEMPTS_KEPT / DAY} days",
        f"until they're sent, {scheduler.GIVEN_UP / DAY} days at most",
        f"a day's puzzle, as long as it's open ({calendar.OPEN_FOR / DAY} days)",
        f"is excused once in {limits.Deed.EXCUSE.each / DAY} days",
        f"that you were excused, {limits.Deed.EXCUSE.each / DAY} days, also",
        f"in how quickly people answer | {gaps.REMEMBERED / DAY} days",
        f"arrives twice counts once | {ceil((retention.PRESSES_KEPT + clock.AGREES_FOR + retention.REST) / DAY)} days "
        "at most",
    ),
    "docs/ratings.md": (
        f"the match ends {turn.STAYS / DAY} days after the last question",
        f"isn't in their record, once in {limits.Deed.EXCUSE.each / DAY} days on a server",
        f"listed | after {model.LISTED} matches in the season",
        f"ends {turn.STAYS_UNASKED / DAY} days after its last move if nobody asks about it, and {turn.STAYS / DAY} "
        "days after",
        f"ends after {value.STAYS_OUT_OF_REACH / DAY} days and doesn't count",
        f"everybody begins at {model.MU} again",
        f"begins at {model.MU} ± {round(model.SIGMA)}, on",
        f"While the deviation is above {model.SURE}",
        f"both are rounded to {model.DIGITS} decimals",
        f"simulates leagues of {leagues.PLAYERS} players",
        f"change little among {leagues.PLAYERS} people",
        f"easy {bank.EFFORTS[Level.EASY] * 100} %, the others {bank.EFFORTS[Level.EXPERT] * 100} %",
        f"order {ratings.RIGHT * 100} % of the clear pairs correctly after {leagues.SPANS[-1]} matches",
        f"stay within {ratings.BEHIND} of the strengths",
        f"at most {ratings.WORSE} above Elo's",
        f"wherever two levels are {ratings.APART} from equal",
        f"met fewer than {ladder.NEW_BELOW} people is new.** One person can gain at most {ladder.FROM_NEW} points",
        f"1 − n/{ladder.FROM_NEW}, where n",
        f"met fewer than {ladder.FEW_BELOW} people belongs to a small circle.** One person can gain at most "
        f"{ladder.FROM_FEW} points",
        f"1 − n/{ladder.FROM_FEW} in the same way",
        f"somebody gains at most {ladder.FROM_NEW} points",
        f"A ring of {ladder.FEW_BELOW} accounts that only play each other lifts one of them by at most "
        f"{ladder.FROM_FEW}",
        f"nobody gets more than {ladder.FROM_FEW} points above",
        f"that ended in the last {reliability.WINDOW / DAY} days",
        f"Nothing is shown before {reliability.LEAST} matches, nor in the first {reliability.PROVEN / DAY} days",
        f"known to have finished at least {reliability.FINISHES * 100} %",
    ),
    "docs/reliability.md": (
        f"looks every {scheduler.TICK} seconds for leftovers",
        f"takes it once it is {leases.OVERDUE_AFTER / SECOND} seconds overdue",
        f"after pauses that grow to {lanes.LONGEST_PAUSE / SECOND} seconds",
        f"The same failure is logged once {lanes.SAME_FAULT / MINUTE} minute",
        f"no answer {reply.PATIENCE} seconds after it reached the bot",
        f"fails after {wire.SILENCE} seconds of silence on the wire",
        f"After {wire.LATE} seconds of silence nobody else",
        f"it retries after pauses from {scheduler.SOON[0] / SECOND} to {scheduler.SOON[1] / SECOND} seconds",
        f"after pauses from {scheduler.LATER[0] / MINUTE} minutes to {scheduler.LATER[1] / HOUR} hours",
        f"After {scheduler.GIVEN_UP / DAY} days the bot gives up",
        f"(after {value.STAYS_OUT_OF_REACH / DAY} days the match ends)",
        f"refused requests in {scheduler.GIVEN_UP / DAY} days",
        f"at most {scheduler.SOON[1] / SECOND} seconds after Discord recovers",
        f"a retry after {wire.SILENCE} seconds",
        f"Rate limits: buckets, followups by interaction and by channel, {pace.A_SECOND} a second",
        f"opens no new DM for {dms.FIRST_PAUSE / MINUTE} minutes, then twice as long, up to {dms.LONGEST_PAUSE / DAY} "
        "day",
        f'"thinking" after {reply.PATIENCE} seconds',
        f"rewritten {privacy.MATCHES_PER_STEP} matches at a time",
        f"people {scheduler.WATCHED_AT_ONCE} turns are computed at a time, beside those of others, and "
        f"{scheduler.POSTS_AT_ONCE} posts",
        f"changes at most once in {news.WATCHED_EVERY / SECOND} seconds",
        f"{Pace.LIVE.away / MINUTE} minutes (`live`), {Pace.DAY.away / DAY} days (`day`), {Pace.SLOW.away / DAY} days "
        f"(`slow`), {Pace.NONE.away / DAY} days (`none`)",
        f"answered within {host.ACKNOWLEDGED_WITHIN / 1000} seconds when {host.WHOLE.burst} confirm",
        f"at least {move_cost.MOVES_FLOOR} the plain way's moves a second",
        f"another table's computer, take at most {neighbours.CEILING} times as long",
        f"{neighbours.ASKING} people who ask for **Results**",
        f"take at most {neighbours.CEILING} times as long, and the bot takes at most {neighbours.MEMORY_CEILING} "
        "times the memory",
        f"come within {neighbours.CEILING} times what they take alone",
        f"loop is busy for at most {pledging.CEILING} ms at a stretch",
        f"after {memory.HOUR} moves, an hour of a move a second, at most {memory.CEILING} times what it was after "
        f"{memory.TEN_MINUTES}",
        f"with {host.WHOLE.open} at most {host.START_CEILING} times as long as with none",
        f"at most {growth.SLOWER_CEILING} times as long as with {growth.FEW} (",
        f"at most {growth.BYTES_CEILING} bytes each",
        f"at least {postgresql.MOVES_FLOOR} of the moves a second",
        f"at most {postgresql.COST_CEILING} times the bot's CPU a move (1.01) and {postgresql.STATEMENTS_CEILING} "
        "statements more",
        f"{postgresql.ROUND_TRIPS_CEILING} round trips a move",
        f"with {postgresql.DELAY * 1000} ms more for each at {postgresql.FAR_TABLES} tables {postgresql.FAR_FLOOR} of "
        "the moves",
        f"taken up within {host.TAKEN_UP_WITHIN / 1000} seconds of the move that they show, at {host.BOARDS_A_SECOND} "
        "boards a second",
        f"with {host.WHOLE.matches} matches at work the median is at most {host.MANY_CEILING} times",
        f"{move_cost.REQUESTS[False]} in open games, {move_cost.REQUESTS[True]} where there are hands",
        f"junk, {custom_ids.MAX_LENGTH} characters)",
        f"At most {limits.WATCHED_TABLES} running matches that only computers play for each host, and "
        f"{limits.WATCHED_ON_A_SERVER} on a server",
        f"more than {limits.OPEN_TABLES} lobbies of a server",
        f"nothing is shown for {reliability.PROVEN / DAY} days and {reliability.LEAST} matches",
    ),
    "docs/puzzles.md": (
        f"stays open for {calendar.OPEN_FOR / HOUR} hours",
        f"posts are spread over {calendar.SPREAD / HOUR} hours",
        f"after {solving.REPORTS} reports of people who have tried it and solved {solving.OTHERS} others, from at "
        f"least {solving.SERVERS} servers",
        f"if that's at least one in {solving.ONE_IN} of all",
        f"withdraw at most {solving.WITHDRAWN_A_WEEK} puzzles in {solving.A_WEEK / DAY} days",
        f"if it solves it in {grading.ENOUGH} of {grading.TRIES} tries",
        f"Once {grading.PEOPLE} people have tried a puzzle",
        f"The first {len(shelves.lines(shelves.ENDED))} days stand in",
        f"of which **the first {shelves.SINCE - 1} are played**",
        f"so there are at most {comb(going_out.MOST_AGAINST + 3, 3)} hands",
        f"as possible, at most {digging.MOST_TURNS}, if the others",
        f"After {MOST_TURNS} right moves the rest",
        f"Positions have {clearly_best.FEWEST_ACTIONS} to {clearly_best.MOST_ACTIONS} legal actions",
        f"gets {clearly_best.LOOKS} looks, with {clearly_best.RUNS} runs each, for each of {clearly_best.SEEDS} seeds",
        f"First come {len(clearly_best.SURVEYS)} cheap surveys",
        f"**right** if it loses at most {clearly_best.TIE} against",
        f"**nearly right** if it loses at most {clearly_best.NEAR} (",
        f"**wrong** if it loses at least {clearly_best.LEAD}, by the lower bound ({100 * paired.SURE} %",
        f"more than {100 * clearly_best.LARGEST_SHARE} % of the actions are right or nearly",
        f"is a saboteur, in steps of {attempt.STEP} %",
        f"There have been {suspects.FEWEST_TURNS} to {suspects.MOST_TURNS} turns, with",
        f"moved by {100 * suspects.CLEARLY} points or more, and somebody's are between {100 * suspects.OPEN[0]} and "
        f"{100 * suspects.OPEN[1]} %",
        f"are below {100 * suspects.CERTAIN[0]} or above {100 * suspects.CERTAIN[1]} %",
        f"Nobody's odds differ by more than {100 * suspects.APART} points from those",
        f"Up to {suspects.TOLD} turns are named",
        f"told in coarse steps up to {KNOWN} times",
        f"at most {three_hands.MOST_UNSEEN} cards that the solver hasn't seen",
        f"one loses at least {judging.MISTAKE} against the best with these",
        f"in up to {three_hands.PLAYERS_ON['experts'][0][-1]} worlds of experts and "
        f"{three_hands.PLAYERS_ON['plain players who lead pairs'][0][-1]} of plain",
    ),
    "docs/review.md": (
        f"In Gambo, with {gambo.DUELS} duels left or fewer",
        f"gives up after {gambo.POSITIONS} positions",
        f"at most {progress.MOMENTS} moments that turned it",
        f"only played on for {ambagibus.AmbagibusJudgement.horizon} lines",
        f"at most {luck.WORLDS} worlds a line, and {luck.MOST_WORLDS} a match",
        f"So {luck.DEALS} times experts with {100 * luck.EXPERTISE} % of their work",
        f"rest is more than {100 * luck.MOST_REST} % of",
        f"best play is searched in up to {ambagibus.MOST_WORLDS} further worlds",
        f"less than {round(luck.SURE)} standard errors",
        f"over {outline.PLAYOUTS} ways to play on",
        f"a tree of {outline.VISITS} visits tells it",
        f"exact search of {outline.POSITIONS} positions",
        f"in the first look {judging.LOOK_NODES[0]} times as many positions, and in the second one "
        f"{judging.LOOK_NODES[1]} times",
        f"at most {progress.MOMENTS} of your decisions",
        f"with {100 * judging.PART} % of an expert's work (in Gambo {100 * judging.PART_IN_TREES} %)",
        f"at most {progress.CANDIDATES} decisions with the largest possible loss get **{judging.LOOKS} looks**",
        f"({100 * paired.SURE} %, one-sided) reaches {100 * judging.MISTAKE} % of what",
        f"after the first of {len(trying.ROUNDS)} rounds",
        f"Whatever loses at most {100 * trying.MARGIN} % is right",
        f"answered by an expert with {100 * trying.ANSWER} % of its work",
        f"In games that race it has {judging.LOOK_SAMPLES} runs, in {judging.LOOK_WORLDS} worlds",
        f"it has {judging.LOOK_TREES[0]} runs of {judging.LOOK_TREES[1]} visits",
        f"it has as many more, up to {judging.MOST_TREES}",
        f"a *reference* with {verdicts.REFERENCE} times the work",
        f"until there are {verdicts.TRIALS['gambo']} trials at each table, and {verdicts.TRIALS['ambagibus']} in "
        "Ambagibus",
        f"with more than {progress.MOST_SURVEYED} decisions of people",
        f"changed the odds by {100 * rounds.SWING} % or more",
        f"are at most {progress.MOMENTS} decisions against the rules",
        f"is one of {len(Deed)} deeds",
        f"more than {roles.MOST:.0f} times as likely in one world",
        f"more likely than {100 * unmasked.CERTAIN} %",
        f"the mean over {rounds.WORLDS} worlds for each place",
    ),
    "docs/metrics.md": (
        f"answers to {presence.PRESSES} presses failed",
        f"refused some in {presence.EVERYWHERE} places",
        f"looks once every {health.EVERY} seconds by itself",
    ),
    "docs/runbook.md": (
        f"a scrape and an evaluation every {outages.SCRAPED} seconds",
        f"from {operating.REREAD / SECOND} seconds on and for {operating.ANNOUNCED_FOR / DAY} days",
        f"Its matches wait {value.STAYS_OUT_OF_REACH / DAY} days for an invitation",
        f"sends one request every {wire.PROBED_EVERY} s until",
        f"Discord refused it for {scheduler.GIVEN_UP / DAY} days",
        f"silent for {wire.SILENCE} seconds in the middle of a request ({wire.SILENCE_OF_A_PROXY} with `AMBIT_API`)",
        f"all {scheduler.MATCHES_AT_ONCE} places have been taken for {lanes.FULL / SECOND} s and",
        f"({pace.A_SECOND} requests in {pace.WINDOW} s)",
    ),
    "docs/scaling.md": (
        f"notes every {gaps.NOTED_EVERY / SECOND} seconds, while",
        f"Discord refuses posts in {presence.EVERYWHERE} places",
        f"{presence.AT_ONCE} matches take one transaction",
        f"which takes {processes.IDENTIFY_EVERY / SECOND} seconds a shard. Then",
        f"it doesn't answer within {handover.WILLING_WITHIN / SECOND} seconds ({server_locks.LAG / SECOND} on "
        "PostgreSQL)",
        f"has been right for {clock.AGREES_FOR / HOUR} hour",
        f"jumps by more than {clock.TOLERATED / MINUTE} minute",
        f"deletes lobbies that never started {follow.CLOSED_LOBBY_STAYS / DAY} day after",
        f"A process has {postgres.CONNECTIONS} for matches",
        f"which is enough for {100 // (postgres.CONNECTIONS + 2)} processes",
        f"version {postgres.OLDEST} or newer: the bot refuses",
        f"Each process takes {postgres.CONNECTIONS + 3} of its connections",
        f"it ends within {watch.LOCKS_EVERY} seconds. Some providers",
        f"autovacuum to run after {schema._TURNED_OVER['autovacuum_vacuum_threshold']} dead rows",
        f"{postgres.CONNECT_WITHIN / SECOND} seconds for a connection or a locked row",
        f"or a locked row, {postgres.ANSWER_WITHIN / SECOND} for an answer",
        f"by default to {default('dms_a_minute')} within any minute and {default('dms_a_day')} within any day",
        f"unasked, the bot uses at most {dms.UNASKED * 5} fifths",
        f"it opens none for {dms.FIRST_PAUSE / MINUTE} minutes",
        f"then twice as long, up to {dms.LONGEST_PAUSE / DAY} day",
        f"Discord accepts {pace.A_SECOND} requests a second from one token",
        f"{tiles.MAX_BYTES / 10**6} MB at most are drawn tiles and {positions.KEPT / 10**6} MB positions",
        f"kB if it has {growth.CHANNELS} channels and {growth.ROLES} roles",
        f"kB if it has {growth.LARGER[0]} and {growth.LARGER[1]}:",
        f"of a server with {growth.CHANNELS} channels, {growth.ROLES} roles",
        f"a test keeps what the bot keeps under {growth.A_SERVER / 1000} kB",
        f"takes {processes.IDENTIFY_EVERY / SECOND} seconds a shard, because Discord lets one log in every "
        f"{processes.IDENTIFY_EVERY / SECOND} seconds",
        f"sends what it had left unsent, within {scheduler.TICK + leases.OVERDUE_AFTER / SECOND} seconds",
        f"takes the locks again within {watch.LOCKS_EVERY} seconds",
        f"the server notices after {IDLE + INTERVAL * COUNT} seconds",
        f"waits for that, {server_locks.LAG / SECOND} seconds at most",
        f"shards log in every {processes.IDENTIFY_EVERY / SECOND} seconds",
        f"**{pace.A_SECOND} requests a second.**",
        f"The share of the {pace.A_SECOND} that its shards are",
        f"one of four shards: {pace.A_SECOND // 4}), within any {pace.WINDOW} seconds",
        f"at the start and every {watch.CLOCK_EVERY} seconds",
        f"From a difference of {processes.APART / SECOND} seconds on",
    ),
    "docs/taps.md": (
        f"at most {taps.PICTURES_CEILING} pictures on average",
        f"Up to {panel_pages.A_ROW * panel_pages.ROWS} choices are buttons",
    ),
}
"""By page, sentences with the numbers of the program. A page may write a number as a word."""
