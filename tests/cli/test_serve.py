"""`forsale serve`, `backup` and `prune`: a real process on a free port of this machine."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from forsale.server.limits import FRAME
from forsale.server.run import _share_url
from forsale.server.sqlite_store import SqliteStore
from tests.cli.commands import Run

DATABASE = "club.sqlite3"


class Served:
    """A server that runs, and a client with a cookie."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.process = process
        self.said = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)$", self.said.strip())
        assert found, self.said + (process.communicate()[1] if process.poll() is not None else "")
        self.port = int(found[1])
        self.cookie = ""

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Cookie": self.cookie} | ({} if body is None else {"Content-Type": "application/json"})
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        found = answer.status, answer.read()
        connection.close()
        return found

    def table(self, path: str = "/api/tables") -> str:
        self.ask("GET", "/api/me")
        status, body = self.ask("POST", path, {"seats": 3})
        assert status == 201
        return str(json.loads(body)["id"])

    @contextmanager
    def seat(self, table: str) -> Iterator[ClientConnection]:
        url = f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket"
        headers = {"Cookie": self.cookie}
        with connect(url, additional_headers=headers, compression=None, proxy=None) as line:
            line.send('{"type":"hello","version":1}')
            assert json.loads(line.recv(timeout=20))["type"] == "welcome"
            yield line

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Its exit status, and the rest of what it said."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


def last_words(line: ClientConnection) -> tuple[dict[str, Any], int]:
    """The last message of the server, and the number that it closed with."""
    last: dict[str, Any] = {}
    try:
        while True:
            last = json.loads(line.recv(timeout=20))
    except ConnectionClosed as closed:
        return last, closed.rcvd.code if closed.rcvd else 0


@contextmanager
def served(folder: Path, *arguments: str, descriptors: int | None = None) -> Iterator[Served]:
    """`descriptors`: how many files the server may open, if that is to be limited."""
    limited = () if descriptors is None else ("sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh")
    serve = (sys.executable, "-m", "forsale", "serve", "--port", "0", "--db", str(folder / DATABASE))
    process = subprocess.Popen(
        [*limited, *serve, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    try:
        yield Served(process)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_from_the_start_to_the_end(tmp_path: Path, how: signal.Signals) -> None:
    with served(tmp_path) as server:
        assert server.said == f"For Sale is at http://127.0.0.1:{server.port}\n"
        status, page = server.ask("GET", "/")
        assert status == 200
        assert b"<title>For Sale</title>" in page
        assert server.stop(how) == (0, "", "")


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.table("/api/play-now")
        cookie = server.cookie
        with server.seat(table) as line:
            server.process.send_signal(signal.SIGTERM)
            last, number = last_words(line)
        assert (last["type"], last["code"], number) == ("closing", "server/restarting", 1012)
        assert server.stop()[::2] == (0, "")
    with served(tmp_path) as server:
        server.cookie = cookie
        assert json.loads(server.ask("GET", f"/api/tables/{table}")[1])["you"] == 0
        with server.seat(table):
            pass
        assert server.stop() == (0, "", "")


def test_frames_that_are_too_large(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.table()
        for size in (FRAME + 1, 100 * FRAME):
            with server.seat(table) as line:
                line.send("x" * size)
                assert last_words(line)[1] == 1009
        assert server.stop() == (0, "", "")


def test_a_frame_that_is_no_text_is_no_fault_of_ours(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        with server.seat(server.table()) as line:
            line.send(b"\xff\xff", text=True)
            assert last_words(line)[1] == 1007
        assert server.stop() == (0, "", "")


PING, CONTROL_PING = b'\x81\x8f\0\0\0\0{"type":"ping"}', b"\x89\x80\0\0\0\0"


def test_a_flood_of_messages_is_told_why_it_ends(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        with server.seat(server.table()) as line:
            line.socket.sendall(PING * 20_000)
            last, number = last_words(line)
            assert (last["code"], number) == ("message/too-fast", 1008)
        assert server.stop() == (0, "", "")


def test_a_flood_of_pings_is_not_read(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.table()
        with server.seat(table) as flooded:
            flooded.socket.sendall(CONTROL_PING * 100_000)
            with server.seat(table) as line:
                line.send('{"type":"ping"}')
                while json.loads(line.recv(timeout=20))["type"] != "pong":
                    pass
            used = Path(f"/proc/{server.process.pid}/stat")
            ticks = sum(map(int, used.read_text().split()[13:15])) if used.exists() else 0
            assert ticks / os.sysconf("SC_CLK_TCK") < 10, "seconds of a processor"
            flooded.socket.shutdown(socket.SHUT_RDWR)
        assert server.stop() == (0, "", "")


def fragment(first: int, size: int) -> bytes:
    """A masked frame of up to 64 KiB that is not the last of its message."""
    return bytes([first, 0xFE, *size.to_bytes(2)]) + bytes(4) + b"x" * size


TEXT, CONTINUATION = 0x01, 0x00


def test_a_message_in_fragments_has_the_same_limit(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        with server.seat(server.table()) as line:
            line.socket.sendall(fragment(TEXT, 3 * FRAME) + fragment(CONTINUATION, 3 * FRAME))
            assert last_words(line)[1] == 1009
        assert server.stop() == (0, "", "")


def test_a_flood_of_empty_fragments_is_not_read(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.table()
        with server.seat(table) as flooded, server.seat(table) as line:
            flooded.socket.sendall(fragment(TEXT, 0) + fragment(CONTINUATION, 0) * 100_000)
            line.send('{"type":"ping"}')
            while json.loads(line.recv(timeout=20))["type"] != "pong":
                pass
            flooded.socket.shutdown(socket.SHUT_RDWR)
        assert server.stop() == (0, "", "")


def test_a_body_that_is_too_large(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.ask("GET", "/api/me")
        assert server.ask("POST", "/api/tables", "x" * 100_000)[0] == 413
        assert server.ask("GET", "/api/me")[0] == 200
        assert server.stop() == (0, "", "")


def raw(server: Served, *sent: bytes) -> bytes:
    """All that comes back when it was sent, by a client that reads only when it has sent everything."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        for data in sent:
            line.sendall(data)
        found = b""
        while more := line.recv(65536):
            found += more
        return found


REPLAY = b"POST /api/replay HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"


@pytest.mark.parametrize("head", [REPLAY, b"GET /nowhere HTTP/1.1\r\nHost: a\r\n"])
def test_a_large_body_does_not_destroy_the_response(tmp_path: Path, head: bytes) -> None:
    with served(tmp_path) as server:
        size = 20_000_000
        answer = raw(server, head + b"Content-Length: %d\r\n\r\n" % size, b"x" * size)
        assert answer.startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 404 "))
        assert b"\r\nconnection: close\r\n" in answer.lower()
        assert b'"sentence":"' in answer
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/api/replay", b"x" * size, {"Content-Type": "text/plain"})
        response = connection.getresponse()
        assert (response.status, json.loads(response.read())["code"]) == (413, "request/too-large")
        connection.close()
        assert server.stop() == (0, "", "")


def test_a_head_without_an_end_is_answered(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for start in (b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n"):
            more = b"x" * 5_000_000 if start[-1:] != b"\n" else b"x: y\r\n" * 1_000_000
            assert raw(server, start, more).startswith(b"HTTP/1.1 431 ")
        assert raw(server, b"nonsense\r\n\r\n", b"x" * 5_000_000).startswith(b"HTTP/1.1 400 ")
        assert server.stop() == (0, "", "")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_pipelined_requests_do_not_fill_the_memory(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for _ in range(5):
            with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe, whichever is seen first
                raw(server, b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n" * 500_000)
        status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
        assert int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) < 150_000
        assert server.ask("GET", "/healthz")[0] == 200
        assert server.stop() == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
def test_silent_connections_lock_nobody_out(tmp_path: Path) -> None:
    """There are fewer descriptors than silent connections, and bots need some for their processes."""
    with served(tmp_path, descriptors=300) as server, ExitStack() as silent:
        for _ in range(400):
            silent.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))
        url = f"ws://127.0.0.1:{server.port}/api/tables/{server.table('/api/play-now')}/socket"
        with connect(url, additional_headers={"Cookie": server.cookie}, compression=None, proxy=None) as line:
            line.send('{"type":"hello","version":1}')
            for number in range(3):  # in between, the bots make their moves
                while not (legal := (message := json.loads(line.recv(timeout=20))).get("legal")):
                    pass
                seq = message["seq"] if message["type"] == "welcome" else message["happening"]["seq"]
                line.send(json.dumps({"type": "act", "id": str(number), "based_on": seq, "action": legal[0]}))
        numbers = server.ask("GET", "/metrics")[1].decode()
        assert int(re.findall(r"open_connections (\d+)", numbers)[0]) <= 300 - 64
        assert not re.search(r"bot_faults_total [1-9]", numbers)
        assert server.stop()[::2] == (0, "")


def test_refused_handshakes_do_not_fill_the_log(tmp_path: Path) -> None:
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    with served(tmp_path) as server:
        for headers, status in (
            (f"{key}Origin: http://evil.test\r\n", b"403"),
            ("", b"400"),
            (f"{key}X: {'x' * 9000}\r\n", b"431"),
            (f"{key}Content-Length: 0\r\n", b"403"),
        ):
            start = "GET /api/tables/x/socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            origin = "" if "evil" in headers else "Origin: http://other.test\r\n"
            for _ in range(5):
                assert raw(server, f"{start}{headers}{origin}\r\n".encode())[9:12] == status
        assert server.stop() == (0, "", "")


@pytest.mark.parametrize("how", ["option", "environment"])
def test_metrics_with_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setenv("FORSALE_METRICS_TOKEN", "secret" if how == "environment" else "")
    with served(tmp_path, *(("--metrics-token", "secret") if how == "option" else ())) as server:
        for token, status in (("secret", 200), ("wrong", 404), (None, 404)):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            given = {} if token is None else {"Authorization": f"Bearer {token}"}
            connection.request("GET", "/metrics", headers={"X-Forwarded-For": "203.0.113.1"} | given)
            assert connection.getresponse().status == status
            connection.close()
        assert server.stop() == (0, "", "")


def test_the_access_log_is_json_without_paths(tmp_path: Path) -> None:
    with served(tmp_path, "--access-log") as server:
        table = server.table()
        server.ask("GET", f"/t/{table}?secret=1")
        with server.seat(table):
            pass
        _, _, err = server.stop()
        cookie = server.cookie.partition("=")[2]
    lines = [json.loads(line) for line in err.splitlines()]
    assert [line["route"] for line in lines] == ["/api/me", "/api/tables", "/t/{id}"]
    assert all(line["logger"] == "forsale.http" for line in lines)
    assert not any(secret in err for secret in (table, "secret", cookie))


@pytest.mark.parametrize(
    ("proxy", "secure"), [((), True), (("--trusted-proxy", "10.1.2.3", "--trusted-proxy", "10.2.0.0/16"), False)]
)
def test_headers_of_a_proxy_are_believed_if_it_is_trusted(tmp_path: Path, proxy: tuple[str, ...], secure: bool) -> None:
    with served(tmp_path, *proxy) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", "/api/me", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.1"})
        cookie = connection.getresponse().getheader("Set-Cookie")
        connection.close()
        assert cookie is not None
        assert cookie.endswith("; Secure") == secure


def test_the_public_url_is_what_is_shared() -> None:
    process = subprocess.run(
        [sys.executable, "-c", SHOW, "https://forsale.example.org"], capture_output=True, text=True, check=True
    )
    assert process.stdout == "For Sale is at https://forsale.example.org\n"


SHOW = "import sys; from forsale.cli.serve import _show; _show(sys.argv[1], 'club.sqlite3')"


def shown_in_a_terminal(url: str) -> str:
    import pty

    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", SHOW, url], stdout=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert shown.startswith(f"For Sale is at {url}\r\n")
    assert shown.endswith("Everything is kept in club.sqlite3. Ctrl+C stops the server; nothing is lost.\r\n")
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of POSIX")
@pytest.mark.parametrize("url", ["https://forsale.example.org", "http://192.168.1.7:8000"])
def test_a_terminal_shows_a_code(url: str) -> None:
    shown = shown_in_a_terminal(url)
    assert "█" in shown or "▄" in shown
    assert "the camera of a phone" in shown


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of POSIX")
@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost"])
def test_a_code_of_an_address_that_no_phone_can_reach_is_not_shown(url: str) -> None:
    shown = shown_in_a_terminal(url)
    assert "▄" not in shown
    assert "on this machine. With --host 0.0.0.0 others in your network can come too." in shown


@pytest.mark.parametrize(
    ("host", "port", "url"),
    [
        ("127.0.0.1", 8000, "http://127.0.0.1:8000"),
        ("localhost", 80, "http://localhost"),
        ("::1", 8000, "http://[::1]:8000"),
    ],
)
def test_the_address_to_share(host: str, port: int, url: str) -> None:
    assert _share_url(host, port) == url


def test_where_all_addresses_are_listened_to_a_real_one_is_shown() -> None:
    assert re.fullmatch(r"http://(?!0\.0\.0\.0)[0-9.]+:8000", _share_url("0.0.0.0", 8000))
    assert _share_url("::", 8000) == _share_url("0.0.0.0", 8000)


# --- What cannot be served -----------------------------------------------------------------------------------


def test_a_port_that_is_taken(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run("serve", "--port", port, "--db", tmp_path / DATABASE).assert_refused(f"port {port}", "in use")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--host", "no such host"), "cannot listen on no such host"),
        (("--host", "192.0.2.1"), "cannot listen on 192.0.2.1"),
        (("--port", "70000"), "--port"),
        (("--port", "x"), "--port"),
        (("--public-url", "forsale.example.org"), "--public-url"),
        (("--trusted-proxy", "proxy.example.org"), "--trusted-proxy"),
        (("--trusted-proxy", "10.0.0.1/8"), "--trusted-proxy"),
        (("--max-sockets", "0"), "--max-sockets"),
    ],
)
def test_what_cannot_be_served(run: Run, tmp_path: Path, arguments: tuple[str, ...], word: str) -> None:
    run("serve", "--port", "0", "--db", tmp_path / DATABASE, *arguments).assert_refused(word)
    assert not (tmp_path / DATABASE).exists()


def test_a_database_that_is_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("no database " * 100)
    run("serve", "--port", "0", "--db", tmp_path / "bad").assert_refused("bad: it is not a database")
    run("serve", "--port", "0", "--db", tmp_path / "nowhere" / "x").assert_refused("there is no folder")
    run("serve", "--port", "0", "--db", tmp_path).assert_refused("it is a folder")


def test_two_servers_with_one_database(run: Run, tmp_path: Path) -> None:
    with served(tmp_path):
        run("serve", "--port", "0", "--db", tmp_path / DATABASE).assert_refused("another server is using it")


# --- Backup and prune ----------------------------------------------------------------------------------------


def test_a_backup_while_the_server_runs_can_be_served(run: Run, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    with served(tmp_path) as server:
        table = server.table()
        copied = run("backup", tmp_path / "copy" / DATABASE, "--db", tmp_path / DATABASE)
        assert copied == (0, f"{tmp_path / DATABASE} is copied to {tmp_path / 'copy' / DATABASE}.\n", "")
        cookie = server.cookie
    with served(tmp_path / "copy") as server:
        server.cookie = cookie
        assert json.loads(server.ask("GET", f"/api/tables/{table}")[1])["you"] == 0


def test_nothing_to_back_up(run: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy", "--db", tmp_path / DATABASE).assert_refused("there is no such file")
    run("prune", "--db", tmp_path / DATABASE).assert_refused("there is no such file")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    asyncio.run(opened_once(tmp_path / DATABASE))
    run("backup", tmp_path / "nowhere" / "copy", "--db", tmp_path / DATABASE).assert_refused("nowhere")


async def opened_once(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.close()


def test_prune(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def removed(what: str) -> str:
        return f"Removed {what} from {tmp_path / DATABASE}.\n"

    with served(tmp_path) as server:
        server.table()
        for _ in range(2):
            server.ask("POST", "/api/me/link")
        run("prune", "--db", tmp_path / DATABASE).assert_refused("another server is using it")
        server.stop()
    assert run("prune", "--db", tmp_path / DATABASE).out == removed("0 tables, 0 guests and 0 links")
    later = time.time_ns() + 31 * 24 * 60 * 60 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: later)
    assert run("prune", "--db", tmp_path / DATABASE).out == removed("1 table, 1 guest and 2 links")
    assert run("prune", "--db", tmp_path / DATABASE).out == removed("0 tables, 0 guests and 0 links")


# --- How light -----------------------------------------------------------------------------------------------


def test_nothing_heavy_is_loaded() -> None:
    heavy = ("numba", "numpy", "torch", "uvicorn", "starlette")
    code = f"import sys, forsale.cli; print([name for name in {heavy!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "uvicorn" not in loaded
    assert "starlette" not in loaded
    code = f"import sys, forsale.server.run; print([name for name in {heavy!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "['uvicorn', 'starlette']"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_little_memory_when_idle(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.ask("GET", "/")
        status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
        used = int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])
        assert used < 100_000
