"""`/api/me` and its neighbours, end to end: the cookie under http and https, signing out everywhere, pruned guests."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from forsale.server.identity import COOKIE, HOST_COOKIE
from forsale.server.protocol import VERSION, DeviceLink, Hello, Me, Refused, Say, TableInfo, Update, Welcome
from forsale.server.store import Tidied
from tests.server.asgi import Answer, House, Line, Visitor, run

HTTPS = "https://forsale.test"


def cookies_set(answer: Answer) -> list[str]:
    """The names of the cookies that an answer sets or removes, in order."""
    return [header.partition("=")[0] for header in answer.headers.getlist("set-cookie")]


async def upgrade(house: House) -> None:
    """As if the database had been of the old schema until now."""
    sql = "UPDATE meta SET host_cookies_since = ?"
    await house.store._write(lambda db: db.execute(sql, (house.milliseconds,)).close())
    await house.parts.identity.start()


# --- The cookie ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("public", "name"), [(None, COOKIE), (HTTPS, HOST_COOKIE)])
def test_the_cookie_has_the_name_of_its_scheme(tmp_path: Path, public: str | None, name: str) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        first = await visitor.get("/api/me")
        assert cookies_set(first) == [name]
        again = await visitor.get("/api/me")
        assert again.of(Me) == first.of(Me)
        assert cookies_set(again) == []

    run(House(tmp_path, public=public), test)


def test_a_cookie_from_before_the_upgrade_is_replaced_at_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        visitor = house.visitor()
        me = (await visitor.get("/api/me")).of(Me)
        assert visitor.cookie is not None
        visitor.cookie = old = visitor.cookie.removeprefix("__Host-")
        await upgrade(house)
        table = await visitor.table()
        answer = await visitor.get("/api/me")
        assert answer.of(Me) == me
        assert cookies_set(answer) == [HOST_COOKIE, COOKIE]
        removal = answer.headers.getlist("set-cookie")[1]
        assert removal == "forsale_guest=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure"
        assert (await visitor.get(f"/api/tables/{table}")).of(TableInfo).you == 0
        visitor.cookie = f"{visitor.cookie}; {old}"  # a browser that kept it is not told again
        assert cookies_set(await visitor.get("/api/me")) == []

    run(House(tmp_path, public=HTTPS), test)


def test_a_planted_cookie_makes_nobody_somebody_else(tmp_path: Path) -> None:
    """And it is left alone: the same host may also be visited by http, where it counts."""

    async def test(house: House) -> None:
        await upgrade(house)
        house.milliseconds += 1000
        eve, victim = await house.guest("Eve"), house.visitor()
        assert eve.cookie is not None
        victim.cookie = eve.cookie.removeprefix("__Host-")
        answer = await victim.get("/api/me")
        assert answer.of(Me).id != (await eve.get("/api/me")).of(Me).id
        assert cookies_set(answer) == [HOST_COOKIE]

    run(House(tmp_path, public=HTTPS), test)


def test_a_socket_knows_the_guest_by_the_same_cookie(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        table = await ana.table()
        line = await ana.seat(table)
        assert (await line.until(Welcome)).table.you == 0
        await line.hang_up()
        assert ana.cookie is not None
        ana.cookie = ana.cookie.removeprefix("__Host-")
        line = await ana.seat(table)
        assert (await line.until(Welcome)).table.you is None
        await line.hang_up()

    run(House(tmp_path, public=HTTPS), test)


def test_cookies_of_two_guests_are_refused_everywhere(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana, eve = await house.guest("Ana"), await house.guest("Eve")
        table = await ana.table()
        own, ana.cookie = ana.cookie, f"{ana.cookie}; {eve.cookie}"
        (await ana.get("/api/me")).refused(400, "request/bad")
        await (await ana.seat(table)).cut("request/bad", 1008)
        ana.cookie = own
        assert (await ana.get("/api/me")).of(Me).name == "Ana"

    run(House(tmp_path), test)


# --- Signing out everywhere ----------------------------------------------------------------------------------


async def on_two_devices(house: House) -> tuple[Visitor, Visitor]:
    """The same guest twice, as by a link, or by a stolen cookie."""
    phone, laptop = await house.guest("Ana"), house.visitor()
    link = (await phone.post("/api/me/link")).of(DeviceLink, 201)
    (await laptop.post("/api/me/redeem", {"secret": urlsplit(link.url).fragment})).of(Me)
    return phone, laptop


@pytest.mark.parametrize("public", [None, HTTPS])
def test_signing_out_leaves_only_the_one_who_asked(tmp_path: Path, public: str | None) -> None:
    async def test(house: House) -> None:
        phone, laptop = await on_two_devices(house)
        me = (await phone.get("/api/me")).of(Me)
        link = (await laptop.post("/api/me/link")).of(DeviceLink, 201)
        before = phone.cookie
        answer = await phone.post("/api/me/sign-out")
        assert answer.of(Me) == me
        assert phone.cookie != before
        assert (await phone.get("/api/me")).of(Me) == me
        assert (await laptop.get("/api/me")).of(Me).id != me.id
        stolen = house.visitor()
        stolen.cookie = before
        (await stolen.get("/api/me/games")).refused(403, "guest/unknown")
        secret = urlsplit(link.url).fragment
        (await laptop.post("/api/me/redeem", {"secret": secret})).refused(404, "link/expired")

    run(House(tmp_path, public=public), test)


def test_signing_out_closes_the_sockets_of_that_guest(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        phone, laptop = await on_two_devices(house)
        bo, watcher = await house.guest("Bo"), house.visitor()
        table = await phone.table()
        lines = [await each.seat(table) for each in (phone, laptop)]
        others = [await each.seat(table) for each in (bo, watcher)]
        silent = await laptop.connect(table)  # has not said hello
        for line in (*lines, *others):
            await line.until(Welcome)
        (await phone.post("/api/me/sign-out")).of(Me)
        for line in (*lines, silent):
            closing = await line.cut("guest/unknown", 1008)
            assert closing.retry_after == 1.0, "by then the phone has its new cookie"
        again = await phone.seat(table)
        assert (await again.until(Welcome)).table.you == 0
        others[0].say(Say("1", "still here"))
        for line in (*others, again):
            await line.until(Update)
        stranger = await laptop.seat(table)
        assert (await stranger.until(Welcome)).table.you is None
        stranger.say(Say("1", "let me in"))
        assert (await stranger.until(Refused)).code == "guest/unknown"
        for line in (*others, again, stranger):
            await line.hang_up()

    run(House(tmp_path), test)


async def unread(line: Line) -> None:
    """The client stops reading, and something waits for it."""
    line.reads.clear()
    line.say('{"type": "ping"}')
    await asyncio.sleep(0)


def test_one_who_does_not_read_is_signed_out_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a stolen cookie must not play on by leaving the server's last words unread."""
    monkeypatch.setattr("forsale.server.sockets.LAST_WORDS", 0.0)

    async def test(house: House) -> None:
        phone, thief = await on_two_devices(house)
        table = await phone.table()
        line = await thief.seat(table)
        await line.until(Welcome)
        await unread(line)
        (await phone.post("/api/me/sign-out")).of(Me)
        line.say(Say("1", "still me"))
        async with asyncio.timeout(10):
            await line.task
        own = await phone.connect(table)
        own.say(Hello(VERSION))
        assert [each.what.__class__.__name__ for each in (await own.until(Welcome)).missed] == [
            "TableOpened",
            "SeatTaken",
        ]
        await own.hang_up()

    run(House(tmp_path), test)


# --- What is sent --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "field", "longest", "status"),
    [
        ("PUT", "/api/me", "name", 24, 200),
        ("POST", "/api/me/redeem", "secret", 128, 404),  # no such link, but a secret that there could be
        ("POST", "/api/tables/{table}/join", "seed", 64, 200),
    ],
)
def test_texts_have_a_longest_length(
    tmp_path: Path, method: str, path: str, field: str, longest: int, status: int
) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        path_there = path.format(table=await ana.table())
        assert (await ana.ask(method, path_there, {field: "é" * longest})).status == status
        (await ana.ask(method, path_there, {field: "é" * (longest + 1)})).refused(400, "request/bad")

    run(House(tmp_path), test)


@pytest.mark.parametrize(
    ("method", "path", "field"), [("PUT", "/api/me", "name"), ("POST", "/api/me/redeem", "secret")]
)
def test_a_name_and_a_secret_are_not_empty(tmp_path: Path, method: str, path: str, field: str) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        (await ana.ask(method, path, {field: ""})).refused(400, "request/bad")

    run(House(tmp_path), test)


def test_a_name_that_cannot_be_seen_is_refused(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        for name in ("\u3164", "Ana\u2800", "\u115f\u1160"):
            (await ana.put("/api/me", {"name": name})).refused(400, "guest/name")
        assert (await ana.get("/api/me")).of(Me).name == "Ana"

    run(House(tmp_path), test)


# --- Guests who are removed ----------------------------------------------------------------------------------


def test_a_pruned_guest_is_simply_a_new_one(tmp_path: Path) -> None:
    week = 7 * 24 * 60 * 60 * 1000

    async def test(house: House) -> None:
        passer_by, player = house.visitor(), house.visitor()
        before = [(await each.get("/api/me")).of(Me) for each in (passer_by, player)]
        await player.table()
        house.milliseconds += week + 1
        assert await house.store.tidy(house.milliseconds) == Tidied(guests=1, links=0)
        (await passer_by.get("/api/me/games")).refused(403, "guest/unknown")
        answer = await passer_by.get("/api/me")
        assert answer.of(Me).id != before[0].id
        assert cookies_set(answer) == [COOKIE]
        await passer_by.table()
        assert (await player.get("/api/me")).of(Me) == before[1]

    run(House(tmp_path), test)
