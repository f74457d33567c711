"""Shows somebody their own note about a match."""

from __future__ import annotations

from cogs.press.reply import Message, Press, answer
from cogs.text import names, words
from matches.api import Match
from tests.sample.matches import Sample


async def show(press: Press, match: Match, text: str | None = None) -> None:
    """Show a person's note, after it was replaced by `text`, if that is given."""
    sample = press.host.part(Sample)
    if text is not None:
        await sample.write(press.once(match.id), press.person, text)
    note = await sample.read(match.id, press.person)
    said = names.in_message(note, 200) if note else "You've noted nothing."
    await answer(press, Message(f"{words.title(match)}: {said}"))
