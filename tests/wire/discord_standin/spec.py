"""Discord's own API description (an OpenAPI file outside this repository), as a judge of bodies.

Adjusted where clients differ from the file's letter. Ids may be integers. Unknown keys are refused except for three
that Discord tolerates. A union whose branches each pin `type` is resolved by it first, so that an error names the real
place.
"""

from __future__ import annotations

import json
import lzma
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .errors import Fault

if TYPE_CHECKING:
    import jsonschema_rs

PATH: Final = Path(__file__).resolve().parents[4] / "shared" / "discord" / "openapi.json.xz"
"""Beside the repository. Nothing of it is copied into the project."""

TOLERATED: Final = {
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": "boolean"}},
    "MessageEditRequestPartial": {"tts": {"type": "boolean"}},
    "IncomingWebhookUpdateRequestPartial": {"tts": {"type": "boolean"}},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": {"type": "boolean"}},
}
_REFERENCE: Final = "#/components/schemas/"
Json = dict[str, Any]


class Spec:
    """Judges requests and answers by method, path and status."""

    def __init__(self, document: Json) -> None:
        self._paths: Json = document["paths"]
        self._responses: Json = document["components"]["responses"]
        self._plain: Json = document["components"]["schemas"]
        self._judges: dict[tuple[str, str, str], jsonschema_rs.Validator | None] = {}

    @cached_property
    def _schemas(self) -> Json:
        schemas: Json = {name: self._sorted_out(schema) for name, schema in self._plain.items()}
        schemas["SnowflakeType"] = {"anyOf": [self._plain["SnowflakeType"], {"type": "integer", "minimum": 0}]}
        for name, extra in TOLERATED.items():
            schemas[name] = schemas[name] | {"properties": schemas[name]["properties"] | extra}
        return schemas

    def _strict(self, schemas: Json) -> Json:
        """The same schemas with unknown keys refused (for requests only: answers may grow)."""
        inherited = {part["$ref"] for part in _everything(self._plain, "allOf") if "$ref" in part}
        return {
            name: schema | {"additionalProperties": False}
            if "properties" in schema and "additionalProperties" not in schema and _REFERENCE + name not in inherited
            else schema
            for name, schema in schemas.items()
        }

    def _sorted_out(self, node: Any) -> Any:
        """Replace unions whose branches each pin `type` by one `if`/`then` per branch."""
        if isinstance(node, list):
            return [self._sorted_out(each) for each in node]
        if not isinstance(node, dict):
            return node
        for word in ("oneOf", "anyOf"):
            branches = {part.get("$ref", ""): self._pinned(part) for part in node.get(word, ())}
            if len(branches) > 1 and all(branches.values()):
                rest = {key: value for key, value in node.items() if key != word}
                known = [kind for kinds in branches.values() for kind in kinds]
                choose = [
                    {"if": {"properties": {"type": {"enum": kinds}}}, "then": {"$ref": reference}}
                    for reference, kinds in branches.items()
                ]
                return rest | {
                    "type": "object",
                    "required": ["type"],
                    "properties": {"type": {"enum": known}},
                    "allOf": choose,
                }
        return {key: self._sorted_out(value) for key, value in node.items()}

    def _pinned(self, part: Json) -> list[int]:
        schema = self._plain.get(part.get("$ref", "").removeprefix(_REFERENCE), {})
        kinds: list[int] = schema.get("properties", {}).get("type", {}).get("enum", [])
        return kinds if "type" in schema.get("required", ()) else []

    def _judge(self, method: str, path: str, what: str) -> jsonschema_rs.Validator | None:
        import jsonschema_rs  # The one place that needs it: without the file the stand-in does without both.

        key = (method, path, what)
        if key not in self._judges:
            operation = self._paths[path][method.lower()]
            if what == "request":
                part = operation.get("requestBody", {})
            else:
                answers = operation["responses"]
                part = answers.get(what) or answers.get(f"{what[0]}XX", {})
                part = self._responses[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
            schema = part.get("content", {}).get("application/json", {}).get("schema")
            schemas = self._strict(self._schemas) if what == "request" else self._schemas
            whole = {"components": {"schemas": schemas}}
            self._judges[key] = (
                None if schema is None else jsonschema_rs.Draft202012Validator(whole | self._sorted_out(schema))
            )
        return self._judges[key]

    def faults(self, method: str, path: str, what: str, body: Any) -> list[Fault]:
        """The file's objections to a body; `what` is ``request`` or the status of an answer."""
        judge = self._judge(method, path, what)
        if judge is None or judge.is_valid(body):
            return []
        return [Fault(".".join(map(str, error.instance_path)), error.message) for error in judge.iter_errors(body)]


def _everything(node: Any, key: str) -> list[Json]:
    """All members of all lists under `key`, anywhere."""
    if isinstance(node, list):
        return [found for each in node for found in _everything(each, key)]
    if not isinstance(node, dict):
        return []
    own = [part for part in node.get(key, ()) if isinstance(part, dict)]
    return own + [found for value in node.values() for found in _everything(value, key)]


def load_spec(path: Path = PATH) -> Spec | None:
    """The file's judge, or ``None`` without the file."""
    if not path.exists():
        return None
    with lzma.open(path) as file:
        return Spec(json.load(file))
