"""The generated documents say what the code says."""

import inspect
import json
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from forsale import editions, game, shuffle, view
from forsale.server import protocol, refusal, schema
from forsale.server.protocol import VERSION, Act, Hello, PlanIs, RaiseTo, SetPlan
from forsale.server.routes import ROUTES
from forsale.server.wire import Bid, position_of
from tests.test_docs import tables


@pytest.mark.parametrize("name", [schema.JSON_SCHEMA, schema.TYPESCRIPT, schema.PAGE])
def test_files_are_up_to_date(name: str) -> None:
    written = (schema.ROOT / name).read_text(encoding="utf-8")
    assert schema.files()[name] == written, f"{name} is out of date: run python -m forsale.server.schema"


def structs() -> set[str]:
    """Every struct of the protocol's own module."""
    found = inspect.getmembers(protocol, inspect.isclass)
    return {name for name, each in found if issubclass(each, Struct) and each.__module__ == protocol.__name__}


def definitions() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schema.json_schema())["$defs"]
    return found


def test_nothing_is_left_out() -> None:
    assert structs() <= set(definitions())
    assert all(f"export interface {name} {{" in schema.typescript() for name in structs())
    rows = [row for table in schema.tables().values() for row in table]
    tags = {each.__struct_config__.tag or name for name, each in inspect.getmembers(protocol) if name in structs()}
    assert all(any(row.startswith(f"| `{tag}` |") for row in rows) for tag in tags)


def test_every_reference_leads_somewhere() -> None:
    text = schema.json_schema()
    names = definitions()
    for name in text.split('"#/$defs/')[1:]:
        assert name.partition('"')[0] in names


def test_bodies_and_answers_are_those_of_the_routes() -> None:
    assert set(schema.BODIES) == {route.body for route in ROUTES} - {None, bytes}
    assert set(schema.ANSWERS) == {
        next(iter(get_args(route.answer)), route.answer) for route in ROUTES if route.answer is not None
    } | {protocol.Problem}


def test_the_page_explains_every_error() -> None:
    (errors,) = tables(schema.PAGE, "code")
    assert [row["code"] for row in errors] == list(refusal.CODES)


def test_types_are_those_of_the_messages() -> None:
    text = schema.typescript()
    assert f"export const VERSION = {VERSION};" in text
    assert all(f'  "{code}",' in text for code in refusal.CODES)
    assert '  readonly type: "hello";\n  readonly version: number;\n  readonly last?: number;' in text
    assert "  readonly plan: Plan | null;" in text
    assert "  readonly bids: readonly (number | null)[];" in text
    assert "  readonly seats: readonly SeatInfo[];" in text
    assert "  readonly code: Code;" in text
    assert "  readonly by: By;" in text


def test_what_the_server_sends_is_complete_in_the_types() -> None:
    """A client of strict TypeScript must not ask whether a field of a table's options is there."""
    _, _, rest = schema.typescript().partition("export interface Options {")
    fields, _, _ = rest.partition("}")
    assert "?:" not in fields


def test_a_page_without_its_markers_is_an_error() -> None:
    with pytest.raises(ValueError, match="^docs/protocol.md: expected one pair of markers for ClientMessage$"):
        schema.with_tables("# Protocol\n")


def conforms(value: Any, to: Any) -> bool:
    """As much of JSON Schema as ours uses."""
    if "$ref" in to:
        return conforms(value, definitions()[to["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in to:
        return any(conforms(value, each) for each in to["anyOf"])
    if "enum" in to:
        return value in to["enum"]
    match to["type"]:
        case "object":
            known = to["properties"]
            closed = to.get("additionalProperties") is False
            return (
                isinstance(value, dict)
                and set(to["required"]) <= set(value)
                and all(conforms(value[name], known[name]) if name in known else not closed for name in value)
            )
        case "array":
            return isinstance(value, list) and all(conforms(each, to["items"]) for each in value)
        case kind:
            return isinstance(value, {"integer": int, "string": str, "null": type(None), "boolean": bool}[kind])


def test_messages_conform_to_the_json_schema() -> None:
    edition = editions.load("iello-2020")
    state = game.new_game(edition, 3, shuffle.fair_deal(edition, 3, bytes(32)).decks, 0)
    for union, message in [
        ("ClientMessage", Hello(VERSION)),
        ("ClientMessage", Act("1", 2, Bid(3))),
        ("ClientMessage", SetPlan("1", RaiseTo(3))),
        ("ClientMessage", SetPlan("1", None)),
        ("ServerMessage", PlanIs(None)),
        ("Position", position_of(view.of(state, 1))),
    ]:
        value = json.loads(msgspec.json.encode(message))
        assert conforms(value, definitions()[union])
        assert conforms(value | {"surprise": 1}, definitions()[union]) is (union != "ClientMessage")
