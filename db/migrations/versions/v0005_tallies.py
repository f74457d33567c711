"""Stores totals of finished matches, instead of counting them on demand."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_PLAYERS = "(SELECT count(*) FROM seats AS others WHERE others.match_id = matches.id)"
_SEATED = "FROM matches JOIN seats ON seats.match_id = matches.id WHERE matches.counts"
_WON = "coalesce(sum(CASE WHEN seats.won THEN 1 ELSE 0 END), 0)"
_BEST = "max(coalesce(seats.points, 0))"

COUNTING = (
    "INSERT INTO player_tallies (user_id, game, players, played, won, best) "
    f"SELECT seats.user_id, matches.game, {_PLAYERS} AS players, count(*), {_WON}, {_BEST} {_SEATED} "
    "AND seats.user_id IS NOT NULL GROUP BY 1, 2, 3",
    "INSERT INTO guild_tallies (guild_id, game, players, played) "
    f"SELECT guild_id, game, {_PLAYERS} AS players, count(*) FROM matches "
    "WHERE counts AND guild_id IS NOT NULL GROUP BY 1, 2, 3",
    "INSERT INTO guild_player_tallies (guild_id, game, players, user_id, won, best, name, placeholder) "
    f"SELECT matches.guild_id, matches.game, {_PLAYERS} AS players, coalesce(seats.user_id, 0), {_WON}, {_BEST}, "
    "max(seats.name), max('Player ' || CAST(coalesce(seats.seat, seats.position) + 1 AS VARCHAR)) "
    f"{_SEATED} AND matches.guild_id IS NOT NULL AND seats.computer IS NULL GROUP BY 1, 2, 3, 4",
)
"""Counts the matches that exist now."""


def _key(name: str) -> list[sa.Column[int] | sa.Column[str]]:
    return [
        sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("players", sa.Integer(), autoincrement=False, nullable=False),
    ]


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def upgrade() -> None:
    """Make the tables and fill them."""
    op.create_table(
        "player_tallies",
        *_key("user_id"),
        _number("played"),
        _number("won"),
        _number("best"),
        sa.PrimaryKeyConstraint("user_id", "game", "players", name="pk_player_tallies"),
    )
    op.create_table(
        "guild_tallies",
        *_key("guild_id"),
        _number("played"),
        sa.PrimaryKeyConstraint("guild_id", "game", "players", name="pk_guild_tallies"),
    )
    op.create_table(
        "guild_player_tallies",
        *_key("guild_id"),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        _number("won"),
        _number("best"),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("placeholder", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "players", "user_id", name="pk_guild_player_tallies"),
    )
    for statement in COUNTING:
        op.execute(statement)
    key = ["guild_id", "game", "players"]
    for column in ("won", "best"):
        name = f"ix_guild_player_tallies_guild_id_game_players_{column}_user_id"
        op.create_index(name, "guild_player_tallies", [*key, column, "user_id"])
    op.create_index("ix_guild_player_tallies_user_id", "guild_player_tallies", ["user_id"])
