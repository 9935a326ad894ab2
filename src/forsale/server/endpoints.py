"""The HTTP part of the protocol: each function answers one route of `routes`."""

import asyncio
import io
from collections.abc import Callable
from functools import cache
from typing import Any

import segno
from starlette.responses import Response

from forsale import bots, editions
from forsale.editions import Edition
from forsale.record import Record
from forsale.server import limits, metrics, replays
from forsale.server.asked import Asked
from forsale.server.content import Content, packed
from forsale.server.options import Options
from forsale.server.protocol import (
    ChatBody,
    Choices,
    DeviceLink,
    EditionInfo,
    JoinBody,
    Me,
    NameBody,
    RedeemBody,
    TableCreated,
)
from forsale.server.refusal import Refusal
from forsale.server.reply import JSON, TEXT, answered, encode, problem
from forsale.server.store import Guest
from forsale.server.table import REACTIONS

# --- Health --------------------------------------------------------------------------------------------------------


async def healthz(_: Asked[None]) -> Response:
    """The process runs and answers."""
    return Response("ok\n", media_type=TEXT)


async def readyz(asked: Asked[None]) -> Response:
    """What is acknowledged can also be stored."""
    if await asked.parts.store.is_writable():
        return Response("ok\n", media_type=TEXT)
    return problem(Refusal("server/storage", "The store cannot be written."))


async def metrics_text(asked: Asked[None]) -> Response:
    if not metrics.may_read(asked.request, asked.parts.metrics_token):
        raise Refusal("request/unknown", "There is nothing at this address.")
    tables = asked.parts.tables
    text = asked.parts.metrics.text(tables.gauges, tables.totals)
    return Response(text, headers={"Content-Type": metrics.CONTENT_TYPE})


# --- What there is -------------------------------------------------------------------------------------------------


async def choices(asked: Asked[None]) -> Response:
    return _choices().answer(asked.request)


@cache
def _choices() -> Content:
    found = tuple(_edition(editions.load(name)) for name in editions.published())
    return Content.of(encode(Choices(found, bots.LEVELS, bots.names(), REACTIONS, Options())), JSON)


def _edition(edition: Edition) -> EditionInfo:
    return EditionInfo(
        id=edition.id,
        name=edition.name,
        seats=edition.seats,
        variants=tuple(edition.variants),
        coins_hidden=edition.coins_hidden,
        refund=edition.refund,
        words=dict(edition.words),
    )


# --- Who I am ------------------------------------------------------------------------------------------------------


async def me(asked: Asked[None]) -> Response:
    """Makes a guest of a stranger, and gives an old acquaintance a fresh cookie now and then."""
    identity = asked.parts.identity
    if asked.guest is None:
        if not asked.parts.new_guests.take(asked.address):
            raise Refusal("request/too-many", "Too many new guests from your address; wait a moment.")
        return _with_cookie(asked, await identity.newcomer())
    shown = identity.read(asked.request.scope)
    if shown is not None and identity.is_outdated(shown):
        return _with_cookie(asked, asked.guest)
    return answered(_me(asked.guest))


def _me(guest: Guest) -> Me:
    return Me(guest.id, guest.name)


def _with_cookie(asked: Asked[Any], guest: Guest) -> Response:
    identity, scope = asked.parts.identity, asked.request.scope
    response = answered(_me(guest))
    response.headers.append("Set-Cookie", identity.cookie(guest, identity.is_https(scope)))
    shown = identity.read(scope)
    if shown is not None and shown.lacks_prefix:
        response.headers.append("Set-Cookie", identity.removal())
    return response


async def rename(asked: Asked[NameBody]) -> Response:
    guest = await asked.parts.identity.rename(asked.me, asked.body.name)
    asked.parts.tables.renamed(guest)
    return answered(_me(guest))


async def my_games(asked: Asked[None]) -> Response:
    return answered(await asked.parts.tables.history(asked.me))


async def make_link(asked: Asked[None]) -> Response:
    """The secret stands after the #, which browsers keep to themselves."""
    link = await asked.parts.identity.link(asked.me)
    return answered(DeviceLink(f"{asked.origin}/link#{link.secret}", link.expires), 201)


async def redeem(asked: Asked[RedeemBody]) -> Response:
    return _with_cookie(asked, await asked.parts.identity.redeem(asked.body.secret))


async def sign_out_everywhere(asked: Asked[None]) -> Response:
    """Only the visitor who asks stays this guest, with a new cookie: with it their own pages connect again."""
    guest = await asked.parts.identity.sign_out(asked.me)
    asked.parts.close_sockets_of(guest.id)
    return _with_cookie(asked, guest)


# --- Tables --------------------------------------------------------------------------------------------------------


async def open_tables(asked: Asked[None]) -> Response:
    return answered(await asked.parts.tables.open_tables())


async def open_table(asked: Asked[Options]) -> Response:
    return _created(asked, await asked.parts.tables.open(asked.me, asked.body))


async def play_now(asked: Asked[Options]) -> Response:
    return _created(asked, await asked.parts.tables.play_now(asked.me, asked.body))


async def rematch(asked: Asked[None]) -> Response:
    return _created(asked, await asked.parts.tables.rematch(asked.table, asked.me))


def _created(asked: Asked[Any], table: str) -> Response:
    return answered(TableCreated(table, asked.table_url(table)), 201)


async def table(asked: Asked[None]) -> Response:
    return answered(await asked.parts.tables.info(asked.table, asked.guest))


async def join(asked: Asked[JoinBody]) -> Response:
    return answered(await asked.parts.tables.join(asked.table, asked.me, asked.body.seed))


async def leave(asked: Asked[None]) -> Response:
    return answered(await asked.parts.tables.leave(asked.table, asked.me))


async def start(asked: Asked[None]) -> Response:
    return answered(await asked.parts.tables.start_game(asked.table, asked.me))


async def chat(asked: Asked[ChatBody]) -> Response:
    return answered(await asked.parts.tables.switch_chat(asked.table, asked.me, asked.body.on))


async def record(asked: Asked[None]) -> Response:
    """A file to keep: a browser must not show it, as others have written in it."""
    written = await asked.parts.tables.record(asked.table, asked.guest)
    headers = {"Content-Disposition": f'attachment; filename="forsale-{asked.table}.fsr"'}
    return Response(written.to_bytes(), headers=headers, media_type=TEXT)


async def table_replay(asked: Asked[None]) -> Response:
    written = await asked.parts.tables.whole_record(asked.table)
    return await _replayed(asked, lambda: written)


async def replay(asked: Asked[bytes]) -> Response:
    if not asked.parts.records.take(asked.address, 1 + len(asked.body) // limits.BODY):
        raise Refusal("request/too-many", "Too many records from your address; wait a moment.")
    return await _replayed(asked, lambda: replays.read(asked.body))


async def _replayed(asked: Asked[Any], read: Callable[[], Record]) -> Response:
    """In a thread, as it takes long enough for others to notice."""
    letter = asked.request.query_params.get("seat")
    return await asyncio.to_thread(
        lambda: packed(encode(replays.replay_of(read(), letter)), JSON, asked.request),
    )


async def qr_code(asked: Asked[None]) -> Response:
    """The link to share as a picture. Only of tables there are: this is no service for codes of one's own."""
    found = await asked.parts.tables.info(asked.table, asked.guest)
    picture = io.BytesIO()
    segno.make_qr(asked.table_url(found.id)).save(picture, kind="svg", scale=4, light="#fff")
    return Response(picture.getvalue(), media_type="image/svg+xml")
