"""Who wants to be forgotten is noted until it is done; all who were forgotten are one person in no statistics."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. Who was one person with others under the number 0 cannot be told apart from them any more."""
    op.create_table(
        "forgotten",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("up_to", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("left", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_forgotten"),
    )
    op.execute("DELETE FROM guild_player_tallies WHERE user_id = 0")
