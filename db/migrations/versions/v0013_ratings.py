"""Adds ratings: rated results, what is computed from them, people's keys, and their settings.

Matches that are open now don't count, since nobody knew that they would.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def _ladder() -> list[sa.Column[int] | sa.Column[str] | sa.Column[bool]]:
    return [
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("practice", sa.Boolean(), autoincrement=False, nullable=False),
    ]


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=False)


def _real(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), nullable=False)


def _key() -> sa.Column[str]:
    return sa.Column("key", sa.String(16), nullable=False)


def upgrade() -> None:
    """Add the columns, make the tables."""
    op.add_column("matches", _flag("rated"))
    op.add_column("matches", sa.Column("rating", sa.String(16)))
    op.add_column("matches", _flag("reliable"))
    op.add_column("seats", sa.Column("key", sa.String(16)))
    op.add_column("seats", _flag("replaced"))
    op.add_column("seats", _flag("helped"))
    op.add_column("seats", sa.Column("place", sa.Integer()))
    op.add_column("seats", sa.Column("answers", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.create_index("ix_seats_key_ended_at", "seats", ["key", "ended_at"])
    op.add_column("guild_settings", _flag("unrated"))
    op.add_column("player_settings", _flag("hidden"))
    op.create_table(
        "rating_keys",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        _key(),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_rating_keys"),
        sa.UniqueConstraint("guild_id", "key", name="uq_rating_keys_guild_id_key"),
    )
    op.create_index("ix_rating_keys_user_id", "rating_keys", ["user_id"])
    op.create_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        _number("number"),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name="pk_seasons"),
    )
    op.create_table(
        "rated_results",
        *_ladder(),
        _number("number"),
        sa.Column("match_id", _ROW_ID, nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name="pk_rated_results"),
        sa.UniqueConstraint("match_id", name="uq_rated_results_match_id"),
    )
    ladder = ["guild_id", "game", "season", "practice"]
    op.create_index("ix_rated_results_guild_id_game_season_practice_number", "rated_results", [*ladder, "number"])
    op.create_table(
        "ratings",
        *_ladder(),
        _key(),
        _real("mu"),
        _real("sigma"),
        _number("matches"),
        _number("won"),
        _real("gain"),
        _number("latest"),
        sa.PrimaryKeyConstraint(*ladder, "key", name="pk_ratings"),
    )
    op.create_index("ix_ratings_guild_id_game_season_practice_mu", "ratings", [*ladder, "mu"])
    op.create_index("ix_ratings_guild_id_key", "ratings", ["guild_id", "key"])
    op.create_table(
        "rating_points",
        *_ladder(),
        _number("number"),
        _key(),
        _real("mu"),
        _real("sigma"),
        _real("gain"),
        _number("place"),
        sa.PrimaryKeyConstraint("guild_id", "number", "key", name="pk_rating_points"),
    )
    op.create_index("ix_rating_points_guild_id_key_number", "rating_points", ["guild_id", "key", "number"])
    op.create_index("ix_rating_points_guild_id_game_season_practice", "rating_points", ladder)
    op.create_table(
        "ladders",
        *_ladder(),
        _number("scheme"),
        _number("latest"),
        sa.PrimaryKeyConstraint(*ladder, name="pk_ladders"),
    )
