"""What can be asked over HTTP, and what comes back."""

import gzip
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.routing import Route as StarletteRoute
from starlette.routing import WebSocketRoute

from forsale import bots, editions, record
from forsale.server import openapi
from forsale.server.identity import RENEW
from forsale.server.options import Options
from forsale.server.protocol import (
    Ack,
    Choices,
    DeviceLink,
    History,
    Me,
    OpenTable,
    React,
    TableCreated,
    TableInfo,
)
from forsale.server.refusal import CODES, Refusal
from forsale.server.reply import STATUS
from forsale.server.routes import ROUTES, SOCKET
from forsale.server.tables import MAX_OPEN
from tests.server.asgi import HOST, ORIGIN, House, Visitor, run


async def finished(house: House, guest: Visitor) -> str:
    """A game against bots, played to its end."""
    table = (await guest.post("/api/play-now", {"seats": 3})).of(TableCreated, 201).id
    line = await guest.seat(table)
    await line.play_out(lambda: house.wait(1))
    await line.hang_up()
    return table


# --- Who I am ------------------------------------------------------------------------------------------------


def test_a_stranger_becomes_a_guest_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        first = await visitor.get("/api/me")
        me = first.of(Me)
        assert first.headers["set-cookie"].startswith("forsale_guest=")
        again = await visitor.get("/api/me")
        assert again.of(Me) == me
        assert "set-cookie" not in again.headers

    run(House(tmp_path), test)


def test_a_bad_cookie_is_replaced(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        visitor.cookie = "forsale_guest=made.1.up"
        answer = await visitor.get("/api/me")
        answer.of(Me)
        assert "set-cookie" in answer.headers

    run(House(tmp_path), test)


def test_an_old_cookie_is_renewed_for_the_same_guest(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        guest = await house.guest()
        me = (await guest.get("/api/me")).of(Me)
        house.milliseconds += (RENEW + 1) * 1000
        answer = await guest.get("/api/me")
        assert answer.of(Me) == me
        assert "set-cookie" in answer.headers

    run(House(tmp_path), test)


def test_the_cookie_is_secure_where_visitors_come_by_tls(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        answer = await house.visitor().get("/api/me")
        assert "; Secure" in answer.headers["set-cookie"]

    run(House(tmp_path, public="https://forsale.example.org"), test)


def test_a_guest_takes_a_name(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        guest = await house.guest("Bo")
        assert (await guest.get("/api/me")).of(Me).name == "Bo"
        (await guest.put("/api/me", {"name": "a|b"})).refused(400, "guest/name")
        (await guest.put("/api/me", {"name": "x" * 25})).refused(400, "request/bad")

    run(House(tmp_path), test)


def test_another_device_becomes_the_same_guest_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        phone, tablet = await house.guest("Ana"), house.visitor()
        link = (await phone.post("/api/me/link")).of(DeviceLink, 201)
        parts = urlsplit(link.url)
        assert (parts.netloc, parts.path, parts.query) == (HOST, "/link", "")
        answer = await tablet.post("/api/me/redeem", {"secret": parts.fragment})
        assert answer.of(Me) == (await phone.get("/api/me")).of(Me)
        assert (await tablet.get("/api/me")).of(Me).name == "Ana"
        (await tablet.post("/api/me/redeem", {"secret": parts.fragment})).refused(404, "link/expired")

    run(House(tmp_path), test)


NEED_A_GUEST = [route for route in ROUTES if route.needs_guest]


@pytest.mark.parametrize("route", NEED_A_GUEST, ids=lambda route: f"{route.method} {route.path}")
def test_a_stranger_can_do_nothing(tmp_path: Path, route: Any) -> None:
    async def test(house: House) -> None:
        table = await (await house.guest()).table()
        answer = await house.visitor().ask(route.method, route.path.replace("{id}", table), {"nonsense": 1})
        answer.refused(403, "guest/unknown")

    run(House(tmp_path), test)


# --- Tables --------------------------------------------------------------------------------------------------


def test_from_an_open_table_to_a_game(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana, bo = await house.guest("Ana"), await house.guest("Bo")
        created = (await ana.post("/api/tables", {"seats": 3, "listed": True})).of(TableCreated, 201)
        path = f"/api/tables/{created.id}"
        assert created.url == f"{ORIGIN}/t/{created.id}"
        (listed,) = (await bo.get("/api/tables")).of(list[OpenTable])
        assert (listed.id, listed.host, listed.taken) == (created.id, "Ana", 1)
        assert (await bo.post(f"{path}/join", {"seed": "bo"})).of(TableInfo).you == 1
        assert (await bo.post(f"{path}/leave")).of(TableInfo).you is None
        assert (await bo.post(f"{path}/join", {})).of(TableInfo).you == 1
        (await bo.post(f"{path}/start")).refused(403, "table/not-host")
        assert (await ana.post(f"{path}/chat", {"on": False})).of(TableInfo).chat is False
        assert (await ana.post(f"{path}/start")).of(TableInfo).status == "playing"
        (await bo.post(f"{path}/leave")).refused(409, "table/started")
        (await ana.post(f"{path}/rematch")).refused(409, "game/not-over")
        assert (await house.visitor().get(path)).of(TableInfo).you is None

    run(House(tmp_path), test)


def test_a_game_leaves_everything_behind(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        table = await finished(house, ana)
        answer = await house.visitor().get(f"/api/tables/{table}/record")
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["content-disposition"] == f'attachment; filename="forsale-{table}.fsr"'
        written = record.from_bytes(answer.body)
        record.replay(written)
        info = (await ana.get(f"/api/tables/{table}")).of(TableInfo)
        assert written.tag("Secret") == info.secret
        history = (await ana.get("/api/me/games")).of(History)
        assert history.stats.games == 1
        assert (await ana.post(f"/api/tables/{table}/rematch")).of(TableCreated, 201).id != table
        assert (await ana.get(f"/api/tables/{table}")).of(TableInfo).rematch

    run(House(tmp_path), test)


def test_a_record_before_the_game(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        (await ana.get(f"/api/tables/{await ana.table()}/record")).refused(409, "game/not-started")

    run(House(tmp_path), test)


def test_options_that_no_rulebook_has(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        (await ana.post("/api/tables", {"edition": "none"})).refused(400, "table/options")
        problem = (await ana.post("/api/tables", {"seats": 7})).refused(400, "request/bad")
        assert problem.sentence == "Expected `int` <= 6 - at `$.seats`."

    run(House(tmp_path), test)


def test_nobody_has_a_command_run_here(tmp_path: Path) -> None:
    """On the command line a bot may be a program; over the network only names are known."""

    async def test(house: House) -> None:
        ana = await house.guest()
        for path in ("/api/tables", "/api/play-now"):
            problem = (await ana.post(path, {"bot": f"cmd:touch {tmp_path / 'ran'}"})).refused(400, "table/options")
            assert problem.sentence.startswith("expected a bot among lodger, ")

    run(House(tmp_path), test)
    assert not (tmp_path / "ran").exists()


def test_a_guest_cannot_fill_the_server_with_tables(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        for _ in range(MAX_OPEN):
            await ana.table()
        (await ana.post("/api/tables", {})).refused(429, "request/too-many")
        (await ana.post("/api/play-now", {})).refused(429, "request/too-many")

    run(House(tmp_path), test)


@pytest.mark.parametrize("table", ["nosuchtable", "a" * 65, "a%00b", "..", "é", "a b"])
@pytest.mark.parametrize("path", ["", "/record", "/replay", "/qr.svg"])
def test_a_table_that_there_is_not(tmp_path: Path, path: str, table: str) -> None:
    async def test(house: House) -> None:
        (await house.visitor().get(f"/api/tables/{table}{path}")).refused(404, "table/unknown")

    run(House(tmp_path), test)


def test_the_link_as_a_picture(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        answer = await ana.get(f"/api/tables/{await ana.table()}/qr.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.body.startswith(b"<?xml")
        assert b"<script" not in answer.body
        assert b"style=" not in answer.body

    run(House(tmp_path), test)


# --- Choices -------------------------------------------------------------------------------------------------


def test_what_can_be_chosen(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        answer = await house.visitor().get("/api/choices")
        choices = answer.of(Choices)
        assert [edition.id for edition in choices.editions] == list(editions.published())
        for info in choices.editions:
            edition = editions.load(info.id)
            assert (info.name, info.seats, info.variants) == (edition.name, edition.seats, tuple(edition.variants))
            assert (info.coins_hidden, info.refund) == (edition.coins_hidden, edition.refund)
            assert info.words == edition.words
        assert choices.bots == bots.names()
        assert choices.levels == bots.LEVELS
        assert {*choices.levels, choices.options.bot} <= set(choices.bots)
        assert choices.options == Options()
        ana = await house.guest()
        line = await ana.seat(await ana.table())
        for number, reaction in enumerate(choices.reactions[:3]):
            line.say(React(str(number), reaction))
            await line.until(Ack)
        await line.hang_up()

    run(House(tmp_path), test)


def test_choices_are_sent_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        first = await house.visitor().get("/api/choices")
        assert first.headers["cache-control"] == "no-cache"
        again = await house.visitor().get("/api/choices", if_none_match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")

    run(House(tmp_path), test)


# --- Pages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/api", "/nowhere"])
def test_pages_need_nothing_inline_and_nothing_from_elsewhere(tmp_path: Path, path: str) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        page = (await visitor.get(path, accept="text/html")).text
        assert not re.search(r"<style|style=|\son\w+=|javascript:|<script", page)
        for address in re.findall(r'(?:src|href)="([^"]+)"', page):
            assert address.startswith(("/", "#"))
        names = re.findall(r'"/static/([^"]+)"', page)
        assert names
        for name in names:
            assert (await visitor.get(f"/static/{name}")).status == 200

    run(House(tmp_path), test)


def test_what_went_wrong_is_a_page_for_a_person(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        for path in ("/nowhere", "/a/b", "/assets/x.js"):
            page = await house.visitor().get(path, accept="text/html,*/*")
            assert page.status == 404
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            assert "There is nothing at this address." in page.text
        (await house.visitor().get("/api/nowhere", accept="text/html")).refused(404, "request/unknown")
        (await house.visitor().get("/api/tables/nosuchtable", accept="text/html")).refused(404, "table/unknown")

    run(House(tmp_path), test)


def test_another_refusal_is_a_page_for_a_person_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise Refusal("request/too-many", "Not <now>.")

    async def test(house: House) -> None:
        monkeypatch.setattr(house.parts.identity, "guest_of", refuse)
        page = await house.visitor().get("/", accept="text/html")
        assert page.status == 429
        assert "<p>Not &lt;now&gt;.</p>" in page.text
        (await house.visitor().get("/")).refused(429, "request/too-many")

    run(House(tmp_path), test)


@pytest.mark.parametrize("name", ["x.css", "../app.py", "..%2fapp.py", "style.css.map", "__init__.py"])
def test_nothing_else_is_served_from_the_disk(tmp_path: Path, name: str) -> None:
    async def test(house: House) -> None:
        (await house.visitor().get(f"/static/{name}")).refused(404, "request/unknown")

    run(House(tmp_path), test)


# --- The document --------------------------------------------------------------------------------------------


def test_the_document_lists_exactly_the_routes(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        document = json.loads((await house.visitor().get("/api/openapi.json")).body)
        listed = {(path, method) for path, found in document["paths"].items() for method in found}
        served = set()
        for route in house.app.routes:
            if isinstance(route, WebSocketRoute):
                assert route.path == SOCKET
            else:
                assert isinstance(route, StarletteRoute)
                served |= {(route.path, method.lower()) for method in (route.methods or set()) - {"HEAD"}}
        assert listed == served
        assert len(ROUTES) == len(served)

    run(House(tmp_path), test)


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = openapi.document(ROUTES)
    for name in re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)):
        assert name in document["components"]["schemas"]


def test_every_refusal_has_a_status() -> None:
    assert set(STATUS) == set(CODES)


@pytest.mark.parametrize("path", ["/api", "/api/openapi.json"])
def test_the_document_is_made_once(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        first = await house.visitor().get(path)
        monkeypatch.setattr(openapi, "document", None)
        again = await house.visitor().get(path, accept_encoding="gzip")
        assert gzip.decompress(again.body) == first.body
        assert again.headers["etag"] == first.headers["etag"]
        known = await house.visitor().get(path, if_none_match=first.headers["etag"])
        assert (known.status, known.body) == (304, b"")

    run(House(tmp_path), test)


def test_the_document_as_a_page(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        page = (await house.visitor().get("/api")).text
        for route in ROUTES:
            assert f"{route.method} {route.path}" in page
        for anchor in re.findall(r'href="#([^"]+)"', page):
            assert f'id="{anchor}"' in page

    run(House(tmp_path), test)


# --- Health --------------------------------------------------------------------------------------------------


def test_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        assert (await visitor.get("/healthz")).text == "ok\n"
        assert (await visitor.get("/readyz")).text == "ok\n"

        async def not_now() -> bool:
            return False

        monkeypatch.setattr(house.store, "is_writable", not_now)
        assert (await visitor.get("/healthz")).status == 200
        answer = await visitor.get("/readyz")
        answer.refused(503, "server/storage")
        assert answer.headers["retry-after"]

    run(House(tmp_path), test)


def test_metrics(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        table = await ana.table()
        await ana.get(f"/t/{table}")
        await ana.get(f"/api/tables/{table}")
        (await ana.get("/api/tables/unknown")).refused(404, "table/unknown")
        answer = await house.visitor("127.0.0.1").get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert 'forsale_http_requests_total{method="GET",route="/t/{id}",status="200"} 1' in answer.text
        assert 'forsale_refused_total{code="table/unknown"} 1' in answer.text
        assert "forsale_tables_in_memory 1\n" in answer.text
        assert table not in answer.text
        assert "Ana" not in answer.text
        names = [line.split()[2] for line in answer.text.splitlines() if line.startswith("# TYPE ")]
        assert len(names) == len(set(names))
        for line in answer.text.splitlines():
            assert re.fullmatch(r"# (HELP|TYPE) forsale_\w+ .+|forsale_\w+(\{[^}]*\}*[^}]*\})? [0-9.e+-]+", line), line

    run(House(tmp_path), test)


TOKEN = "of-the-operator"


@pytest.mark.parametrize(
    ("address", "headers", "token", "allowed"),
    [
        ("127.0.0.1", {}, None, True),
        ("127.0.0.9", {}, None, True),
        ("::1", {}, None, True),
        ("::ffff:127.0.0.1", {}, None, True),
        ("203.0.113.1", {}, None, False),
        ("a name", {}, None, False),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, None, False),
        ("127.0.0.1", {"forwarded": "for=127.0.0.1"}, None, False),
        ("127.0.0.1", {"x-real-ip": "127.0.0.1"}, None, False),
        ("203.0.113.1", {"authorization": "Bearer None"}, None, False),
        ("203.0.113.1", {"authorization": "Bearer "}, None, False),
        ("203.0.113.1", {"authorization": f"Bearer {TOKEN}"}, TOKEN, True),
        ("203.0.113.1", {"authorization": f"bearer {TOKEN}"}, TOKEN, True),
        ("203.0.113.1", {"authorization": f"Bearer {TOKEN}x"}, TOKEN, False),
        ("203.0.113.1", {"authorization": "Bearer \xe9"}, TOKEN, False),
        ("203.0.113.1", {"authorization": f"Basic {TOKEN}"}, TOKEN, False),
        ("203.0.113.1", {}, TOKEN, False),
        ("127.0.0.1", {}, TOKEN, True),
    ],
)
def test_who_may_see_the_metrics(
    tmp_path: Path, address: str, headers: dict[str, str], token: str | None, allowed: bool
) -> None:
    async def test(house: House) -> None:
        house.parts.metrics_token = token
        answer = await house.visitor(address).ask("GET", "/metrics", headers=headers)
        if allowed:
            assert "forsale_open_connections 0\n" in answer.text
        else:
            nowhere = await house.visitor(address).ask("GET", "/nowhere", headers=headers)
            assert (answer.status, answer.headers, answer.body) == (nowhere.status, nowhere.headers, nowhere.body)

    run(House(tmp_path), test)
