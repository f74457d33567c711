"""What a failed request to Discord means: one table for every sender, and every code that Discord documents."""

from typing import Any, NamedTuple

import aiohttp
import discord
import pytest

from cogs.process import faults
from cogs.process.faults import Fault, fault_of, may_pass, reason
from tests.sources import ROOT, modules, source

TABLE = ROOT / "tests" / "cogs" / "discord_json_error_codes.tsv"


class Answer(NamedTuple):
    """The parts of a response of which discord.py makes an error, and its type."""

    status: int
    reason: str = "because"
    content_type: str = "application/json"


def error(status: int, code: int = 0) -> discord.HTTPException:
    made: Any = Answer(status)
    return discord.HTTPException(made, {"code": code, "message": "no"})


# FOUND O13
@pytest.mark.parametrize("status", [401, 403, 404, 405, 413])
def test_a_page_of_something_before_discord_says_nothing_about_the_request(status: int) -> None:
    made: Any = Answer(status, content_type="text/html")
    page = discord.HTTPException(made, "<title>Attention Required! | Cloudflare</title>")
    assert fault_of(page) is Fault.TRANSIENT
    assert faults.why(page) == "Discord isn't answering right now"


def table() -> list[list[str]]:
    return [line.split("\t") for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")][1:]


def documented() -> dict[int, str]:
    return {int(code): fault for code, fault, _, _ in table()}


# FOUND E2


@pytest.mark.parametrize("status", range(400, 600))
def test_every_http_status_has_a_class_and_only_429_and_5xx_are_transient(status: int) -> None:
    assert (fault_of(error(status)) is Fault.TRANSIENT) == (status == 429 or status >= 500)
    assert may_pass(error(status)) or fault_of(error(status)) is Fault.MALFORMED


@pytest.mark.parametrize(("code", "fault"), documented().items())
def test_every_documented_code_has_the_class_of_the_table_at_a_4xx_and_is_transient_at_a_5xx(
    code: int, fault: str
) -> None:
    assert {fault_of(error(status, code)) for status in (400, 403, 404)} == {Fault(fault)} or code == 0
    assert fault_of(error(503, code)) is Fault.TRANSIENT
    assert fault_of(error(429, code)) is (Fault.UNEDITABLE if fault == "uneditable" else Fault.TRANSIENT)
    assert not (may_pass(error(400, code)) and fault in ("malformed", "uneditable"))


def test_the_table_is_the_documented_one_and_every_code_that_the_program_names_stands_in_it() -> None:
    table = documented()
    assert len(table) > 200
    undocumented = {20026}
    named = [value for name, value in vars(faults).items() if name.isupper() or name.startswith("_B")]
    codes = {each for value in named if isinstance(value, frozenset | dict) for each in value if each > 1000}
    assert codes - undocumented <= set(table)


# FOUND W6


def test_each_code_that_can_answer_the_bot_has_a_sentence_that_is_true_of_it_alone() -> None:
    blamed: dict[str, set[str]] = {}
    for code, fault, asked, label in table():
        said = faults.why(error(400, int(code)))
        assert said == said.strip(" .")
        assert said[0].islower() or said.startswith(("I ", "I'", "AutoMod", "Discord"))
        # A code that says nothing else keeps the sentence of its class.
        unknown = f"Discord refuses it (error {code})"
        assert (said == unknown) is (asked == "no" and fault in ("refused", "gone")), f"{code} {label}: {said}"
        blamed.setdefault(said, set()).add(label)
    # What people are told to look for is in the label of each code with that sentence.
    for clause, labels in {
        "I'm missing a permission": {"missing permissions"},
        "this server has no room for another thread": {"too many active threads", "too many announcement threads"},
        "the thread is locked": {"thread is locked"},
        "the channel or thread is gone": {"unknown channel"},
    }.items():
        assert blamed[clause] == labels
    assert [clause for clause in blamed if "permission" in clause] == ["I'm missing a permission"]
    assert len([clause for clause in blamed if "AutoMod" in clause]) == 1


def test_a_code_that_discord_adds_later_and_no_code_at_all_are_told_as_they_are() -> None:
    assert faults.why(error(403, 987654)) == "Discord refuses it (error 987654)"
    assert faults.why(error(403)) == "Discord refuses it (error 403)"
    for failure in (TimeoutError(), error(503, 50013), error(429)):
        assert faults.why(failure) == "Discord isn't answering right now"


@pytest.mark.parametrize("failure", [aiohttp.ServerDisconnectedError(), TimeoutError(), ConnectionResetError()])
def test_a_network_that_fails_is_transient_and_its_reason_is_never_empty(failure: Exception) -> None:
    assert isinstance(failure, faults.FAILURES)
    assert fault_of(failure) is Fault.TRANSIENT
    assert reason(failure)
    assert reason(TimeoutError())


JUDGING = {
    *(f"discord.{name}" for name in ("HTTPException", "NotFound", "Forbidden", "DiscordServerError", "RateLimited")),
    *(f"{caught}.{name}" for caught in ("error", "failure", "exception") for name in ("code", "status")),
}
"""What a module names that judges a failure of Discord by itself."""


def test_no_sender_judges_a_failure_by_itself() -> None:
    senders = [path for path in modules("cogs") if path.name not in ("faults.py", "log_format.py")]
    assert len(senders) > 50
    judging = {path: found for path in senders if (found := source(path).dotted.keys() & JUDGING)}
    assert judging == {}
