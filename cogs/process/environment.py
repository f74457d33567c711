"""Reads and checks the bot's settings. Every error is a sentence."""

from __future__ import annotations

import base64
import binascii
import difflib
import os
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import pydantic
import pydantic_settings
from dotenv import dotenv_values
from pydantic import BeforeValidator
from pydantic_settings import NoDecode

from cogs.process.exits import StartError
from matches.api import Ration
from matches.features import FEATURES

DATABASE: Final = "sqlite+aiosqlite:///ambit.db"
PREFIX: Final = "AMBIT_"

LONGEST_LINK: Final = 512
"""The longest address that a button on Discord can open."""

MOST_MEANT: Final = 100
"""A refusal writes a range out if it has no more numbers than this."""

FILE: Final = Path(".env")
"""The file of settings, if ``--env`` names no other."""


def _by_commas(value: str | None) -> list[int] | None:
    """Return the numbers in a text such as ``0,1,2``, sorted. Raises ValueError, which says what to write."""
    if value is None:
        return None
    parts = [part.strip() for part in value.split(",")]
    if not all(part.isdecimal() for part in parts):
        ranges = [re.fullmatch(r"(\d{1,5})(?: *(?:-|–|\.\.+|to) *(\d{1,5}))?", part) for part in parts]
        numbers = [each for found in ranges if found for each in range(int(found[1]), int(found[2] or found[1]) + 1)]
        meant = ",".join(map(str, numbers)) if all(ranges) and 0 < len(numbers) <= MOST_MEANT else "0,1,2,3"
        raise ValueError(f"It must be numbers with commas between them: write {meant}")
    return sorted(set(map(int, parts)))


def _features(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys in a text such as ``puzzles,pledges``. Raises ValueError, which says what may stand there."""
    keys = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    known = sorted(feature.key for feature in FEATURES)
    if not set(known).issuperset(keys):
        raise ValueError(f"It must name features with commas between them; they are {', '.join(known)}")
    return tuple(sorted(set(keys)))


class Address(NamedTuple):
    """Where the process answers questions about itself."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _address(value: object) -> object:
    """Read an address such as ``127.0.0.1:9400`` or ``[::1]:9400``."""
    if not isinstance(value, str):
        return value
    host, colon, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    if not colon or not host or (":" in host and not value.startswith("[")) or not port.isdecimal():
        raise ValueError("It must be a host and a port, such as 127.0.0.1:9400")
    if not 0 < int(port) < 65_536:
        raise ValueError("Its port must be a number from 1 to 65535")
    return Address(host, int(port))


class Settings(pydantic_settings.BaseSettings):
    """The settings: environment variables named ``AMBIT_…``, or lines of a file (see ``.env.example``).

    A variable overrides the file.
    """

    model_config = pydantic_settings.SettingsConfigDict(
        env_prefix=PREFIX, env_file=FILE, env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore"
    )

    token: pydantic.SecretStr | None = None
    token_file: Path | None = None
    database: str = DATABASE
    log_format: Annotated[Literal["text", "json"], BeforeValidator(str.lower)] = "text"
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)] = "INFO"
    shard_count: Annotated[int, pydantic.Field(ge=1, le=65_536)] | None = None
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode, BeforeValidator(_by_commas)] = None
    api: pydantic.HttpUrl | None = None
    computer_processes: Annotated[int, pydantic.Field(ge=1, le=1_024)] | None = None
    dms_a_minute: Annotated[int, pydantic.Field(ge=0, le=1_000_000)] = Ration().a_minute
    dms_a_day: Annotated[int, pydantic.Field(ge=0, le=1_000_000)] = Ration().a_day
    policy_url: Annotated[pydantic.HttpUrl, pydantic.UrlConstraints(max_length=LONGEST_LINK)] | None = None
    keep_days: Annotated[int, pydantic.Field(ge=1, le=36_500)] | None = None
    without: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_features)] = ()
    move_to: pydantic.SecretStr | None = None
    operator_guild: Annotated[int, pydantic.Field(ge=1, lt=1 << 63)] | None = None
    metrics: Annotated[Address | None, BeforeValidator(_address)] = None

    @pydantic.field_validator("api")
    @classmethod
    def _base(cls, value: pydantic.HttpUrl | None) -> pydantic.HttpUrl | None:
        if value is not None and (
            value.path != "/" or any((value.query, value.fragment, value.username, value.password))
        ):
            raise ValueError("It must be an address without a path, such as http://127.0.0.1:8080")
        return value

    @pydantic.model_validator(mode="after")
    def _shards_fit(self) -> Settings:
        if self.shard_ids is not None and self.shard_count is None:
            raise ValueError("AMBIT_SHARD_IDS needs AMBIT_SHARD_COUNT beside it")
        if self.shard_ids and not 0 <= self.shard_ids[0] <= self.shard_ids[-1] < (self.shard_count or 0):
            raise ValueError("AMBIT_SHARD_IDS must be numbers from 0 to AMBIT_SHARD_COUNT - 1")
        return self

    @classmethod
    def load(cls, file: Path | None = None) -> Settings:
        """Read the settings from the environment and this file (``None``: `FILE`, if it exists). Raises StartError."""
        try:
            if file is not None:
                file.open("rb").close()
            cls._refuse_unknown(os.environ, "the environment")
            chosen = file or FILE
            cls._refuse_unknown(dotenv_values(chosen, interpolate=False) if chosen.is_file() else (), str(chosen))
            return cls(_env_file=chosen)  # type: ignore[call-arg]
        except pydantic.ValidationError as error:
            fault = error.errors()[0]
            name = "".join(f"{PREFIX}{part}: ".upper() for part in fault["loc"][:1])
            raise StartError(f"A setting is wrong: {name}{fault['msg'].removeprefix('Value error, ')}.") from error
        except (OSError, UnicodeDecodeError) as error:
            raise StartError(f"The file {file or FILE} can't be read: {error}.") from error

    @classmethod
    def _refuse_unknown(cls, names: Iterable[str], where: str) -> None:
        """Raise StartError for a name that begins with `PREFIX` and isn't a setting."""
        known = [f"{PREFIX}{field}".upper() for field in cls.model_fields]
        for name in names:
            wanted = name.upper()
            if wanted.startswith(PREFIX) and wanted not in known:
                likeliest = max(known, key=lambda each: difflib.SequenceMatcher(None, wanted, each).ratio())
                raise StartError(f"There is no setting {name}, which stands in {where}; did you mean {likeliest}?")

    @property
    def database_is_chosen(self) -> bool:
        """Whether `database` was set, and isn't just the default."""
        return "database" in self.model_fields_set

    def bot_token(self) -> str:
        """Return the token if it looks like one: base64 of the bot's id, and two more parts. Raises StartError."""
        token, name = self._token()
        first, *rest = token.split(".")
        try:
            whose = base64.b64decode(first + "=" * (-len(first) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            whose = b""
        if not whose.isdigit() or len(rest) != 2 or not all(rest) or not token.isascii():
            raise StartError(
                f"{name} isn't a bot token (three parts with dots between them); "
                "copy it from the page “Bot” of your application at discord.com/developers."
            )
        return token

    def _token(self) -> tuple[str, str]:
        """Return the text set as the token, and the name of the setting or file that has it. Raises StartError."""
        if self.token is not None and self.token_file is not None:
            raise StartError("There are two tokens: set either AMBIT_TOKEN or AMBIT_TOKEN_FILE.")
        if self.token is not None:
            return self.token.get_secret_value(), "AMBIT_TOKEN"
        if self.token_file is None:
            raise StartError(
                "There is no token: put the bot's token as AMBIT_TOKEN into the environment or into .env, or name a "
                "file that holds it as AMBIT_TOKEN_FILE."
            )
        try:
            return self.token_file.read_text("utf-8").strip(), f"What the file {self.token_file} holds"
        except (OSError, UnicodeDecodeError) as error:
            raise StartError(f"AMBIT_TOKEN_FILE: {self.token_file} can't be read ({error}).") from error

    @property
    def ration(self) -> Ration:
        """How many new direct-message channels all processes together may open."""
        return Ration(self.dms_a_minute, self.dms_a_day)

    @property
    def share(self) -> Fraction:
        """This process's share of all shards, and so of the requests that Discord allows the bot."""
        return Fraction(len(self.shard_ids), self.shard_count) if self.shard_ids and self.shard_count else Fraction(1)

    @property
    def shards(self) -> dict[str, Any]:
        """discord.py's options for this process's shards. By default Discord says how many there are."""
        chosen = {"shard_count": self.shard_count, "shard_ids": self.shard_ids and list(self.shard_ids)}
        return {name: value for name, value in chosen.items() if value is not None}
