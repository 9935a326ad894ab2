"""Who a visitor is: no cookie can be made up or changed, no link works twice."""

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Scope

from forsale import record
from forsale.server.identity import COOKIE, HOST_COOKIE, LIFETIME, LINK_LIFETIME, RENEW, Identity, checked_name
from forsale.server.refusal import Refusal
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest


class Office:
    def __init__(self, path: Path) -> None:
        self.now = 1_700_000_000_000
        self.store = SqliteStore(path)
        self.identity = Identity(self.store, lambda: self.now)

    def cookie(self, guest: Guest, secure: bool = True) -> str:
        """As the browser sends it back."""
        return self.identity.cookie(guest, secure).partition(";")[0]

    def old_cookie(self, guest: Guest) -> str:
        """As it was issued before there was a prefix, or a way to sign out everywhere."""
        content = f"{guest.id}.{self.now // 1000}"
        return f"{COOKIE}={content}.{self.identity._signature(content)}"

    async def upgrade(self) -> None:
        """From now on cookies have a prefix under https."""
        sql = "UPDATE meta SET host_cookies_since = ?"
        await self.store._write(lambda db: db.execute(sql, (self.now,)).close())
        await self.identity.start()

    async def known_by(self, *cookies: str, scheme: str = "https") -> Guest | None:
        return await self.identity.guest_of(scope(*cookies, scheme=scheme))


def scope(*cookies: str, scheme: str = "https") -> Scope:
    """Of a request with so many Cookie headers."""
    return {"type": "http", "scheme": scheme, "headers": [(b"cookie", each.encode("latin-1")) for each in cookies]}


def run(tmp_path: Path, test: Callable[[Office], Awaitable[None]], file: str = "office.sqlite3") -> None:
    async def whole() -> None:
        office = Office(tmp_path / file)
        await office.store.open()
        try:
            await office.identity.start()
            await test(office)
        finally:
            await office.store.close()

    asyncio.run(whole())


# --- Cookies -------------------------------------------------------------------------------------------------


def test_a_guest_is_known_again(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        assert len(guest.id) >= 22, "128 bits"
        assert guest.name.startswith("Guest ")
        cookie = office.cookie(guest)
        assert await office.known_by(cookie) == guest
        assert await office.known_by(f"other=1; {cookie}; more=2") == guest

    run(tmp_path, test)


def test_a_cookie_is_for_our_pages_only_and_for_no_script(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        attributes = office.identity.cookie(guest, secure=True).split("; ")[1:]
        assert attributes == ["Path=/", f"Max-Age={LIFETIME}", "HttpOnly", "SameSite=Lax", "Secure"]
        assert "Secure" not in office.identity.cookie(guest, secure=False)
        assert office.identity.cookie(guest, secure=True).startswith("__Host-forsale_guest=")
        assert office.identity.cookie(guest, secure=False).startswith("forsale_guest=")

    run(tmp_path, test)


def test_no_character_of_a_cookie_can_be_changed(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        name, _, value = office.cookie(guest).partition("=")
        assert name == HOST_COOKIE
        for place in range(len(value)):
            other = "A" if value[place] != "A" else "B"
            assert await office.known_by(f"{name}={value[:place]}{other}{value[place + 1 :]}") is None
            assert await office.known_by(f"{name}={value[:place]}") is None

    run(tmp_path, test)


def test_nobody_takes_the_signature_of_another(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        mine, yours = [office.cookie(await office.identity.newcomer()).split("=")[1] for _ in range(2)]
        my_id, issued, sign_outs, _ = mine.split(".")
        _, _, _, your_signature = yours.split(".")
        assert await office.known_by(f"{HOST_COOKIE}={my_id}.{issued}.{sign_outs}.{your_signature}") is None

    run(tmp_path, test)


@pytest.mark.parametrize(
    "value", ["", ".", "..", "...", "a.b.c", "a.1.", "é.1.é", "\udcff", "a" * 10_000, "x.99999999999999999999.y"]
)
def test_nonsense_is_no_cookie(tmp_path: Path, value: str) -> None:
    async def test(office: Office) -> None:
        assert office.identity._verified(value) is None

    run(tmp_path, test)


def test_another_server_signs_with_another_key(tmp_path: Path) -> None:
    cookies: list[str] = []

    async def here(office: Office) -> None:
        guest = Guest("the-same-id", "Ana")
        await office.store.save_guest(guest, 0)
        cookies.append(office.cookie(guest))
        assert await office.known_by(cookies[0]) == (guest if len(cookies) == 1 else None)

    run(tmp_path, here, "one.sqlite3")
    run(tmp_path, here, "two.sqlite3")
    assert cookies[0] != cookies[1]


def test_a_restart_forgets_nobody(tmp_path: Path) -> None:
    cookies: list[str] = []

    async def before(office: Office) -> None:
        cookies.append(office.cookie(await office.identity.newcomer()))

    async def after(office: Office) -> None:
        assert await office.known_by(cookies[0]) is not None

    run(tmp_path, before)
    run(tmp_path, after)


def test_a_guest_that_the_store_does_not_know_is_a_stranger(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        assert await office.known_by(office.cookie(Guest("made-up", "Eve"))) is None

    run(tmp_path, test)


def test_cookies_grow_old(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        cookie = office.cookie(await office.identity.newcomer())
        shown = office.identity.read(scope(cookie))
        assert shown is not None
        assert not office.identity.is_outdated(shown)
        office.now += (RENEW + 1) * 1000
        assert office.identity.is_outdated(shown)
        office.now += LIFETIME * 1000
        assert await office.known_by(cookie) is None

    run(tmp_path, test)


@pytest.mark.parametrize(
    ("public", "scheme", "https"),
    [
        (None, "http", False),
        (None, "ws", False),
        (None, "https", True),
        (None, "wss", True),
        ("https://cards.example", "http", True),
        ("https://cards.example", "ws", True),
        ("http://cards.example", "https", False),
    ],
)
def test_what_counts_is_how_the_browser_came(public: str | None, scheme: str, https: bool, tmp_path: Path) -> None:
    identity = Identity(SqliteStore(tmp_path / "x"), lambda: 0, public)
    assert identity.is_https(scope(scheme=scheme)) == https


def test_each_name_is_for_its_own_scheme(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        prefixed, plain = office.cookie(guest), office.cookie(guest, secure=False)
        for scheme in ("https", "wss"):
            assert await office.known_by(prefixed, scheme=scheme) == guest
            assert await office.known_by(plain, scheme=scheme) is None, "a sibling domain may have planted it"
        for scheme in ("http", "ws"):
            assert await office.known_by(prefixed, scheme=scheme) is None
            assert await office.known_by(plain, scheme=scheme) == guest

    run(tmp_path, test)


def test_nobody_is_forgotten_by_the_upgrade(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        old = office.old_cookie(guest)
        office.now += 1000
        await office.upgrade()
        office.now += 1000
        for scheme in ("https", "http"):
            assert await office.known_by(old, scheme=scheme) == guest
        shown = office.identity.read(scope(old))
        assert shown is not None
        assert office.identity.is_outdated(shown), "it is replaced at once"
        shown = office.identity.read(scope(old, scheme="http"))
        assert shown is not None
        assert not office.identity.is_outdated(shown)
        for late in (office.old_cookie(guest), office.cookie(guest, secure=False)):
            assert await office.known_by(late) is None
            assert await office.known_by(late, scheme="http") == guest

    run(tmp_path, test)


def test_the_cookie_with_the_prefix_is_the_one_that_counts(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        ana, eve = await office.identity.newcomer(), await office.identity.newcomer()
        planted = office.old_cookie(eve)
        await office.upgrade()
        assert await office.known_by(planted) == eve
        assert await office.known_by(f"{planted}; {office.cookie(ana)}") == ana
        assert await office.known_by(office.cookie(ana), planted) == ana
        assert await office.known_by(f"{planted}; {HOST_COOKIE}=nonsense") is None

    run(tmp_path, test)


@pytest.mark.parametrize("secure", [True, False])
def test_of_several_cookies_of_a_guest_the_latest_counts(tmp_path: Path, secure: bool) -> None:
    async def test(office: Office) -> None:
        scheme = "https" if secure else "http"
        guest = await office.identity.newcomer()
        older = office.cookie(guest, secure)
        office.now += 1000
        guest = await office.identity.sign_out(guest)
        newer = office.cookie(guest, secure)
        name = older.partition("=")[0]
        assert await office.known_by(f"{older}; {newer}", scheme=scheme) == guest
        assert await office.known_by(newer, older, scheme=scheme) == guest
        assert await office.known_by(f"{newer}; {name}=nonsense; {name}; x={name}", scheme=scheme) == guest
        assert await office.known_by(*[newer] * 50, scheme=scheme) == guest

    run(tmp_path, test)


@pytest.mark.parametrize("secure", [True, False])
def test_cookies_of_two_guests_are_refused(tmp_path: Path, secure: bool) -> None:
    """One of them was planted. A stranger in their place would get a new cookie, and lose their own."""

    async def test(office: Office) -> None:
        ana, eve = [office.cookie(await office.identity.newcomer(), secure) for _ in range(2)]
        name = ana.partition("=")[0]
        crowd = [f"{name}={n}" for n in range(5)]
        for cookies in ([ana, eve], [f"{eve}; {ana}"], [ana, *crowd]):
            with pytest.raises(Refusal, match="^request/bad: Your browser sent the cookies of several guests"):
                await office.known_by(*cookies, scheme="https" if secure else "http")

    run(tmp_path, test)


def test_no_cookie_is_signed_without_the_key(tmp_path: Path) -> None:
    identity = Identity(SqliteStore(tmp_path / "x"), lambda: 0)
    with pytest.raises(RuntimeError):
        identity.cookie(Guest("a", "Ana"), secure=True)


# --- Names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ana", "Žofie O’Brien", "王小明", "A", "x" * 24, "<b>&amp;", "🎲 Bo"])
def test_names_of_all_kinds(name: str) -> None:
    assert checked_name(name) == name


def test_a_name_is_trimmed_and_composed() -> None:
    assert checked_name("  Rene\u0301 ") == "Ren\u00e9"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "a|b",
        'a"b',
        "a\nb",
        "a\x00",
        "a\x7f",
        "\u202eana",
        "a\u200bb",
        "a\u2066b",
        "\ud800",
        "a\u00a0b",
    ],
)
def test_names_that_cannot_stand_in_a_record_or_hide_something(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        checked_name(name)
    assert refusal.value.code == "guest/name"


@pytest.mark.parametrize(
    "name",
    [
        "\u0e2a\u0e21\u0e0a\u0e32\u0e22 \u0e43\u0e08\u0e14\u0e35",  # Thai, with marks above
        "\u0928\u093f\u0936\u093e",  # Devanagari
        "\u05d3\u05b8\u05bc\u05d5\u05b4\u05d3",  # Hebrew with points
        "\u1019\u103c\u1014\u103a\u1019\u102c",  # Burmese
        "\u179f\u17bb\u1781",  # Khmer
        "\ud55c\uc9c0\ubbfc",  # Hangul
        "\u845b\U000e0100\u57ce",  # a Japanese name whose first character has a variant
        "\u1828\u180b\u1820",  # Mongolian
        "N\u0302g\u0303ozi",
        "\u2764\ufe0f",
        "Bo \u2660\ufe0e",
        "1\ufe0f\u20e3",
        "\U0001f3b2",
    ],
)
def test_names_in_any_script_are_taken(name: str) -> None:
    assert checked_name(name) == unicodedata.normalize("NFC", name)


BLANK = ["\u2800", "\U0001d159", "\U00016fe4", "\U00013441", "\U00013442"]
IGNORABLE = [  # what Unicode calls Default_Ignorable_Code_Point
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010)),
    *(*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0),
    *(*range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
]


@pytest.mark.parametrize("name", ["{0}", "{0}{0}", "Ana{0}", "{0}Ana", "An{0}a", "Ana {0}", "1{0}"])
def test_a_name_holds_nothing_that_cannot_be_seen(name: str) -> None:
    for blank in [*BLANK, *map(chr, IGNORABLE)]:
        with pytest.raises(Refusal, match="guest/name"):
            checked_name(name.format(blank))


@pytest.mark.parametrize("name", ["\u0301", "\u0301\u0302", "\u20dd", "\u0903", "\u20e3"])
def test_a_name_is_more_than_marks(name: str) -> None:
    with pytest.raises(Refusal, match="guest/name"):
        checked_name(name)


@given(st.text(max_size=30))
def test_a_name_that_is_taken_can_be_written_down(name: str) -> None:
    try:
        clean = checked_name(name)
    except Refusal:
        return
    text = f'[ForSale "1"]\n[Edition "iello-2020"]\n[Players "{clean}|B|C"]\n[First "A"]\n\n'
    assert record.from_text(text).players[0] == clean
    assert checked_name(clean) == clean


def test_a_new_name_is_kept(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        await office.identity.rename(guest, " Ana ")
        assert await office.known_by(office.cookie(guest)) == Guest(guest.id, "Ana")

    run(tmp_path, test)


# --- Signing out everywhere ----------------------------------------------------------------------------------


def test_signing_out_ends_every_cookie_and_link_so_far(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        ana, bo = await office.identity.newcomer(), await office.identity.newcomer()
        before = [office.cookie(ana), office.cookie(ana, secure=False), office.old_cookie(ana)]
        link, other = await office.identity.link(ana), await office.identity.link(bo)
        for times in (1, 2):
            ana = await office.identity.sign_out(ana)
            assert ana.sign_outs == times
            for cookie in before:
                scheme = "https" if cookie.startswith(HOST_COOKIE) else "http"
                assert await office.known_by(cookie, scheme=scheme) is None
            before.append(office.cookie(ana))
            assert await office.known_by(before[-1]) == ana
        with pytest.raises(Refusal, match="link/expired"):
            await office.identity.redeem(link.secret)
        assert await office.known_by(office.cookie(bo)) == bo
        assert await office.identity.redeem(other.secret) == bo

    run(tmp_path, test)


def test_another_name_signs_nobody_in_again(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        stolen = office.cookie(guest)
        guest = await office.identity.rename(await office.identity.sign_out(guest), "Ana")
        assert await office.known_by(stolen) is None
        assert await office.known_by(office.cookie(guest)) == guest

    run(tmp_path, test)


def test_one_who_was_removed_meanwhile_cannot_sign_out(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        with pytest.raises(Refusal, match="guest/unknown"):
            await office.identity.sign_out(Guest("gone", "Ana"))

    run(tmp_path, test)


# --- Other devices -------------------------------------------------------------------------------------------


def test_a_link_works_once(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        guest = await office.identity.newcomer()
        link = await office.identity.link(guest)
        assert link.expires == office.now + LINK_LIFETIME
        assert await office.identity.redeem(link.secret) == guest
        with pytest.raises(Refusal, match="link/expired"):
            await office.identity.redeem(link.secret)

    run(tmp_path, test)


def test_a_link_works_for_ten_minutes(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        link = await office.identity.link(await office.identity.newcomer())
        office.now += LINK_LIFETIME + 1
        with pytest.raises(Refusal, match="link/expired"):
            await office.identity.redeem(link.secret)

    run(tmp_path, test)


@pytest.mark.parametrize("secret", ["", "x", "\ud800", "é" * 1000])
def test_a_secret_cannot_be_guessed(tmp_path: Path, secret: str) -> None:
    async def test(office: Office) -> None:
        await office.identity.link(await office.identity.newcomer())
        with pytest.raises(Refusal, match="link/expired"):
            await office.identity.redeem(secret)

    run(tmp_path, test)


def test_the_store_has_no_secret_of_a_link(tmp_path: Path) -> None:
    async def test(office: Office) -> None:
        link = await office.identity.link(await office.identity.newcomer())
        await office.store.backup(tmp_path / "copy")
        assert link.secret.encode() not in (tmp_path / "copy").read_bytes()

    run(tmp_path, test)
