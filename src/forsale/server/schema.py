"""The protocol for readers and other languages, made from `protocol`: `python -m forsale.server.schema`.

It writes docs/protocol.schema.json, web/src/protocol.ts and the tables between the markers of docs/protocol.md, in the
checkout that this file is in. A test fails if one of them is out of date, so they are never edited by hand.
"""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes

from forsale.server import log, options, protocol, refusal, wire
from forsale.server.route import Route

ROOT = Path(__file__).resolve().parents[3]
JSON_SCHEMA = "docs/protocol.schema.json"
TYPESCRIPT = "web/src/protocol.ts"
PAGE = "docs/protocol.md"

Shape = shapes.Type
Object = shapes.StructType | shapes.DataclassType

# What has a name of its own: the others are found from these.
UNIONS: dict[str, UnionType] = {
    "ClientMessage": protocol.ClientMessage,
    "ServerMessage": protocol.ServerMessage,
    "What": protocol.What,
    "Event": wire.Event,
    "Action": wire.Action,
    "Plan": protocol.Plan,
    "Clock": options.Clock,
}
LITERALS: dict[str, Any] = {"Code": refusal.Code, "By": log.By}
BODIES: tuple[type, ...] = (
    options.Options,
    protocol.NameBody,
    protocol.JoinBody,
    protocol.ChatBody,
    protocol.RedeemBody,
)
ANSWERS: tuple[type, ...] = (
    protocol.Me,
    protocol.TableCreated,
    protocol.TableInfo,
    protocol.OpenTable,
    protocol.History,
    protocol.DeviceLink,
    protocol.Choices,
    protocol.Replay,
    protocol.Problem,
)


def main() -> None:
    """Bring the files up to date."""
    for name, text in files().items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def files() -> dict[str, str]:
    """What each of the files must hold, by its path in the checkout."""
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    return {JSON_SCHEMA: json_schema(), TYPESCRIPT: typescript(), PAGE: with_tables(page)}


# --- JSON Schema ---------------------------------------------------------------------------------------------------


def json_schema() -> str:
    """Every message, body and answer under `$defs`; the unions have their names too."""
    roots = [*UNIONS.values(), *BODIES, *ANSWERS]
    schemas, parts = msgspec.json.schema_components(roots, ref_template="#/$defs/{name}")
    unions = dict(zip(UNIONS, schemas, strict=False))
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "For Sale: messages between a client and the server",
        "description": f"Version {protocol.VERSION}. Made by python -m forsale.server.schema.",
        "$defs": unions | parts,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


# --- What the messages are made of ---------------------------------------------------------------------------------


@cache
def sent_by_server() -> frozenset[str]:
    """Objects that a client receives. All their fields are there; in the others one with a default may be left out."""
    return _names([protocol.ServerMessage, *ANSWERS])


@cache
def sent_by_client() -> frozenset[str]:
    """Objects where a client may leave out a field with a default."""
    return _names([protocol.ClientMessage, *BODIES])


def _names(roots: list[Any]) -> frozenset[str]:
    return frozenset(found.cls.__name__ for found in _objects(roots))


def _objects(roots: list[Any]) -> list[Object]:
    """All objects that can be reached, each once, in the order in which they are first needed."""
    found: dict[type, Object] = {}
    for root in roots:
        for each in _walk(shapes.type_info(root)):
            found.setdefault(each.cls, each)
    return list(found.values())


def _walk(shape: Shape) -> Iterator[Object]:
    match shape:
        case shapes.StructType() | shapes.DataclassType():
            yield shape
            for field in shape.fields:
                yield from _walk(field.type)
        case shapes.UnionType(types):
            for each in types:
                yield from _walk(each)
        case shapes.VarTupleType(item_type=item) | shapes.DictType(value_type=item):
            yield from _walk(item)


def _said(cls: type) -> str:
    """The docstring in one line."""
    return " ".join((cls.__doc__ or "").split())


@cache
def _field_notes(cls: type) -> dict[str, str]:
    """The string below each field, which Python itself forgets."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(definition, ast.ClassDef)
    notes = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str() as note)):
                notes[name] = " ".join(note.split())
    return notes


_NAMED_UNIONS = {frozenset(get_args(union)): name for name, union in UNIONS.items()}
_NAMED_LITERALS = {frozenset(get_args(literal)): name for name, literal in LITERALS.items()}


def _alternatives(shape: shapes.UnionType) -> list[Shape | str]:
    """The parts of a union, with those that have a name together replaced by it."""
    objects = frozenset(each.cls for each in shape.types if isinstance(each, shapes.StructType))
    if objects not in _NAMED_UNIONS:
        return list(shape.types)
    return [_NAMED_UNIONS[objects], *(each for each in shape.types if not isinstance(each, shapes.StructType))]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a type is written: for a compiler, or for people."""

    words: Mapping[type[Shape], str]
    either: str
    quote: str
    array: str
    pair: str
    mapping: str

    def write(self, shape: Shape | str) -> str:
        match shape:
            case str():
                return shape
            case shapes.StructType(cls=cls) | shapes.DataclassType(cls=cls):
                return cls.__name__
            case shapes.LiteralType(values):
                return _NAMED_LITERALS.get(frozenset(values)) or self.literal(values)
            case shapes.UnionType():
                return self.either.join(map(self._alternative, _alternatives(shape)))
            case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item):
                inner = self.write(item)
                return self.array.format(f"({inner})" if " " in inner else inner)
            case shapes.TupleType(item_types=(first, second)):
                return self.pair.format(self.write(first), self.write(second))
            case shapes.DictType(value_type=value):
                return self.mapping.format(self.write(value))
            case _:
                return self.words[type(shape)]

    def _alternative(self, shape: Shape | str) -> str:
        return f"({self.write(shape)})" if isinstance(shape, shapes.VarTupleType) else self.write(shape)

    def literal(self, values: Iterable[object]) -> str:
        return self.either.join(f"{self.quote}{value}{self.quote}" for value in values)


_TYPES = (shapes.IntType, shapes.FloatType, shapes.StrType, shapes.BoolType, shapes.NoneType)
_TS = Dialect(
    words=dict(zip(_TYPES, ["number", "number", "string", "boolean", "null"], strict=True)),
    either=" | ",
    quote='"',
    array="readonly {}[]",
    pair="readonly [{}, {}]",
    mapping="Readonly<Record<string, {}>>",
)
_PROSE = Dialect(
    words=dict(zip(_TYPES, ["integer", "number", "string", "boolean", "null"], strict=True)),
    either=" or ",
    quote="`",
    array="list of {}",
    pair="pair of {} and {}",
    mapping="object of {}",
)


# --- TypeScript ----------------------------------------------------------------------------------------------------


def typescript() -> str:
    """Types for strict TypeScript, and as values the version and the codes, so that a client can go through them."""
    codes = "".join(f'  "{code}",\n' for code in refusal.CODES)
    parts = [
        "// Made by `python -m forsale.server.schema` from src/forsale/server/protocol.py. Do not edit.",
        f"export const VERSION = {protocol.VERSION};",
        f"export const CODES = [\n{codes}] as const;",
        "export type Code = (typeof CODES)[number];",
    ]
    parts += [f"export type {name} = {_TS.literal(get_args(LITERALS[name]))};" for name in LITERALS if name != "Code"]
    parts += [
        f"export type {name} =\n" + "\n".join(f"  | {cls.__name__}" for cls in get_args(union)) + ";"
        for name, union in UNIONS.items()
    ]
    parts += map(_ts_object, _objects([*UNIONS.values(), *BODIES, *ANSWERS]))
    return "\n\n".join(parts) + "\n"


def _ts_object(shape: Object) -> str:
    cls, notes = shape.cls, _field_notes(shape.cls)
    rows = [f"/** {_said(cls)} */"] if cls.__doc__ else []
    rows.append(f"export interface {cls.__name__} {{")
    if isinstance(shape, shapes.StructType) and shape.tag is not None:
        rows.append(f'  readonly {shape.tag_field}: "{shape.tag}";')
    for field in shape.fields:
        if field.name in notes:
            rows.append(f"  /** {notes[field.name]} */")
        optional = "" if field.required or cls.__name__ in sent_by_server() else "?"
        rows.append(f"  readonly {field.encode_name}{optional}: {_TS.write(field.type)};")
    return "\n".join([*rows, "}"])


# --- The tables of the page ----------------------------------------------------------------------------------------


def with_tables(page: str) -> str:
    """The page with each table between its markers made anew."""
    for name, rows in tables().items():
        block = re.compile(rf"(<!-- made: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if len(block.findall(page)) != 1:
            raise ValueError(f"{PAGE}: expected one pair of markers for {name}")
        text = "\n".join(rows)
        page = block.sub(lambda found, text=text: f"{found[1]}\n{text}\n\n{found[2]}", page)  # type: ignore[misc]
    return page


def tables() -> dict[str, list[str]]:
    """By marker. What is in no union and no body is a part of something else, or an answer."""
    direct = {cls for union in UNIONS.values() for cls in get_args(union)} | {*BODIES, *ANSWERS}
    parts = [each.cls for each in _objects([*UNIONS.values(), *ANSWERS]) if each.cls not in direct]
    tables = {name: _table("`type`" if "Message" in name else "`kind`", get_args(UNIONS[name])) for name in UNIONS}
    return tables | {
        "requests": _requests(),
        "bodies": _table("body", BODIES),
        "answers": _table("answer", ANSWERS),
        "parts": _table("part", tuple(parts)),
    }


def _requests() -> list[str]:
    """The HTTP part, from the table that the app itself is made from."""
    from forsale.server.routes import ROUTES  # here, as nothing else in this module needs the app

    rows = [
        f"| `{route.method} {route.path}{_query(route)}` | {_body(route)} "
        f"| {_PROSE.write(shapes.type_info(route.answer)) if route.answer else route.media} | {route.summary} |"
        for route in ROUTES
        if route.path.startswith("/api/")
    ]
    return ["| request | body | answer | what for |", "|---|---|---|---|", *rows]


def _query(route: Route) -> str:
    return "".join(f"?{name}=" for name in route.query)


def _body(route: Route) -> str:
    if route.body is None:
        return "–"
    return route.body_media if route.body is bytes else route.body.__name__


def _table(head: str, classes: tuple[type, ...]) -> list[str]:
    return [f"| {head} | fields | meaning |", "|---|---|---|", *(_row(shapes.type_info(cls)) for cls in classes)]


def _row(shape: Shape) -> str:
    assert isinstance(shape, Object)
    tag = shape.tag if isinstance(shape, shapes.StructType) else None
    may_omit = shape.cls.__name__ in sent_by_client()
    fields = [
        f"`{field.encode_name}`{'?' if may_omit and not field.required else ''} {_PROSE.write(field.type)}"
        for field in shape.fields
    ]
    notes = [f"`{name}`: {note}" for name, note in _field_notes(shape.cls).items()]
    meaning = " ".join([_said(shape.cls), *notes]).strip().replace("|", "\\|")
    return f"| `{tag or shape.cls.__name__}` | {', '.join(fields) or '–'} | {meaning or '–'} |"


if __name__ == "__main__":
    main()
