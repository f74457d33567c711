"""The bill of materials of a release: the bot's packages, with PostgreSQL's driver and uvloop, as CycloneDX JSON.

`python docs/sbom.py > ambit.cdx.json` reads the lock file and the table of licences; it needs no package.
`cyclonedx-py` was considered. It asks installed packages for their licences, so it leaves out those of other platforms.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "requirements-full.txt"
LICENCES: Final = ROOT / "docs" / "licences.md"
SPEC: Final = "1.6"
"""The version of CycloneDX."""

_PINNED: Final = re.compile(r"([a-z0-9-]+)==([^ ;]+)(?: ; ([^\\]+?))? \\")


class Package(NamedTuple):
    """A pinned package: where it is needed (`marker`), its files' SHA-256, and the packages that need it."""

    name: str
    version: str
    marker: str | None
    hashes: tuple[str, ...]
    needed_by: tuple[str, ...]


def packages(lock: str) -> Iterator[Package]:
    """Yield the packages of a lock file."""
    for entry in re.split(r"\n(?=\S)", lock.strip()):
        found = _PINNED.match(entry)
        if found is None:
            raise ValueError(f"This isn't a pinned package: {entry[:80]!r}")
        name, version, marker = found.groups()
        hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", entry))
        remark = " ".join(line.strip(" #") for line in entry.splitlines() if line.strip().startswith("#"))
        yield Package(name, version, marker, hashes, tuple(remark.removeprefix("via").split()))


def licences(page: str) -> dict[str, str]:
    """Return the licence of each package, as an SPDX expression, from the table of `docs/licences.md`."""
    _, _, table = page.partition("\n|---")
    return dict(re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE))


def bill(lock: str, page: str, project: dict[str, Any]) -> dict[str, Any]:
    """Return the bill of materials. The same input gives the same bill."""
    pinned, known = list(packages(lock)), licences(page)
    itself = f"{project['name']}@{project['version']}"
    needs: dict[str, list[str]] = {itself: []}
    for package in pinned:
        needs.setdefault(_ref(package), [])
    by_name = {package.name: _ref(package) for package in pinned}
    for package in pinned:
        for other in package.needed_by:
            # "ambit (pyproject.toml)" and extras such as "sqlalchemy[asyncio]" are written in their own ways.
            owner = by_name.get(other.partition("[")[0]) or (itself if other == project["name"] else None)
            if owner is not None:
                needs[owner].append(_ref(package))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, itself + lock + page)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [
            {
                "type": "library",
                "bom-ref": _ref(package),
                "name": package.name,
                "version": package.version,
                "purl": f"pkg:pypi/{package.name}@{package.version}",
                "licenses": [{"expression": known[package.name]}],
                "hashes": [{"alg": "SHA-256", "content": each} for each in package.hashes],
                **({"properties": [{"name": "ambit:marker", "value": package.marker}]} if package.marker else {}),
            }
            for package in pinned
        ],
        "dependencies": [{"ref": ref, "dependsOn": sorted(set(others))} for ref, others in needs.items()],
    }


def _ref(package: Package) -> str:
    return f"{package.name}@{package.version}"


def main() -> None:
    """Print the bill of materials of this program."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    made = bill(LOCK.read_text("utf-8"), LICENCES.read_text("utf-8"), project)
    json.dump(made, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
