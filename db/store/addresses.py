"""Parses database addresses. Only this module does, so that an address means the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from db.failures import DatabaseError
from db.model.upserts import SQLITE

SERVERS_DRIVER: Final = "postgresql+asyncpg"

PORT: Final = 5432
"""PostgreSQL's default port."""

_BAD_ADDRESS: Final = (
    "The database address can't be used; it looks like sqlite+aiosqlite:///ambit.db "
    "or postgresql+asyncpg://user:password@host/ambit."
)
_BAD_PORT: Final = "The port in the database address isn't a number from 1 to 65535."
_IN_MEMORY: Final = (
    "The database address names no file, and the bot can't use a database in memory; write "
    "sqlite+aiosqlite:///ambit.db."
)

_POOLED: Final = re.compile(
    r"[^.]+-pooler\..+\.(neon\.tech|vercel-storage\.com):\d+|.+\.supabase\.com?:6543|pooled\.db\.prisma\.io:\d+",
    re.IGNORECASE,
)
"""Poolers of providers that work in transaction mode. `db.store.postgres` finds all others by what they do."""

_OPTIONS: Final = frozenset(
    (
        *("host", "port", "user", "password", "passfile", "database", "service", "servicefile"),
        *("ssl", "direct_tls", "target_session_attrs", "krbsrvname", "gsslib"),
        "prepared_statement_cache_size",
    )
)
"""Options in a server's address that asyncpg and SQLAlchemy's dialect accept as text."""


def address_of(url: str) -> URL:
    """Return the parsed address, with the drivers' names for options. Raises DatabaseError if it can't be used."""
    # Most programs and providers use a scheme that SQLAlchemy doesn't know.
    written = url.replace("postgres://", "postgresql://", 1) if url.startswith("postgres://") else url
    try:
        address = make_url(written)
        if address.get_backend_name() == SQLITE:
            return _of_file(address)
        if address.drivername not in ("postgresql", SERVERS_DRIVER):
            raise DatabaseError(_BAD_ADDRESS)
        return _of_server(address)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError) as error:
        # A port that isn't a number raises ValueError.
        raise DatabaseError(_BAD_ADDRESS) from error


def is_file(address: URL) -> bool:
    """Whether the address is SQLite's, not a server's."""
    return address.get_backend_name() == SQLITE


def file_at(address: URL) -> Path | None:
    """Return the file at this address; ``None`` for a server, and for an SQLite URI (`uri`)."""
    return Path(address.database) if is_file(address) and address.database and "uri" not in address.query else None


def place_of(url: str) -> str:
    """Return an address for people, without a password: the absolute path, or the database's name and servers.

    Raises DatabaseError.
    """
    address = address_of(url)
    if not is_file(address):
        _, options = address.get_dialect()().create_connect_args(address)
        name = options.get("database") or options.get("user")
        return f"{name} at {servers_of(address)}" if name else servers_of(address)
    file = file_at(address)
    return str(address.database if file is None else file.absolute())


def servers_of(address: URL) -> str:
    """Return host and port of each server in an address, for people."""
    hosts, ports = _hosts(address)
    return ", ".join(
        host if host.startswith("/") else f"{host}:{port}" for host, port in zip(hosts, ports, strict=True)
    )


def _of_file(address: URL) -> URL:
    if "uri" not in address.query:
        # Without `uri` SQLite has no options. Options of Python's driver would affect only one part of the program.
        address = address.set(query={})
    address.get_dialect()().create_connect_args(address)
    if not address.database or ":memory:" in address.database or address.query.get("mode") == "memory":
        raise DatabaseError(_IN_MEMORY)
    return address


def _of_server(address: URL) -> URL:
    address = address.set(drivername=SERVERS_DRIVER)
    if "sslmode" in address.query:
        # Most providers write `sslmode`, as PostgreSQL's own programs do.
        address = address.difference_update_query(["sslmode"]).update_query_dict({"ssl": address.query["sslmode"]})
    unknown = ", ".join(sorted(name for name in address.query if name not in _OPTIONS))
    if unknown:
        raise DatabaseError(f"The database address has an option that can't be used here: {unknown}.")
    try:
        _, ports = _hosts(address)
    except ArgumentError as error:
        raise DatabaseError(_BAD_PORT) from error
    if not all(0 < port < 1 << 16 for port in ports):
        raise DatabaseError(_BAD_PORT)
    for server in servers_of(address).split(", "):
        if _POOLED.fullmatch(server):
            raise DatabaseError(
                f"{server} is a provider's pooler in transaction mode, in which locks and settings get lost: take the "
                "direct address, or that of a pooler in session mode."
            )
    return address


def _hosts(address: URL) -> tuple[list[str], list[int]]:
    """Return hosts and ports. Raises ArgumentError or ValueError for ports that aren't numbers."""
    _, options = address.get_dialect()().create_connect_args(address)
    hosts, ports = options.get("host", "localhost"), options.get("port", PORT)
    hosts = [hosts] if isinstance(hosts, str) else [*hosts]
    ports = [ports] if isinstance(ports, str | int) else [*ports]
    return hosts, [int(port) for port in ports]
