"""Replays: what they tell, and what not, of every golden record; and what is asked for them over HTTP."""

import gzip
from pathlib import Path

import msgspec
import pytest

from forsale import record, view
from forsale.game import SELLING, HouseChosen, Sell, seat_letter
from forsale.record import MAX_BYTES
from forsale.server import replays
from forsale.server.limits import BODY, Limits, Rate
from forsale.server.protocol import Me, Moment, Replay, TableCreated
from forsale.server.refusal import Refusal
from forsale.server.reply import encode
from forsale.server.wire import action_to_wire, event_to_wire, position_of
from tests.games import COMBOS, Combo, marked
from tests.make_golden import path_of
from tests.server.asgi import Answer, House, Visitor, run
from tests.server.test_app import finished

HEAD = '[ForSale "1"]\n[Edition "iello-2020"]\n[Players "Ana|Bo|Cy"]\n[First "A"]\n\n'
AUCTION = "B1 8 20 28 : A1 B2 C5 A6 B- C- | A28@6 B8@1 C20@3\n"


def golden(combo: Combo) -> record.Record:
    return record.from_bytes(path_of(combo).read_bytes())


def text_of(combo: Combo) -> str:
    return path_of(combo).read_text(encoding="utf-8")


# --- What they tell ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_an_open_replay_tells_all_that_was_played(combo: Combo) -> None:
    written = golden(combo)
    played = record.replay(written)
    found = replays.replay_of(written, None)
    assert found.tags == dict(written.tags)
    assert list(found.tags) == [name for name, _ in written.tags]
    assert (found.players, found.rules, found.seat) == (written.players, played.state.rules, None)
    assert [moment.number for moment in found.moments] == list(range(len(played.moments)))
    for moment, engine in zip(found.moments, played.moments, strict=True):
        assert moment.position == position_of(view.of(engine.state, None, tracker=True))
        assert (moment.position.coins, moment.position.hands) == (engine.state.coins, engine.state.hands)
        assert moment.position.cheques == engine.state.cheques
        assert moment.events == tuple(map(event_to_wire, engine.events))
        assert moment.choices == engine.state.choices
        assert moment.seat == engine.seat
        assert moment.action == (None if engine.action is None else action_to_wire(engine.action))


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_seat_sees_what_it_saw(combo: Combo) -> None:
    written = golden(combo)
    played = record.replay(written)
    for seat in range(combo.seats):
        found = replays.replay_of(written, seat_letter(seat))
        assert found.seat == seat
        for moment, engine in zip(found.moments, played.moments, strict=True):
            seen = view.of(engine.state, seat)
            assert moment.position == position_of(seen)
            assert moment.events == tuple(map(event_to_wire, view.redact(engine.events, seat)))
            assert moment.choices[seat] == seen.choice
            others = [choice for other, choice in enumerate(moment.choices) if other != seat]
            assert others == [None] * (combo.seats - 1)
            is_secret = isinstance(engine.action, Sell) and engine.seat != seat
            assert (moment.action is None) == (is_secret or engine.seat is None)


@pytest.mark.parametrize("combo", COMBOS[:2], ids=str)
def test_what_a_seat_may_not_know_is_nowhere_in_its_replay(combo: Combo) -> None:
    """Two games that differ only in what others chose look the same until the reveal."""
    written = golden(combo)
    moments = record.replay(written).moments
    at = next(n for n, moment in enumerate(moments) if moment.state.phase is SELLING and any(moment.state.choices))
    before = moments[at - 1].state
    chooser = moments[at].seat
    assert chooser is not None
    watcher = seat_letter((chooser + 1) % combo.seats)
    cut = record.from_position(before, written.players).to_text().rstrip("\n")
    first, second = (
        replays.replay_of(record.from_text(f"{cut} {seat_letter(chooser)}{house}"), watcher)
        for house in before.hands[chooser][:2]
    )
    assert first == second
    assert first.moments[-1].position.has_chosen[chooser]


def test_the_deal_comes_first() -> None:
    deal = replays.replay_of(golden(COMBOS[0]), None).moments[0]
    assert (deal.number, deal.seat, deal.action) == (0, None, None)
    assert [type(event).__name__ for event in deal.events] == ["Dealt"]


def moments_of(text: str, letter: str | None = None) -> tuple[Moment, ...]:
    return replays.replay_of(replays.read(text.encode()), letter).moments


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_record_that_stops_is_replayed_as_far_as_it_goes(combo: Combo) -> None:
    rows = [row for row in text_of(combo).splitlines() if not row.startswith("[Score ")]
    whole = moments_of(text_of(combo))
    for length in range(rows.index("") + 1, len(rows)):
        moments = moments_of("\n".join(rows[:length]) + "\n")
        assert [moment.seat for moment in moments] == [moment.seat for moment in whole[: len(moments)]]
        assert moments[-1].position.outcome is None
    market, _, actions = rows[rows.index("") + 1].partition(" : ")
    deal, action = moments_of("\n".join([*rows[: rows.index("") + 1], f"{market} : {actions.split()[0]}"]))
    assert (deal.events, action.events) == (whole[0].events, whole[1].events)


def test_a_record_without_a_line() -> None:
    (deal,) = moments_of(HEAD)
    assert (deal.events, deal.position.market, deal.position.to_act) == ((), (), ())


def test_choices_that_a_record_does_not_tell() -> None:
    combo = Combo("iello-2020", 3, None)
    auctions = "".join(row for row in text_of(combo).splitlines(keepends=True) if row[0] in "[B\n")
    head, _, lines = auctions.replace(auctions[auctions.index("[Score") : auctions.index("\n\n") + 1], "").partition(
        "\n\n"
    )
    state = moments_of(f"{head}\n\n{lines}")[-1].position
    sold = state.hands[1]
    assert sold is not None
    sale = next(row for row in text_of(combo).splitlines() if row.startswith("S1")).partition(" : ")[0]
    text = f"{head}\n\n{lines}{sale} : A? B{sold[0]}"
    for letter in (None, "A", "B", "C"):
        *_, hidden, known = moments_of(text, letter)
        assert (hidden.seat, hidden.action, hidden.events) == (0, None, (event_to_wire(HouseChosen(0, None)),))
        assert (hidden.position.has_chosen, hidden.position.to_act) == ((True, False, False), (1, 2))
        assert (known.position.has_chosen, known.position.to_act) == ((True, True, False), (2,))
        assert hidden.choices == (None, None, None)
        assert known.choices == (None, sold[0] if letter in (None, "B") else None, None)


# --- Bad records ---------------------------------------------------------------------------------------------

BAD = [
    ("¦", 'expected [ForSale "1"], got nothing'),
    ("¦hello", 'expected [ForSale "1"], got hello'),
    (HEAD.replace("iello-2020", "¦mine"), "expected iello-2020, iello-2015, classic, manual, or the file of 'mine'"),
    (HEAD + AUCTION.replace("C5", "¦C2"), "expected a legal action, but bid 2 is not above the standing 2"),
    (HEAD + AUCTION.replace("C20@3", "¦C20@2"), "expected C20@3, got C20@2"),
    (HEAD + AUCTION.replace(" B2", " ¦ B2"), "expected the next word after one space, got a space"),
    (HEAD + AUCTION + "B2 ¦? 3 4 : A1", "expected a known card, or ? in a last line without actions"),
    (HEAD.replace("[First", '[Score "¦1 2 3"]\n[First') + AUCTION, "expected no score before the game is over"),
]


@pytest.mark.parametrize(("text", "reason"), BAD)
def test_a_bad_record_is_told_where_and_what_was_expected(text: str, reason: str) -> None:
    text, line, column = marked(text)
    with pytest.raises(Refusal) as caught:
        moments_of(text)
    assert caught.value.code == "record/bad"
    assert caught.value.sentence.startswith(f"Line {line}, column {column}: {reason}")
    assert caught.value.sentence.endswith(".")


@pytest.mark.parametrize("letter", ["D", "a", "", "AB", "0", "é", "x" * 1000])
def test_a_seat_that_there_is_not(letter: str) -> None:
    with pytest.raises(Refusal) as caught:
        moments_of(HEAD + AUCTION, letter)
    assert caught.value.code == "request/bad"
    assert caught.value.sentence.startswith("seat: expected a letter from A to C, got '")
    assert len(caught.value.sentence) < 60


# --- Over HTTP -----------------------------------------------------------------------------------------------


async def send(visitor: Visitor, text: str, seat: str = "", **headers: str) -> Answer:
    kind = {"content-type": "text/plain"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return await visitor.send("POST", f"/api/replay{seat}", [text.encode()], kind)


def test_anyone_can_have_a_record_replayed(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        text = text_of(COMBOS[0])
        for seat in (None, "A", "C"):
            answer = await send(house.visitor(), text, f"?seat={seat}" if seat else "")
            assert answer.of(Replay) == replays.replay_of(golden(COMBOS[0]), seat)
            assert answer.headers["cache-control"] == "no-store"
        (await send(house.visitor(), text, content_type="text/plain; charset=UTF-8")).of(Replay)
        (await send(house.visitor(), text, "?seat=Z")).refused(400, "request/bad")
        problem = (await send(house.visitor(), text[:-30] + "x")).refused(400, "record/bad")
        assert problem.sentence.startswith("Line ")
        (await send(house.visitor(), text, content_type="application/json")).refused(400, "request/bad")
        (await send(house.visitor(), text, origin="http://evil.test")).refused(403, "request/origin")

    run(House(tmp_path), test)


def test_a_replay_is_small_for_those_who_take_gzip(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        plain = await send(house.visitor(), text_of(COMBOS[0]))
        small = await send(house.visitor(), text_of(COMBOS[0]), accept_encoding="gzip")
        assert small.headers["content-encoding"] == "gzip"
        assert small.headers["vary"] == "Accept-Encoding"
        assert gzip.decompress(small.body) == plain.body
        assert len(small.body) < len(plain.body) / 10

    run(House(tmp_path), test)


def test_a_long_record_is_read_but_none_that_is_too_long(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        long = HEAD + AUCTION + f"{{{'x' * BODY}}}\n"
        (await send(house.visitor(), long)).of(Replay)
        too_long = [b"x" * (MAX_BYTES // 4)] * 8
        visitor = house.visitor()
        answer = await visitor.send("POST", "/api/replay", too_long, {"content-type": "text/plain"})
        assert str(MAX_BYTES) in answer.refused(413, "request/too-large").sentence
        assert visitor.parts_read == 5
        (await send(house.visitor(), HEAD, content_length=str(MAX_BYTES + 1))).refused(413, "request/too-large")
        answer = await house.visitor().send("POST", "/api/replay", [b"[For\xff"], {"content-type": "text/plain"})
        assert answer.refused(400, "record/bad").sentence == "Line 1, column 5: expected UTF-8 text."

    run(House(tmp_path), test)


def test_long_records_are_limited_by_their_length(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        long = HEAD + "\n".join(["{" + "x" * 1000 + "}"] * (3 * BODY // 1000))
        (await send(house.visitor(), long)).of(Replay)
        (await send(house.visitor(), long)).refused(429, "request/too-many")
        (await send(house.visitor(), HEAD)).of(Replay)
        house.wait(10)
        (await send(house.visitor(), long)).of(Replay)

    run(House(tmp_path, limits=Limits(records=Rate(1, 5))), test)


def test_a_table_is_replayed_once_its_game_is_over(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        waiting = await ana.table()
        playing = (await ana.post("/api/play-now", {"seats": 3})).of(TableCreated, 201).id
        for table in (waiting, playing):
            (await ana.get(f"/api/tables/{table}/replay")).refused(409, "game/not-over")
        over = await finished(house, ana)
        written = record.from_bytes((await ana.get(f"/api/tables/{over}/record")).body)
        for visitor in (ana, house.visitor()):
            answer = await visitor.get(f"/api/tables/{over}/replay")
            assert answer.of(Replay) == replays.replay_of(written, None)
            seen = (await visitor.get(f"/api/tables/{over}/replay?seat=B", accept_encoding="gzip")).body
            assert gzip.decompress(seen) == encode(replays.replay_of(written, "B"))
        (await ana.get(f"/api/tables/{over}/replay?seat=D")).refused(400, "request/bad")
        replay = (await ana.get(f"/api/tables/{over}/replay")).of(Replay)
        assert replay.players[0] == (await ana.get("/api/me")).of(Me).name
        assert replay.moments[-1].position.outcome is not None
        assert "Secret" in replay.tags

    run(House(tmp_path), test)


def test_a_replay_is_what_its_types_say() -> None:
    found = replays.replay_of(golden(COMBOS[-1]), "A")
    assert msgspec.json.decode(encode(found), type=Replay) == found
