"""What is answered over and over, or is large."""

import gzip

import pytest
from starlette.requests import Request

from forsale.server.content import Content, packed, takes_gzip

LONG = b"For Sale, For Sale, For Sale. " * 50
PAGE = Content.of(LONG, "text/html")


def asking(**headers: str) -> Request:
    found = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "headers": found})


@pytest.mark.parametrize("accepted", ["gzip", "deflate, gzip, br", "GZip;q=0.1", "gzip ; q=1.0", "br;q=0, gzip"])
def test_who_takes_gzip(accepted: str) -> None:
    assert takes_gzip(asking(accept_encoding=accepted))


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip; q=0.000", "x-gzip", "*", "gzip2"])
def test_who_does_not(accepted: str) -> None:
    assert not takes_gzip(asking(accept_encoding=accepted))
    assert not takes_gzip(asking())


def test_the_same_bytes_give_the_same() -> None:
    assert Content.of(LONG, "text/html") == PAGE
    assert PAGE.small is not None
    assert gzip.decompress(PAGE.small) == LONG
    assert PAGE.small[4:8] == bytes(4), "no time of day"
    assert Content.of(LONG + b"!", "text/html").tag != PAGE.tag


def test_what_gzip_makes_larger_is_left_as_it_is() -> None:
    assert Content.of(b"x", "text/plain").small is None
    answer = Content.of(b"x", "text/plain").answer(asking(accept_encoding="gzip"))
    assert answer.body == b"x"


@pytest.mark.parametrize("known", [PAGE.tag, PAGE.tag[2:], f'"x", {PAGE.tag}', f'W/"x",{PAGE.tag},"y"', " * "])
def test_who_has_it_gets_nothing(known: str) -> None:
    for encoding in ("gzip", ""):
        answer = PAGE.answer(asking(if_none_match=known, accept_encoding=encoding))
        assert (answer.status_code, answer.body) == (304, b"")
        assert answer.headers["etag"] == PAGE.tag
        assert "content-type" not in answer.headers


@pytest.mark.parametrize("known", ["", '"x"', PAGE.tag[3:-1], f"{PAGE.tag[:-2]}", f'"x{PAGE.tag[3:]}'])
def test_who_has_another_gets_it(known: str) -> None:
    answer = PAGE.answer(asking(if_none_match=known))
    assert (answer.status_code, answer.body) == (200, LONG)


@pytest.mark.parametrize(("encoding", "body"), [("gzip", gzip.compress(LONG, mtime=0)), ("br", LONG)])
def test_what_is_made_for_one_request(encoding: str, body: bytes) -> None:
    answer = packed(LONG, "text/plain", asking(accept_encoding=encoding))
    assert answer.body == body
    assert answer.headers.get("content-encoding") == ("gzip" if encoding == "gzip" else None)
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "etag" not in answer.headers
