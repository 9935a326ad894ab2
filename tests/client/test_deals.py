"""Seeds of the client: given after the commitment is known, remembered, and checked after the game."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http.client import HTTPMessage
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec import Struct

from forsale import editions, game, record, shuffle
from forsale.client import Client, ClientError, DealError, Options, Refused
from forsale.client.deals import Contribution, check_deal, new_seed
from forsale.client.http import Http, refusal
from forsale.game import Dealt
from forsale.record import Record
from forsale.server.protocol import JoinBody
from tests.server.asgi import House, Visitor, run

# --- Checking a deal ------------------------------------------------------------------------------------------

EDITION = editions.load("iello-2020")
SECRET = bytes(range(32))
SEEDS = ("of Ana", "", "of Cy")
OWN = Contribution(shuffle.commitment(SECRET), "of Ana")


def played(seeds: tuple[str, ...] = SEEDS, dealt_with: tuple[str, ...] | None = None) -> game.State:
    """A whole game."""
    fair = shuffle.fair_deal(EDITION, 3, SECRET, seeds if dealt_with is None else dealt_with)
    state, rng = game.new_game(EDITION, 3, fair.decks, fair.first), Random(1)
    while state.to_act:
        seat = min(state.to_act)
        state, _ = game.apply(state, seat, rng.choice(game.legal_actions(state, seat)))
    return state


def written(state: game.State, seeds: tuple[str, ...] = SEEDS, **tags: str) -> Record:
    opened = {"Commitment": OWN.commitment, "Secret": SECRET.hex(), "Seeds": "|".join(seeds)}
    return record.from_position(state, ["Ana", "Bo", "Cy"], opened | tags)


def test_a_deal_with_the_own_seed_is_fair() -> None:
    end = played()
    proved = check_deal(OWN, 0, written(end), end.history)
    assert proved == "fair: the cards follow from the secret committed to before you gave your seed, and from your seed"
    assert check_deal(OWN, 0, written(end), ()) == proved


@pytest.mark.parametrize(
    ("seeds", "whose"),
    [(SEEDS, "from seeds of other players"), (("", "", ""), "from no player's seed")],
)
def test_without_the_own_seed_it_is_as_committed(seeds: tuple[str, ...], whose: str) -> None:
    end = played(seeds)
    proved = check_deal(replace(OWN, seed=""), 1, written(end, seeds), end.history)
    assert proved == f"as committed: the cards follow from the secret committed to before the game, and {whose}"


def deal_error(own: Contribution, seat: int, of: Record, seen: tuple[game.Event, ...] = ()) -> str:
    with pytest.raises(DealError) as caught:
        check_deal(own, seat, of, seen)
    return str(caught.value)


def test_another_commitment_is_told() -> None:
    end = played()
    problem = "the commitment is not the one that was published when you sat down"
    assert deal_error(replace(OWN, commitment="00" * 32), 0, written(end)) == problem
    other = shuffle.commitment(bytes(32))
    assert deal_error(OWN, 0, written(end, Commitment=other, Secret=bytes(32).hex())) == problem


def test_a_seed_that_was_not_used_is_told() -> None:
    problem = "the deal was not made with the seed that you gave"
    assert deal_error(replace(OWN, seed="another"), 0, written(played())) == problem
    assert deal_error(OWN, 1, written(played())) == problem
    assert deal_error(OWN, 2, written(played(), ("of Ana",))) == problem
    assert "but the deal says" in deal_error(OWN, 0, written(played(dealt_with=("", "", "of Cy"))))


def test_another_secret_is_told() -> None:
    wrong = written(played(), Secret=bytes(32).hex())
    assert deal_error(OWN, 0, wrong) == "the secret is not the one that was committed to before the game"
    assert deal_error(OWN, 0, written(played(), Secret="?")).startswith("expected a secret of 64 hexadecimal digits")


def test_a_record_that_breaks_a_rule_is_told() -> None:
    of = written(played())
    short = replace(of, lines=(of.lines[0], *of.lines[2:]))
    assert deal_error(OWN, 0, short).startswith("the record of the game breaks a rule: line ")


@pytest.mark.parametrize(("phase", "what"), [(game.BUYING, "auction"), (game.SELLING, "sale")])
def test_cards_that_were_shown_and_are_not_in_the_record_are_told(phase: game.Phase, what: str) -> None:
    end = played()
    first = next(event for event in end.history if isinstance(event, Dealt) and event.phase is phase)
    shown = replace(first, market=tuple(card + 100 for card in first.market))
    problem = f"{what} 1 showed you other cards than the record says"
    assert deal_error(OWN, 0, written(end), (*end.history, shown)) == problem


def test_a_game_that_goes_on_has_not_told_its_secret() -> None:
    of = written(played())
    hidden = replace(of, tags=tuple((name, value) for name, value in of.tags if name != "Secret"))
    with pytest.raises(ClientError, match="^the game is not over") as caught:
        check_deal(OWN, 0, hidden, ())
    assert not isinstance(caught.value, DealError)


def test_a_new_seed_is_long_and_fits_a_record() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    for seed in seeds:
        assert len(seed) == 26
        assert set(seed) <= set("abcdefghijklmnopqrstuvwxyz234567")
        shuffle.check_seed(seed)


# --- Giving a seed --------------------------------------------------------------------------------------------


class AppHttp(Http):
    """Requests to an app in this process, noted; the answer to some of them gets lost."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__("http://forsale.test")
        self._visitor = visitor
        self.asked: list[str] = []
        self.seeds: list[str] = []
        self.lose: str | None = None

    async def ask_bytes(self, method: str, path: str, body: Struct | None = None) -> bytes:
        what = f"{method} {path.rpartition('/')[2] if method == 'POST' else 'info'}"
        self.asked.append(what)
        if isinstance(body, JoinBody):
            self.seeds.append(body.seed)
        sent = None if body is None else msgspec.to_builtins(body)
        answer = await self._visitor.ask(method, path, sent)
        if what == self.lose:
            self.lose = None
            raise ClientError("the answer got lost")
        if answer.status >= 300:
            raise refusal(what, answer.status, answer.body)
        return answer.body


class Guest:
    """A client of an app in this process."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.http = AppHttp(visitor)
        self.client = Client("http://forsale.test")
        self.client._http = self.http

    @property
    def seeds(self) -> list[str]:
        """Those that were sent."""
        return self.http.seeds


Test = Callable[[House, Guest, Guest], Awaitable[None]]


def with_guests(tmp_path: Path, test: Test) -> None:
    async def work(house: House) -> None:
        await test(house, Guest(await house.guest("Ana")), Guest(await house.guest("Bo")))

    run(House(tmp_path), work)


async def play_out(house: House, guest: Guest, table: str) -> None:
    line = await guest.visitor.seat(table)
    await line.play_out(lambda: house.wait(1))
    await line.hang_up()


def test_play_now_is_fair(tmp_path: Path) -> None:
    async def test(house: House, ana: Guest, bo: Guest) -> None:
        table = (await ana.client.play_now(Options(seats=3))).id
        assert ana.http.asked == ["POST tables", "GET info", "POST join", "POST start"]
        assert ana.seeds == [ana.client.seed_of(table)]
        assert len(ana.seeds[0]) == 26
        with pytest.raises(ClientError, match="^the game is not over"):
            await ana.client.check_deal(table)
        await play_out(house, ana, table)
        assert (await ana.client.check_deal(table)).startswith("fair: ")
        assert (await ana.client.table(table)).seeds == (ana.seeds[0], "", "")
        problem = f"^the deal cannot be checked: this client was not at table {table} before the game$"
        with pytest.raises(ClientError, match=problem):
            await bo.client.check_deal(table)

    with_guests(tmp_path, test)


def test_who_gives_no_seed_has_a_deal_as_committed(tmp_path: Path) -> None:
    async def test(house: House, ana: Guest, _: Guest) -> None:
        table = (await ana.client.play_now(Options(seats=3), seed="")).id
        assert ana.client.seed_of(table) == ""
        await play_out(house, ana, table)
        assert (await ana.client.check_deal(table)).startswith("as committed: ")

    with_guests(tmp_path, test)


def test_the_server_that_ignores_a_seed_is_found_out(tmp_path: Path) -> None:
    async def test(house: House, ana: Guest, _: Guest) -> None:
        table = (await ana.client.play_now(Options(seats=3))).id
        await play_out(house, ana, table)
        ana.client._contributions[table] = replace(ana.client._contributions[table], seed="mine")
        with pytest.raises(DealError, match="^the deal was not made with the seed that you gave$"):
            await ana.client.check_deal(table)

    with_guests(tmp_path, test)


def test_a_seed_is_kept_for_the_table(tmp_path: Path) -> None:
    async def test(_: House, ana: Guest, bo: Guest) -> None:
        table = (await ana.client.create(Options(seats=3))).id
        await bo.client.join(table)
        await bo.client.join(table)
        assert bo.seeds[0] == bo.seeds[1] == bo.client.seed_of(table)
        await bo.client.join(table, "mine")
        await bo.client.join(table)
        await bo.client.join(table, "")  # what was given before stays
        assert bo.seeds[2:] == ["mine", "mine", ""]
        assert bo.client.seed_of(table) == "mine"
        await bo.client.leave(table)
        assert bo.client.seed_of(table) == ""
        await bo.client.join(table)
        assert bo.client.seed_of(table) == bo.seeds[-1] not in (*bo.seeds[:-1], "")
        await ana.client.start(table)
        assert (await bo.client.join(table)).you == 1
        assert bo.seeds[-1] == "", "it is too late for a seed"
        assert bo.client.seed_of(table) == bo.seeds[-2]

    with_guests(tmp_path, test)


def test_a_seed_whose_answer_was_lost_is_sent_again(tmp_path: Path) -> None:
    async def test(_: House, ana: Guest, bo: Guest) -> None:
        table = (await ana.client.create(Options(seats=3))).id
        bo.http.lose = "POST join"
        with pytest.raises(ClientError, match="^the answer got lost$"):
            await bo.client.join(table)
        await bo.client.join(table)
        assert bo.seeds[0] == bo.seeds[1]

    with_guests(tmp_path, test)


def test_a_seed_that_was_refused_is_forgotten(tmp_path: Path) -> None:
    async def test(_: House, ana: Guest, bo: Guest) -> None:
        table = (await ana.client.create(Options(seats=3))).id
        with pytest.raises(Refused, match="^request/bad: "):
            await bo.client.join(table, "x" * 65)
        assert bo.client.seed_of(table) == ""
        await bo.client.join(table, "x" * 64)
        with pytest.raises(Refused, match="^request/bad: "):
            await bo.client.join(table, "a|b")
        assert bo.client.seed_of(table) == "x" * 64

    with_guests(tmp_path, test)


def test_a_late_spectator_cannot_check_a_deal(tmp_path: Path) -> None:
    async def test(_: House, ana: Guest, bo: Guest) -> None:
        table = (await ana.client.play_now(Options(seats=3))).id
        with pytest.raises(Refused, match="^table/started: "):
            await bo.client.join(table)
        with pytest.raises(ClientError, match="^the deal cannot be checked"):
            await bo.client.check_deal(table)
        bo.client._contributions[table] = ana.client._contributions[table]
        with pytest.raises(ClientError, match=f"^you have no seat at table {table}$"):
            await bo.client.check_deal(table)

    with_guests(tmp_path, test)


def test_a_rematch_has_seeds_too(tmp_path: Path) -> None:
    async def test(house: House, ana: Guest, bo: Guest) -> None:
        first = (await ana.client.create(Options(seats=3))).id
        await bo.client.join(first)
        await ana.client.start(first)
        playing = [asyncio.create_task(play_out(house, guest, first)) for guest in (ana, bo)]
        await asyncio.gather(*playing)
        again = (await ana.client.rematch(first)).id
        assert (await bo.client.rematch(first, "of Bo")).id == again
        assert ana.client.seed_of(again) != ana.client.seed_of(first)
        assert bo.client.seed_of(again) == "of Bo"
        await bo.client.leave(again)
        await bo.client.rematch(first)
        assert bo.client.seed_of(again) == "", "they have given up their seat there"
        await ana.client.start(again)
        await ana.client.rematch(first)
        assert ana.seeds[-1] == ""

    with_guests(tmp_path, test)


@pytest.mark.parametrize("code", ["table/started", "seat/none-free"])
def test_a_rematch_may_begin_meanwhile(tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def begun(*_: object) -> None:
        raise Refused(code, "No.")

    async def test(house: House, ana: Guest, _: Guest) -> None:
        first = (await ana.client.play_now(Options(seats=3))).id
        await play_out(house, ana, first)
        monkeypatch.setattr(ana.client, "join", begun)
        if code == "table/started":
            assert (await ana.client.rematch(first)).id == (await ana.client.table(first)).rematch
        else:
            with pytest.raises(Refused, match=f"^{code}: "):
                await ana.client.rematch(first)

    with_guests(tmp_path, test)


# --- Who the client is ----------------------------------------------------------------------------------------


def test_the_cookie_is_kept_and_sent_under_both_names() -> None:
    http = Http("http://forsale.test")
    assert http.headers == {}
    for header in ("other=1", "__Host-forsale_guest=first; Path=/; Secure", "forsale_guest=; Max-Age=0"):
        http._keep_cookie(set_cookie(header))
    assert http.cookie == "first"
    assert http.headers == {"Cookie": "__Host-forsale_guest=first; forsale_guest=first"}
    http._keep_cookie(set_cookie("forsale_guest=second; Path=/"))
    assert http.cookie == "second"


def set_cookie(value: str) -> HTTPMessage:
    headers = HTTPMessage()
    headers["Set-Cookie"] = value
    return headers


def test_signing_out_everywhere_keeps_this_client_signed_in(tmp_path: Path) -> None:
    async def test(_: House, ana: Guest, __: Guest) -> None:
        before = ana.visitor.cookie
        assert (await ana.client.sign_out_everywhere()).name == "Ana"
        assert ana.client.me.name == "Ana"
        assert ana.visitor.cookie != before
        await ana.client.games()
        ana.visitor.cookie = before
        with pytest.raises(Refused, match="^guest/unknown: "):
            await ana.client.games()

    with_guests(tmp_path, test)
