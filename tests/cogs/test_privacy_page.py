"""What `/privacy` says is kept about a person, compared with what the store can hold (P20)."""

from datetime import timedelta

import pytest

from cogs.commands.privacy import DELETING, FIRST, KEPT
from db.model import schema
from matches.engine.clock import AGREES_FOR
from matches.host.retention import PRESSES_KEPT, REST
from tests.cogs.table import Table, buttons, private

ROOM = 1700
"""Characters of the page. Discord allows 2,000, so there is room for more."""

PAGES = [
    page.format(count="1000000 matches", moves=" (until 36500 days after it ends)")
    for page in (FIRST, *(text for _, text in KEPT.values()))
]
LONGEST = "\n".join(PAGES)

OF_NOBODY = {
    *("appointments", "gatherings", "pledge_looks", "pledged_tables"),
    *("puzzle_posts", "puzzle_channels", "puzzle_looks", "puzzle_cases"),
    *("deadlines", "gaps", "guild_settings", "guild_tallies", "seasons", "ladders", "dm_openings", "dm_pause", "meta"),
}
"""Tables that say nothing about any person."""

SAID = {
    "matches": {
        "host_id": "match you're in or host: your Discord ID",
        "invited": "Invitations",
        "rung": "pings",
        "witnesses": "an anonymous marker until that match ends",
        "cut_off": "what on Discord keeps you from playing",
        "pressed": "IDs of your Join, Leave and Start presses",
    },
    "seats": {
        **dict.fromkeys(("user_id", "key"), "your Discord ID"),
        "name": "display name",
        **dict.fromkeys(("won", "points", "place", "feat", "resigned", "replaced", "helped", "computer"), "the result"),
        "excused": "a match wasn't rated because Discord kept you from playing",
        "hand_message_id": "IDs of Ambit's messages to you",
        "away_used": "waited while you were away",
        "answers": "how quickly you answered",
        "waits": "place in line",
        "ready": "whether you're ready",
        "pressed_at": "when you last pressed anything before the start",
    },
    "log": {
        **dict.fromkeys(("player", "action"), "your moves"),
        "at": "when you made them",
        "interaction_id": "any other press in a match goes within two days",
        "by_order": "whether you had said it in advance",
    },
    "orders": {
        **dict.fromkeys(("user_id", "kind", "theirs", "mine", "ply", "given_at"), "Moves that you've said in advance"),
        "unless": "with their exceptions",
        **dict.fromkeys(("noted", "about"), "what these compare with"),
    },
    "suspicions": {"suspicions": "Who you said you suspect"},
    "presses": {"interaction_id": "before a match when it starts or its table is deleted"},
    "outbox": {"user_id": "news for you"},
    "votes": {"user_id": "votes", "vote": "votes"},
    "applications": dict.fromkeys(("user_id", "name", "agreed", "declined"), "seat requests"),
    "player_tallies": {"user_id": "the result", "won": "the result", "best": "the result"},
    "guild_player_tallies": {"user_id": "server's statistics", "won": "statistics", "name": "your last name there"},
    "rating_keys": {"user_id": "ratings: your last name there", "key": "a random key", "name": "your last name there"},
    "rated_results": {"seats": "your results under a random key"},
    "ratings": {"key": "your results under a random key"},
    "rating_points": {"key": "your results under a random key"},
    "rating_pairs": {
        **dict.fromkeys(("key", "other"), "your results under a random key"),
        **dict.fromkeys(("day", "results"), "how often you met somebody on the last day you did"),
    },
    "player_settings": {
        **dict.fromkeys(("user_id", "ping", "large", "spoiler", "private", "confirm", "hidden"), "Your settings"),
        **dict.fromkeys(("quiet", "zone", "at_once"), "Your settings"),
        "dm": "whether your DMs with Ambit are open",
        "away_until": "how long you said you'd be away",
        "dm_channel_id": "the ID of their channel",
    },
    "lessons": {
        **dict.fromkeys(("user_id", "game", "lesson", "done", "skipped", "shown", "turn"), "lessons done or skipped"),
        "answers": "your answers in the current one",
        "press": "ID of your last press there",
        "finished_at": "when you finished",
    },
    "pledges": {
        **dict.fromkeys(("user_id", "game", "until"), "What you'd play (`/tables`), until that ends"),
        "name": "your display name",
        **dict.fromkeys(("fewest", "most", "pace", "near", "by_mention"), "your wishes"),
        "rating": "your rating",
        "since": "since when",
        "rests_until": "until when it rests",
        **dict.fromkeys(("gathering", "answer"), "your answer when you're called"),
        **dict.fromkeys(("message_id", "message_in"), "the ID of that message"),
    },
    "reviews": {"user_id": "the review of a match that you're waiting for"},
    "call_me": {
        **dict.fromkeys(("user_id", "game", "by_mention"), "For which games you want to be called on which server"),
        "channel_id": "in which channel you said so",
    },
    "puzzle_attempts": {
        **dict.fromkeys(("user_id", "puzzle", "answers", "wrong", "marks", "shown", "turn"), "your answers in puzzles"),
        "press": "the ID of your last press there",
        **dict.fromkeys(("at", "solved_at"), "when you last gave one"),
    },
    "puzzle_solvers": {
        **dict.fromkeys(("user_id", "number", "here", "tries"), "which days' puzzles you tried"),
        **dict.fromkeys(("run", "best"), "your streak"),
        "name": "your display name for a week",
    },
    "puzzle_reports": dict.fromkeys(("user_id", "puzzle", "counts", "at"), "which puzzles you've reported"),
    "forgotten": dict.fromkeys(("user_id", "up_to", "left"), "your ID, until your old matches have been rewritten"),
    "kept_away": dict.fromkeys(("user_id", "other_id"), "Who you want to be kept away from"),
    "bars": {"user_id": "moderators have barred you", "until": "until when"},
    "allowances": dict.fromkeys(("mark", "until"), "anonymous markers of how often"),
}
"""By table and column, the words of the page that cover it."""

OF_PLACES = {"match_id", "guild_id", "channel_id", "thread_id", "lobby_message_id", "board_message_id", "message_id"}
WHOLLY = {"player_settings", "lessons", "puzzle_attempts", "forgotten", "kept_away", "allowances"}
"""Tables that are about people alone, so the page names each of their columns."""


# FOUND S4
def test_p20_every_table_is_about_nobody_or_the_page_says_what_it_holds() -> None:
    assert OF_NOBODY | SAID.keys() == schema.metadata.tables.keys()
    assert not OF_NOBODY & SAID.keys()


# FOUND S4
@pytest.mark.parametrize("name", sorted(SAID))
def test_p20_the_page_says_each_column_that_names_a_person_or_is_known_of_them(name: str) -> None:
    columns = schema.metadata.tables[name].columns
    assert SAID[name].keys() <= set(columns.keys())
    for phrase in SAID[name].values():
        assert phrase in " ".join(LONGEST.split())
    if name in WHOLLY:
        assert SAID[name].keys() == set(columns.keys())
    # Discord's ids, except those of places, lead to a person.
    numbered = {column.name for column in columns if column.name.endswith("_id")}
    assert numbered - OF_PLACES <= SAID[name].keys()


def test_p20_ids_of_presses_go_within_the_two_days_that_the_page_promises() -> None:
    assert "goes within two days" in LONGEST
    # After a start the clock isn't trusted for an hour.
    kept = PRESSES_KEPT + AGREES_FOR + REST
    assert kept < timedelta(days=2)


# FOUND S4
def test_p20_the_pages_about_privacy_leave_room_however_many_matches_there_are() -> None:
    assert all(len(page) <= ROOM for page in (*PAGES, DELETING))


# FOUND S4
async def test_p20_what_deleting_means_is_said_before_anything_is_deleted(room1: Table) -> None:
    (ann,) = room1.people
    page = private(await ann.slash(room1.channel, "privacy"))
    assert "Right now that's 0 matches." in page.content
    for key, (title, text) in KEPT.items():
        page = private(await ann.select(page, [key]))
        assert title in page.content.split("\n")[0]
        assert text.split("\n")[-1] in page.content
    asked = private(await ann.click(page, label="Delete my data …"))
    assert "Player 3" in asked.content
    assert "presses" in asked.content
    back = private(await ann.click(asked, label="◀ Back"))
    assert "Right now that's 0 matches." in back.content
    assert not [button for button in buttons(back) if button.url]
    room1.bot.policy_url = "https://example.org/privacy"
    linked = private(await ann.slash(room1.channel, "privacy"))
    assert [(button.label, button.url) for button in buttons(linked) if button.url] == [
        ("Privacy policy", "https://example.org/privacy")
    ]
