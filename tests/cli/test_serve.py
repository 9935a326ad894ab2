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
from contextlib import contextmanager
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
def served(folder: Path, *arguments: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, "-m", "forsale", "serve", "--port", "0", "--db", str(folder / DATABASE), *arguments],
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


def test_a_body_that_is_too_large(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.ask("GET", "/api/me")
        assert server.ask("POST", "/api/tables", "x" * 100_000)[0] == 413
        assert server.ask("GET", "/api/me")[0] == 200
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
