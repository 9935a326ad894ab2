"""The browser client as the server hands it out."""

import gzip
from pathlib import Path

import pytest

from forsale.server import web_client
from forsale.server.routes import ROUTES
from forsale.server.web_client import FOR_EVER, Files
from tests.server.asgi import Answer, House, run
from tests.server.test_guard import check_headers

INDEX = b"<!doctype html><title>For Sale</title>" + b"<p>the client</p>" * 20
SCRIPT = b"export const answer = 42;\n" * 20
PICTURE = b"\x89PNG"
BUILD = {
    "index.html": INDEX,
    "icon.svg": b"<svg/>",
    "manifest.webmanifest": b"{}",
    "apple-touch-icon.png": PICTURE,
    "assets/index-1a2B_-3.js": SCRIPT,
    "assets/index-4d.css": b"p{}",
    "assets/font-5e.woff2": b"wOF2",
    "assets/words-6f.json": b"{}",
    "assets/secret.bin": b"of no known kind",
    "notes": b"of no kind at all",
}
PAGES = ["/", "/t/x3k9mn2pq4r", "/t/nosuchtable", "/g/x3k9mn2pq4r", "/g", "/new", "/learn", "/settings", "/link"]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    for name, body in BUILD.items():
        path = tmp_path / "dist" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return web_client.read(tmp_path / "dist")


def is_index(answer: Answer, status: int = 200) -> bool:
    check_headers(answer)
    return (
        answer.status == status
        and answer.headers["content-type"] == "text/html; charset=utf-8"
        and answer.headers["cache-control"] == "no-cache"
        and answer.body == INDEX
    )


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_the_client(tmp_path: Path, files: Files, path: str) -> None:
    async def test(house: House) -> None:
        assert is_index(await house.visitor().get(path))
        assert is_index(await house.visitor().get(path, accept="text/html"))

    run(House(tmp_path, client=files), test)


def test_all_pages_are_tried_here() -> None:
    served = {route.path for route in ROUTES if route.media.startswith("text/html;") and "," not in route.media}
    assert served - {"/api"} == {path.replace("x3k9mn2pq4r", "{id}") for path in PAGES if "nosuch" not in path}


@pytest.mark.parametrize("path", ["/nowhere", "/t", "/t/a/b", "/t/", "//", "/assets/none-1.js", "/secret.bin"])
def test_where_nothing_is_the_client_says_so(tmp_path: Path, files: Files, path: str) -> None:
    async def test(house: House) -> None:
        assert is_index(await house.visitor().get(path, accept="text/html,*/*"), 404)
        (await house.visitor().get(path, accept="*/*")).refused(404, "request/unknown")

    run(House(tmp_path, client=files), test)


@pytest.mark.parametrize("path", ["/t/a b", "/g/é", f"/t/{'a' * 65}"])
def test_a_table_that_there_cannot_be(tmp_path: Path, files: Files, path: str) -> None:
    async def test(house: House) -> None:
        assert is_index(await house.visitor().get(path, accept="text/html,*/*"), 404)
        (await house.visitor().get(path, accept="*/*")).refused(404, "table/unknown")

    run(House(tmp_path, client=files), test)


@pytest.mark.parametrize(
    ("path", "media", "cache"),
    [
        ("icon.svg", "image/svg+xml", "no-cache"),
        ("manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("apple-touch-icon.png", "image/png", "no-cache"),
        ("index.html", "text/html; charset=utf-8", "no-cache"),
        ("assets/index-1a2B_-3.js", "text/javascript; charset=utf-8", FOR_EVER),
        ("assets/index-4d.css", "text/css; charset=utf-8", FOR_EVER),
        ("assets/font-5e.woff2", "font/woff2", FOR_EVER),
        ("assets/words-6f.json", "application/json", FOR_EVER),
    ],
)
def test_files(tmp_path: Path, files: Files, path: str, media: str, cache: str) -> None:
    async def test(house: House) -> None:
        answer = await house.visitor().get(f"/{path}")
        check_headers(answer)
        assert (answer.status, answer.body) == (200, BUILD[path])
        assert answer.headers["content-type"] == media
        assert answer.headers["cache-control"] == cache
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "content-encoding" not in answer.headers

    run(House(tmp_path, client=files), test)


@pytest.mark.parametrize("path", ["/assets/secret.bin", "/notes", "/assets/..%2findex.html", "/assets/../index.html"])
def test_nothing_else_is_served(tmp_path: Path, files: Files, path: str) -> None:
    async def test(house: House) -> None:
        (await house.visitor().get(path)).refused(404, "request/unknown")

    run(House(tmp_path, client=files), test)


def test_small_for_those_who_take_gzip(tmp_path: Path, files: Files) -> None:
    async def test(house: House) -> None:
        script = await house.visitor().get("/assets/index-1a2B_-3.js", accept_encoding="br, GZIP;q=0.5")
        assert script.headers["content-encoding"] == "gzip"
        assert script.headers["content-length"] == str(len(script.body))
        assert gzip.decompress(script.body) == SCRIPT
        picture = await house.visitor().get("/apple-touch-icon.png", accept_encoding="gzip")
        assert "content-encoding" not in picture.headers, "it would only be larger"
        assert picture.body == PICTURE

    run(House(tmp_path, client=files), test)


def test_who_has_a_file_is_not_sent_it_again(tmp_path: Path, files: Files) -> None:
    async def test(house: House) -> None:
        first = await house.visitor().get("/learn")
        again = await house.visitor().get("/settings", if_none_match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        lost = await house.visitor().get("/a/b", accept="text/html", if_none_match=first.headers["etag"])
        assert is_index(lost, 404), "that nothing is there is always said"

    run(House(tmp_path, client=files), test)


@pytest.mark.parametrize("path", PAGES)
def test_without_a_build_a_page_says_how_to_build(tmp_path: Path, path: str) -> None:
    async def test(house: House) -> None:
        page = await house.visitor().get(path)
        check_headers(page)
        assert page.status == 200
        assert "<h1>For Sale</h1>" in page.text
        assert "<code>make play</code> builds it" in page.text
        (await house.visitor().get("/index.html")).refused(404, "request/unknown")

    run(House(tmp_path), test)


# --- Where it is found ---------------------------------------------------------------------------------------


@pytest.fixture
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the package lies in: of a checkout."""
    source = tmp_path / "src"
    (source / "forsale/server").mkdir(parents=True)
    monkeypatch.setattr(web_client, "__file__", str(source / "forsale/server/web_client.py"))
    return source


def write(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(str(folder).encode())


def found() -> Files:
    return web_client.built.__wrapped__()


def test_it_is_found_where_vite_puts_it(somewhere: Path) -> None:
    assert found() == {}
    write(somewhere.parent / "web/dist", "index.html", "icon.svg")
    assert set(found()) == {"index.html", "icon.svg"}


def test_it_is_found_in_the_installed_package(somewhere: Path) -> None:
    write(somewhere / "forsale/server/web", "index.html")
    write(somewhere.parent / "web/dist", "index.html")
    assert found()["index.html"].body == str(somewhere / "forsale/server/web").encode()


def test_an_installed_package_looks_nowhere_else(somewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site_packages = somewhere.rename(somewhere.with_name("site-packages"))
    monkeypatch.setattr(web_client, "__file__", str(site_packages / "forsale/server/web_client.py"))
    write(site_packages.parent / "web/dist", "index.html")
    assert found() == {}


def test_half_a_build_is_none(somewhere: Path) -> None:
    write(somewhere.parent / "web/dist", "icon.svg")
    assert found() == {}
