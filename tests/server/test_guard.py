"""Around every request: where it comes from, how much it brings, and what every answer carries."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from forsale.server import asked
from forsale.server.guard import HEADERS
from forsale.server.limits import BODY, LARGE_BODIES, LARGE_BODIES_PER_ADDRESS, Limits, Rate
from forsale.server.origin import origin_from_url
from forsale.server.protocol import Me
from forsale.server.reply import FAULT_CODE
from forsale.server.run import JsonLines
from forsale.server.store import StoreError
from tests.server.asgi import HOST, JSON, ORIGIN, Answer, House, Line, run

PUBLIC = "https://forsale.example.org"


# --- Where it comes from -------------------------------------------------------------------------------------

FROM_ELSEWHERE = [
    {"origin": "http://evil.test"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": f"{ORIGIN}.evil.test"},
    {"origin": f"{ORIGIN}:8000"},
    {"origin": "https://forsale.test"},
    {"sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-site"},
    {"origin": ORIGIN, "sec_fetch_site": "cross-site"},
]
FROM_US: list[dict[str, str]] = [
    {},
    {"origin": ORIGIN},
    {"origin": ORIGIN, "sec_fetch_site": "same-origin"},
    {"sec_fetch_site": "none"},
    {"origin": ORIGIN, "host": "FORSALE.test:80"},
]


@pytest.mark.parametrize("headers", FROM_ELSEWHERE, ids=str)
def test_another_site_can_do_nothing_in_my_name(tmp_path: Path, headers: dict[str, str]) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        table = await ana.table()
        (await ana.put("/api/me", {"name": "Eve"}, **headers)).refused(403, "request/origin")
        (await ana.post("/api/tables", {}, **headers)).refused(403, "request/origin")
        (await (await ana.connect(table, **headers)).denied()).refused(403, "request/origin")
        assert (await ana.get("/api/me", **headers)).of(Me).name == "Ana", "to look changes nothing"

    run(House(tmp_path), test)


@pytest.mark.parametrize("headers", FROM_US, ids=str)
def test_our_own_pages_and_programs_can(tmp_path: Path, headers: dict[str, str]) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        assert (await ana.put("/api/me", {"name": "Bo"}, **headers)).of(Me).name == "Bo"
        line = await ana.connect(await ana.table(), **headers)
        assert (await line.next())["type"] == "websocket.accept"
        await line.hang_up()

    run(House(tmp_path), test)


def test_with_a_public_url_only_that_is_ours(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        (await ana.put("/api/me", {"name": "Bo"}, origin=PUBLIC)).of(Me)
        (await ana.put("/api/me", {"name": "Bo"}, origin=ORIGIN)).refused(403, "request/origin")
        created = json.loads((await ana.post("/api/tables", {})).body)
        assert created["url"] == f"{PUBLIC}/t/{created['id']}"

    run(House(tmp_path, public=PUBLIC), test)


@pytest.mark.parametrize("host", ["", "-", "a b", "evil.test/path", 'x"', "forsale.test:99999999", "[::1", "é"])
def test_a_host_that_is_none(tmp_path: Path, host: str) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        (await ana.post("/api/tables", {}, host=host)).refused(400, "request/bad")

    run(House(tmp_path), test)


@pytest.mark.parametrize("name", ["Origin", "Host", "Sec-Fetch-Site"])
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_header_that_there_can_be_only_once(tmp_path: Path, name: str, method: str) -> None:
    """The first one is ours; a proxy might go by the second."""

    async def test(house: House) -> None:
        ana = await house.guest()
        ours = {"origin": ORIGIN, "host": HOST, "sec-fetch-site": "same-origin"}
        scope: dict[str, Any] = {"type": "http", "method": method, "http_version": "1.1"}
        scope |= ana._scope("http", "/api/me", ours)
        scope["headers"].append((name.lower().encode(), b"evil.test"))
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            sent.append(message)

        await house.app(scope, receive, send)
        assert sent[0]["status"] == 400
        assert json.loads(sent[1]["body"])["code"] == "request/bad"

    run(House(tmp_path), test)


def test_a_socket_with_two_origins(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        scope: dict[str, Any] = {"type": "websocket", "extensions": {"websocket.http.response": {}}}
        scope |= house.visitor()._scope("ws", "/api/tables/x/socket", {"origin": ORIGIN})
        scope["headers"].append((b"origin", b"http://evil.test"))
        line = Line()
        await house.app(scope, line.receive, line.send)  # type: ignore[arg-type]
        (await line.denied()).refused(400, "request/bad")

    run(House(tmp_path), test)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Forsale.Example.org/", PUBLIC),
        ("https://forsale.example.org:443", PUBLIC),
        ("http://10.0.0.5:8000", "http://10.0.0.5:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("https://spaß.example", "https://spass.example"),
    ],
)
def test_a_public_url_as_a_browser_writes_it(url: str, origin: str) -> None:
    assert origin_from_url(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "x",
            "forsale.example.org",
            "ftp://x.org",
            "https://",
            "https://x.org/path",
            "https://x.org?a",
            "//x.org",
        ),
        *(
            "https://x.org#a",
            "https://me@x.org",
            "https://x.org:99999",
            "https://x y.org",
            "https://[::1",
            "https://[x]",
        ),
        *("https://x.org\n", "https://" + "x" * 300, "https://x..y"),
    ],
)
def test_what_cannot_be_a_public_url(url: str) -> None:
    with pytest.raises(ValueError, match="^expected "):
        origin_from_url(url)


# --- How much ------------------------------------------------------------------------------------------------


def test_so_many_requests_an_address(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        assert [(await visitor.get("/healthz")).status for _ in range(3)] == [200, 200, 429]
        refused = await visitor.get("/healthz")
        refused.refused(429, "request/too-many")
        assert refused.headers["retry-after"] == "1"
        (await (await visitor.connect("x")).denied()).refused(429, "request/too-many")
        assert (await house.visitor("203.0.113.9").get("/healthz")).status == 200
        house.wait(10)
        assert (await visitor.get("/healthz")).status == 200

    run(House(tmp_path, limits=Limits(requests=Rate(1, 2))), test)


def test_so_many_new_guests_an_address(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = house.visitor()
        (await ana.get("/api/me")).of(Me)
        (await house.visitor().get("/api/me")).refused(429, "request/too-many")
        (await ana.get("/api/me")).of(Me)
        (await house.visitor("203.0.113.9").get("/api/me")).of(Me)

    run(House(tmp_path, limits=Limits(guests=Rate(1, 1))), test)


def name_of(size: int) -> bytes:
    start, end = b'{"name":"Ana"', b"}"
    return start + b" " * (size - len(start) - len(end)) + end


def test_a_body_within_the_limit(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        (await ana.send("PUT", "/api/me", [name_of(BODY)], JSON)).of(Me)
        (await ana.send("PUT", "/api/me", [b'{"na', b'me":', b'"Bo"}'], JSON)).of(Me)

    run(House(tmp_path), test)


def test_a_body_that_is_announced_too_large_is_not_read(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        for length in (BODY + 1, 10**30):
            answer = await ana.send("PUT", "/api/me", [b"x"], {**JSON, "content-length": str(length)})
            answer.refused(413, "request/too-large")
            assert answer.headers["connection"] == "close"
            assert ana.parts_read == 0

    run(House(tmp_path), test)


def test_a_body_that_turns_out_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        answer = await ana.send("PUT", "/api/me", [b"x" * BODY] * 1000, JSON)
        answer.refused(413, "request/too-large")
        assert ana.parts_read == 2

    run(House(tmp_path), test)


def test_so_many_large_bodies_at_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        large = [b"x" * BODY, b"x"]
        plain = {"content-type": "text/plain"}
        ana, bo = house.visitor(), house.visitor("203.0.113.9")
        for _ in range(LARGE_BODIES_PER_ADDRESS + 1):
            (await ana.send("POST", "/api/replay", large, plain)).refused(400, "record/bad")
        places = house.parts.large_bodies
        while places.enter("198.51.100.7"):
            pass
        (await ana.send("POST", "/api/replay", large, plain)).refused(429, "request/too-many")
        (await ana.send("POST", "/api/replay", [b"x"], plain)).refused(400, "record/bad")
        (await bo.send("POST", "/api/replay", large, plain)).refused(400, "record/bad")
        number = 0
        while places.enter(f"192.0.2.{number}"):
            number += 1
        assert number == LARGE_BODIES - LARGE_BODIES_PER_ADDRESS
        (await bo.send("POST", "/api/replay", large, plain)).refused(429, "request/too-many")

    run(House(tmp_path), test)


def test_a_body_that_does_not_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "BODY_PATIENCE", 0.0)

    async def test(house: House) -> None:
        ana = await house.guest()
        scope: dict[str, Any] = {"type": "http", "method": "PUT", "http_version": "1.1"}
        scope |= ana._scope("http", "/api/me", dict(JSON))
        sent: list[Any] = []

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        await house.app(scope, receive, send)
        assert sent[0]["status"] == 400

    run(House(tmp_path), test)


BAD_BODIES = [b"", b"{", b"[]", b"null", b"\xff", b'{"name":1}', b'{"name":"a","x":1}', b'{"name":"\xff"}', b"[" * 9000]


@pytest.mark.parametrize("body", BAD_BODIES, ids=lambda body: repr(body[:20]))
def test_a_body_that_is_not_what_was_expected(tmp_path: Path, body: bytes) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        (await ana.send("PUT", "/api/me", [body], JSON)).refused(400, "request/bad")
        clock = b'{"clock":' + body + b"}"
        (await ana.send("POST", "/api/tables", [clock], JSON)).refused(400, "request/bad")

    run(House(tmp_path), test)


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
def test_only_json_is_taken(tmp_path: Path, kind: str) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        (await ana.send("PUT", "/api/me", [b'{"name":"Bo"}'], {"content-type": kind})).refused(400, "request/bad")

    run(House(tmp_path), test)


# --- What every answer carries -------------------------------------------------------------------------------


def check_headers(answer: Answer) -> None:
    for name, value in HEADERS.items():
        assert answer.headers.getlist(name) == [value]
    assert len(answer.headers.getlist("cache-control")) == 1


def test_every_answer_has_the_headers(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        table = await ana.table()
        answers = [await ana.get(path) for path in ("/", "/api/me", f"/t/{table}", "/healthz", "/static/style.css")]
        answers += [await ana.get("/nowhere"), await ana.get("/api/tables/none"), await ana.ask("DELETE", "/api/me")]
        answers += [await ana.post("/api/tables", {}, origin="http://evil.test"), await ana.post("/api/tables", [])]
        answers += [await (await ana.connect(table, origin="http://evil.test")).denied()]
        for answer in answers:
            check_headers(answer)
            assert "strict-transport-security" not in answer.headers
        assert {answer.status for answer in answers} == {200, 400, 403, 404, 405}
        assert [answer.headers["cache-control"] for answer in answers].count("no-store") == len(answers) - 1

    run(House(tmp_path), test)


def test_by_tls_for_ever(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        assert (await house.visitor().get("/")).headers["strict-transport-security"] == "max-age=31536000"

    run(House(tmp_path, public=PUBLIC), test)


def test_no_script_and_no_style_but_our_files() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert [what for what, whence in rules.items() if whence not in ("'self'", "'none'")] == ["img-src"]
    assert rules["img-src"] == "'self' data:"
    assert "frame-ancestors 'none'" in policy


def test_a_wrong_method_is_told_the_right_ones(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        answer = await house.visitor().ask("DELETE", "/api/me")
        answer.refused(405, "request/unknown")
        assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "PUT"}
        (await house.visitor().ask("PROPFIND", "/")).refused(405, "request/unknown")
        assert 'method="other"' in (await house.visitor("127.0.0.1").get("/metrics")).text

    run(House(tmp_path), test)


@pytest.mark.parametrize("path", ["/nowhere", "/api/", "/api/tables/", "//", "/t", "/t/a/b", "/api/tables/x/socket"])
def test_where_nothing_is(tmp_path: Path, path: str) -> None:
    async def test(house: House) -> None:
        (await house.visitor().get(path)).refused(404, "request/unknown")

    run(House(tmp_path), test)


def test_a_store_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("house.sqlite3: the disk is full")

    async def test(house: House) -> None:
        ana = await house.guest()
        monkeypatch.setattr(house.store, "append", fail)
        answer = await ana.post("/api/tables", {})
        problem = answer.refused(503, "server/storage")
        assert "sqlite3" not in problem.sentence
        assert answer.headers["retry-after"]

    run(House(tmp_path), test)
    assert [record.__dict__.get("reason") for record in caplog.records] == ["house.sqlite3: the disk is full"]


def test_a_fault_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError("our secret")

    async def test(house: House) -> None:
        ana = await house.guest()
        monkeypatch.setattr(house.tables, "open", fail)
        answer = await ana.post("/api/tables", {})
        assert "secret" not in answer.refused(500, FAULT_CODE).sentence
        check_headers(answer)
        assert "forsale_faults_total 1\n" in (await house.visitor("127.0.0.1").get("/metrics")).text

    run(House(tmp_path), test)
    (entry,) = caplog.records
    assert entry.exc_info


# --- Logs ----------------------------------------------------------------------------------------------------


def test_the_log_has_no_secrets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []

    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        table = await ana.table()
        link = json.loads((await ana.post("/api/me/link")).body)["url"].partition("#")[2]
        await ana.get(f"/t/{table}?token=in-the-query")
        await house.visitor().post("/api/me/redeem", {"secret": link})
        await ana.post("/api/me/redeem", {"secret": "wrong-secret"})
        line = await ana.seat(table)
        await line.hang_up()
        seen.extend([table, link, (ana.cookie or "").partition("=")[2], "in-the-query", "wrong-secret", "198.51.100"])

    run(House(tmp_path, access_log=True), test)
    lines = [JsonLines().format(record) for record in caplog.records if record.name.startswith("forsale")]
    assert len(lines) == 7, "one for each request"
    assert json.loads(lines[4])["route"] == "/t/{id}"
    for secret in seen:
        assert secret
        assert not any(secret in line for line in lines)
