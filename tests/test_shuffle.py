"""The fair shuffle: the six documented steps against a second implementation, and what `verify` refuses."""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from forsale import editions, shuffle
from forsale.game import SELLING, Dealt, Decks, Event, State, new_game
from forsale.shuffle import Deal, Draws, Opening, ShuffleError, Stream
from tests.games import COMBOS, Combo, combo_game, play_out

SECRET = bytes(range(32))


# --- The six steps, written a second time from the description alone -----------------------------------------


def numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(n: int, source: Iterator[int]) -> int:
    return next(number for number in source if number < 2**32 - 2**32 % n) % n


def in_order(deck: list[int], source: Iterator[int]) -> list[int]:
    for i in reversed(range(1, len(deck))):
        j = below(i + 1, source)
        held = deck[i]
        deck[i] = deck[j]
        deck[j] = held
    return deck


def second_deal(combo: Combo, secret: bytes, seeds: Sequence[str]) -> Deal:
    rules = combo.load().rules(combo.seats, combo.variant)
    data = b"forsale deal 1" + secret
    for seat in range(combo.seats):
        seed = seeds[seat].encode() if seeds else b""
        data += len(seed).to_bytes(4, "big") + seed
    source = numbers(hashlib.sha256(data).digest())
    houses = in_order(list(range(1, 31)), source)
    cheques = in_order([0, 0, *(value for value in range(2, 16) for _ in "ab")], source)
    first = below(combo.seats, source)
    n = rules.removed
    return Deal(Decks(tuple(houses[n:]), tuple(cheques[n:]), tuple(houses[:n]), tuple(cheques[:n])), first)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_deal_follows_the_documented_steps(combo: Combo) -> None:
    for number in range(10):
        secret = hashlib.sha256(bytes([number])).digest()
        seeds = [f"{'é' * number}{seat}" for seat in range(combo.seats)] if number % 2 else []
        expected = second_deal(combo, secret, seeds)
        assert shuffle.fair_deal(combo.load(), combo.seats, secret, seeds, combo.variant) == expected


def test_a_known_deal() -> None:
    """Written out, so that not both implementations can change together."""
    dealt = shuffle.fair_deal(editions.load("classic"), 4, SECRET, ["one", "", "trois", "四"])
    assert dealt.decks.houses[:12] == (3, 10, 1, 2, 26, 21, 4, 29, 18, 12, 9, 19)
    assert dealt.decks.cheques[:12] == (2, 6, 8, 0, 6, 5, 9, 15, 11, 7, 13, 3)
    assert (dealt.decks.removed_houses, dealt.decks.removed_cheques) == ((11, 22), (14, 4))
    assert dealt.first == 2


def test_a_known_stream() -> None:
    """SHA-256 of 8 zero bytes begins af5570f5 a1810b7a."""
    stream = Stream(b"")
    assert [stream.randrange(2**32) for _ in range(2)] == [0xAF5570F5, 0xA1810B7A]


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert shuffle.commitment(SECRET) == hashlib.sha256(b"forsale commit 1" + SECRET).hexdigest()
    assert shuffle.commitment(bytes(32)) == "ac43d2dbd227cddf1b1ca2e813093d8d868a3b416a772e1b2599de670d741911"


# --- Chance --------------------------------------------------------------------------------------------------


class Given(Stream):
    """A stream of the given words."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self.words = list(words)

    def _word(self) -> int:
        return self.words.pop(0)


@pytest.mark.parametrize("stop", [3, 6, 7, 30, 2**31 + 1, 2**32 - 1])
def test_a_number_above_the_last_whole_multiple_is_read_again(stop: int) -> None:
    limit = 2**32 - 2**32 % stop
    stream = Given(2**32 - 1, limit, limit - 1, 5)
    assert stream.randrange(stop) == stop - 1
    assert stream.words == [5]


@pytest.mark.parametrize("stop", [1, 2, 4, 2**32])
def test_no_number_is_read_again_where_all_are_as_likely(stop: int) -> None:
    assert Given(2**32 - 1).randrange(stop) == stop - 1


@pytest.mark.parametrize("stop", [0, -1, 2**32 + 1])
def test_a_range_that_cannot_be_served_is_refused(stop: int) -> None:
    with pytest.raises(ValueError, match="expected a range from 1 to 4294967296"):
        Stream(b"").randrange(stop)


def chi_square(values: Sequence[int], kinds: int) -> float:
    expected = len(values) / kinds
    counts = Counter(values)
    return sum((counts[kind] - expected) ** 2 / expected for kind in range(kinds))


def generous(kinds: int) -> float:
    """Six standard deviations above what chance gives."""
    return kinds - 1 + 6 * math.sqrt(2 * (kinds - 1))


@pytest.mark.parametrize("stop", [2, 3, 6, 30])
def test_every_number_is_as_likely(stop: int) -> None:
    stream = Stream(b"a fixed key")
    assert chi_square([stream.randrange(stop) for _ in range(30_000)], stop) < generous(stop)


@pytest.mark.parametrize("place", [0, 1, 14, 28, 29])
def test_every_card_is_as_likely_in_every_place(place: int) -> None:
    stream = Stream(b"another fixed key")
    edition = editions.load("iello-2020")
    houses = [shuffle.deal(edition, 3, stream).houses[place] - 1 for _ in range(2_000)]
    assert chi_square(houses, 30) < generous(30)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
@pytest.mark.parametrize("source", [Stream, random.Random])
def test_a_deal_is_the_whole_box_and_what_is_removed(combo: Combo, source: Callable[[bytes], Draws]) -> None:
    rules = combo.load().rules(combo.seats, combo.variant)
    decks = shuffle.deal(combo.load(), combo.seats, source(b"a seed"), combo.variant)
    assert len(decks.removed_houses) == len(decks.removed_cheques) == rules.removed
    assert sorted(decks.houses + decks.removed_houses) == list(rules.houses)
    assert sorted(decks.cheques + decks.removed_cheques) == list(rules.cheques)
    assert not decks.partial
    new_game(combo.load(), combo.seats, decks, 0, combo.variant)


# --- Secrets and seeds ---------------------------------------------------------------------------------------


def dealt(*seeds: str, secret: bytes = SECRET) -> Deal:
    return shuffle.fair_deal(editions.load("iello-2020"), 3, secret, seeds)


def test_the_same_secret_and_seeds_give_the_same_deal() -> None:
    assert dealt("a", "b", "c") == dealt("a", "b", "c")
    assert dealt() == dealt("", "", "")


def test_every_secret_and_every_seed_of_every_seat_changes_the_deal() -> None:
    deals = [
        dealt(),
        dealt(secret=bytes(32)),
        dealt("a", "", ""),
        dealt("", "a", ""),
        dealt("", "", "a"),
        dealt("a", "b", "c"),
        dealt("c", "b", "a"),
        dealt("ab", "c", ""),
        dealt("a", "bc", ""),
        dealt("", "abc", ""),
        dealt(" ", "", ""),
        dealt("é", "", ""),
        dealt("e\u0301", "", ""),
    ]
    assert len({deal.decks for deal in deals}) == len(deals)


@pytest.mark.parametrize("seeds", [["a"], ["a", "b"], ["a", "b", "c", "d"]])
def test_seeds_are_one_a_seat_or_none_at_all(seeds: list[str]) -> None:
    with pytest.raises(ShuffleError, match=f"no seeds or one for each of 3 seats, got {len(seeds)}"):
        dealt(*seeds)


@pytest.mark.parametrize("seed", ["\ud800", "a|b", 'a"', "\0", "a\nb", "\x7f"])
def test_a_seed_that_a_record_cannot_hold_is_refused(seed: str) -> None:
    with pytest.raises(ShuffleError, match='expected a seed without |, " and control characters'):
        dealt("a", seed, "c")


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ShuffleError, match=f"expected a secret of 32 bytes, got {length}"):
        shuffle.commitment(bytes(length))
    with pytest.raises(ShuffleError, match=f"expected a secret of 32 bytes, got {length}"):
        dealt(secret=bytes(length))


def test_a_new_secret_is_32_bytes_and_never_the_same() -> None:
    drawn = {shuffle.new_secret() for _ in range(10)}
    assert len(drawn) == 10
    assert {len(secret) for secret in drawn} == {32}


def test_a_secret_is_written_as_small_hexadecimal_digits() -> None:
    assert shuffle.secret_from_hex(SECRET.hex()) == SECRET


@pytest.mark.parametrize("text", [
    "", "0" * 63, "0" * 65, "0" * 63 + "g", "A" * 64, "0" * 64 + "\n", " " + "0" * 63, "\uff10" * 64, "0x" + "0" * 62,
    "00 " * 21 + "0",
])  # fmt: skip
def test_other_text_is_no_secret(text: str) -> None:
    with pytest.raises(ShuffleError, match="expected a secret of 64 hexadecimal digits"):
        shuffle.secret_from_hex(text)


# --- What bots get -------------------------------------------------------------------------------------------


def second_bot_seed(secret: bytes, seat: int, seq: int) -> str:
    """HMAC as RFC 2104 writes it, with nothing but the hash."""
    key = secret.ljust(64, b"\0")
    inner, outer = bytes(byte ^ 0x36 for byte in key), bytes(byte ^ 0x5C for byte in key)
    message = b"forsale bot 1" + bytes([0, 0, 0, seat]) + seq.to_bytes(8, "big")
    return hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).hexdigest()


def test_a_bots_seed_follows_the_documented_step() -> None:
    for seat, seq in ((0, 0), (5, 1), (2, 300), (1, 2**63)):
        assert shuffle.bot_seed(SECRET, seat, seq) == second_bot_seed(SECRET, seat, seq)
    assert shuffle.bot_seed(SECRET, 2, 300) == "4fd36788a786ed6e46d7e131e32b36578a211703e6828defb8a515f64ec3c180"


def test_every_decision_has_a_seed_of_its_own() -> None:
    secrets = SECRET, bytes(32)
    seeds = {shuffle.bot_seed(secret, seat, seq) for secret in secrets for seat in range(6) for seq in range(300)}
    assert len(seeds) == 2 * 6 * 300


def test_a_bots_seed_shares_no_hash_with_the_deal_or_the_commitment() -> None:
    """Whoever knows it cannot compute the one from the other: there is no input that both begin with."""
    assert shuffle.bot_seed(SECRET, 0, 0) != shuffle.commitment(SECRET)
    key = hashlib.sha256(b"forsale deal 1" + SECRET + bytes(4 * 3)).hexdigest()
    assert key not in {shuffle.bot_seed(SECRET, seat, seq) for seat in range(6) for seq in range(300)}


def test_a_bots_seed_needs_a_whole_secret() -> None:
    with pytest.raises(ShuffleError, match="expected a secret of 32 bytes, got 31"):
        shuffle.bot_seed(bytes(31), 0, 0)


# --- Verifying a game ----------------------------------------------------------------------------------------

FAIR = Combo("iello-2015", 5, "scarce")
SEEDS = ("a", "b", "c", "", "e")
OPENING = Opening(shuffle.commitment(SECRET), SECRET, SEEDS)


def fair_game() -> tuple[State, int]:
    """A whole game with the fair deal, and its first seat."""
    fair = shuffle.fair_deal(FAIR.load(), FAIR.seats, SECRET, SEEDS, FAIR.variant)
    start = new_game(FAIR.load(), FAIR.seats, fair.decks, fair.first, FAIR.variant)
    return play_out(start, random.Random(5)).end, fair.first


STATE, FIRST = fair_game()


def verify(opening: Opening = OPENING, first: int = FIRST, history: Sequence[Event] = STATE.history) -> Deal:
    return shuffle.verify(FAIR.load(), FAIR.seats, FAIR.variant, opening, first, history)


def test_the_true_deal_is_verified() -> None:
    assert verify() == Deal(STATE.decks, FIRST)


def test_an_unfinished_game_is_verified() -> None:
    for length in range(len(STATE.history)):
        verify(history=STATE.history[:length])


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_every_combination_is_verified(combo: Combo) -> None:
    fair = shuffle.fair_deal(combo.load(), combo.seats, SECRET, (), combo.variant)
    start = new_game(combo.load(), combo.seats, fair.decks, fair.first, combo.variant)
    end = play_out(start, random.Random(1)).end
    opening = Opening(shuffle.commitment(SECRET), SECRET)
    shuffle.verify(combo.load(), combo.seats, combo.variant, opening, fair.first, end.history)


@pytest.mark.parametrize("opening", [
    replace(OPENING, secret=bytes(32)),
    replace(OPENING, commitment=shuffle.commitment(bytes(32))),
    replace(OPENING, commitment=""),
    replace(OPENING, commitment=OPENING.commitment.upper()),
])  # fmt: skip
def test_another_secret_than_the_one_committed_to_is_refused(opening: Opening) -> None:
    with pytest.raises(ShuffleError, match="not the one that was committed to"):
        verify(opening)


def test_another_secret_with_its_own_commitment_gives_other_cards() -> None:
    with pytest.raises(ShuffleError, match="but the deal says"):
        verify(Opening(shuffle.commitment(bytes(32)), bytes(32), SEEDS))


@pytest.mark.parametrize("seeds", [(), ("a", "b", "c", "", "f"), ("b", "a", "c", "", "e"), ("ab", "", "c", "", "e")])
def test_another_seed_gives_other_cards(seeds: tuple[str, ...]) -> None:
    with pytest.raises(ShuffleError, match="but the deal says"):
        verify(replace(OPENING, seeds=seeds))


@pytest.mark.parametrize("first", [seat for seat in (*range(FAIR.seats), FAIR.seats, 6, -1) if seat != FIRST])
def test_another_first_seat_is_refused(first: int) -> None:
    began = "ABCDE"[first] if 0 <= first < FAIR.seats else first
    with pytest.raises(ShuffleError, match=f"^seat {began} began, but the deal says seat {'ABCDE'[FIRST]}$"):
        verify(first=first)


MARKETS = [index for index, event in enumerate(STATE.history) if isinstance(event, Dealt)]


@pytest.mark.parametrize("index", MARKETS)
def test_a_market_with_one_other_card_is_refused(index: int) -> None:
    market = STATE.history[index]
    assert isinstance(market, Dealt)
    box = STATE.rules.cheques if market.phase is SELLING else STATE.rules.houses
    for place in range(len(market.market)):
        others = market.market[:place] + market.market[place + 1 :]
        strange = next(card for card in box if card not in market.market)
        swapped = replace(market, market=tuple(sorted((*others, strange))))
        what = "sale" if market.phase is SELLING else "auction"
        with pytest.raises(ShuffleError, match=f"^{what} {market.number} turned up .* but the deal says "):
            verify(history=(*STATE.history[:index], swapped, *STATE.history[index + 1 :]))


def test_cards_beyond_the_deck_are_refused() -> None:
    last = next(event for event in reversed(STATE.history) if isinstance(event, Dealt))
    with pytest.raises(ShuffleError, match="but the deal says"):
        verify(history=(*STATE.history, replace(last, number=99)))


def test_a_deal_that_was_not_fair_is_refused() -> None:
    other = combo_game(FAIR, seed=1)
    with pytest.raises(ShuffleError, match="but the deal says"):
        verify(history=other.end.history)
