"""The screen, rendered to text: what it must say, that it fits, and what it must not tell."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from forsale import editions, shuffle, view
from forsale.cli.cast import Cast
from forsale.cli.help import help_page
from forsale.cli.screen import choices, position
from forsale.cli.telling import told
from forsale.game import (
    Action,
    AuctionWon,
    Bid,
    BidPlaced,
    Decks,
    Event,
    Pass,
    Passed,
    SaleResolved,
    Sell,
    State,
    apply,
    legal_actions,
    new_game,
)

RIVALS = ("Bo", "Cy", "Dot", "Eli", "Fay")
WIDTHS = pytest.mark.parametrize("width", [60, 80, 200])


def cast_for(edition: str, seats: int, name: str = "You") -> Cast:
    return Cast(editions.load(edition), (name, *RIVALS[: seats - 1]), ("", *["broker"] * (seats - 1)))


def rendered(part: RenderableType, width: int = 80, encoding: str = "utf-8") -> str:
    with io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace") as file:
        console = Console(file=file, width=width, markup=False, highlight=False, emoji=False)
        console.print(part)
        file.seek(0)
        return file.read()


def opened(edition: str = "iello-2020", seats: int = 4, first: int = 0, variant: str | None = None) -> State:
    decks = shuffle.deal(editions.load(edition), seats, shuffle.Stream(b"screen"), variant)
    return new_game(editions.load(edition), seats, decks, first, variant)


def after(state: State, *actions: Action) -> State:
    """The position after these actions of whoever is to act, lowest seat first."""
    for action in actions:
        state, _ = apply(state, min(state.to_act), action)
    return state


def sold_out(state: State, sales: int = 0) -> State:
    """Everyone passes until the sales, then sells the lowest house so many times."""
    while state.bidders:
        state = after(state, Pass())
    for _ in range(sales * state.rules.seats):
        state = after(state, Sell(state.hands[min(state.to_act)][0]))
    return state


def screen_of(state: State, cast: Cast, width: int = 80, tracker: bool = False) -> str:
    seen = view.of(state, 0, tracker)
    question = choices(seen, cast, legal_actions(state, 0))
    return rendered(position(seen, cast), width) + rendered(question, width)


WORKED = Decks(
    houses=(20, 8, 28, *range(1, 8), *range(9, 20), *range(21, 28), 29, 30),
    cheques=(0, 12, 13, 0, *range(2, 12), *range(2, 16), 14, 15),
)
"""The market of the rulebooks' example first."""


def worked(*actions: Action, edition: str = "iello-2020") -> str:
    state = after(new_game(editions.load(edition), 3, WORKED, 0), *actions)
    return screen_of(state, cast_for(edition, 3))


def test_the_first_turn() -> None:
    text = worked()
    assert "For Sale (IELLO, 2020) · 3 seats" in text
    assert "Auction 1 of 10 · 27 houses left" in text
    assert "│ 8 │ ┃ 20 ┃ ║ 28 ║" in text
    assert "▲ next pass takes 8 · no bid yet" in text
    assert "Your turn · 28 bills · no houses yet" in text
    assert "p  pass: take 8, lose nothing, keep 28" in text
    assert "1-28  bid (Enter bids 1)" in text
    assert "?  help   q  quit" in text


def test_the_consequences_of_a_pass() -> None:
    text = worked(Bid(5), Pass(), Bid(6))
    assert "▲ next pass takes 20 · highest bid 6, Cy" in text
    assert "Your turn · 23 bills · bid 5 standing · no houses yet" in text
    assert "pass: take 20, lose 3, keep 25" in text
    assert "7-28  bid (Enter bids 7)" in text
    assert "lose 2, keep 26" in worked(Bid(5), Pass(), Bid(6), edition="iello-2015")


def test_the_seats_say_who_is_in_and_what_those_who_passed_took_and_lost() -> None:
    rows = [line.split() for line in worked(Bid(3), Bid(4), Bid(5), Bid(6), Pass(), Bid(7)).splitlines()]
    assert ["▸", "A", "You", "you", "bid", "6", "0", "22"] in rows
    assert ["B", "Bo", "broker", "passed:", "took", "8,", "lost", "2", "1", "?"] in rows
    assert ["C", "Cy", "broker", "bid", "7", "0", "?"] in rows


def test_a_forced_pass_is_shown_as_such() -> None:
    text = worked(Bid(1), Bid(28), Pass())
    assert "p  pass: take 20, lose 1, keep 27 (Enter passes)" in text
    assert "You must: a bid would take 29." in text


def test_the_variant_tells_when_a_pass_takes_nothing() -> None:
    state = opened(variant="scarce")
    cast = cast_for("iello-2020", 4)
    text = screen_of(after(state, Bid(3), Bid(4), Bid(5), Bid(6)), cast)
    assert "Next pass takes nothing and gets everything back · highest bid 6, Dot" in text
    assert "pass: take nothing, lose nothing, keep 21" in text
    assert "▲" not in text
    text = screen_of(after(state, Bid(3), Pass(), Bid(5), Bid(6)), cast)
    assert "passed: got all back" in text
    assert f"▲ next pass takes {state.market[0]}" in text


def test_a_sale() -> None:
    state = new_game(editions.load("iello-2020"), 3, WORKED, 0)
    cast = cast_for("iello-2020", 3)
    text = screen_of(sold_out(state), cast)
    assert "Sale 1 of 10 · 27 checks left" in text
    assert "│ Void │ ║ 12 ║ ║ 13 ║" in text
    assert "28 bills · nothing sold yet" in text
    hand = sold_out(state).hands[0]
    assert f"{' '.join(map(str, hand))}  sell that house" in text


def test_own_sales_are_listed_with_their_sum() -> None:
    state = sold_out(opened(), sales=2)
    resolved = [event for event in state.history if isinstance(event, SaleResolved)]
    pairs = [f"{event.houses[0][0]}→{event.cheques[0][0] or 'Void'}" for event in resolved]
    text = screen_of(state, cast_for("iello-2020", 4))
    assert f"sold {', '.join(pairs)}: {sum(state.cheques[0])} in all" in text


def test_the_last_house_of_a_game() -> None:
    state = sold_out(opened(), sales=6)
    text = screen_of(state, cast_for("iello-2020", 4))
    assert f"{state.hands[0][0]}  sell your last house (Enter sells it)" in text


def test_the_number_of_sales_is_not_known_in_the_variant() -> None:
    text = screen_of(sold_out(opened(variant="scarce")), cast_for("iello-2020", 4))
    assert "Sale 1 · 2" in text


@pytest.mark.parametrize(
    ("edition", "words"),
    [
        ("iello-2020", ["houses left", "Bills", "21 bills"]),
        ("iello-2015", ["houses left", "Coins", "21 coins"]),
        ("manual", ["properties left", "Properties", "18 coins", "no properties yet"]),
    ],
)
def test_the_edition_decides_the_words(edition: str, words: list[str]) -> None:
    text = screen_of(opened(edition), cast_for(edition, 4))
    assert [word for word in words if word not in text] == []


def test_one_is_singular() -> None:
    state = after(opened("manual"), Bid(17))
    while not (state.bidders and state.bidders[0] == 0):
        state = after(state, Pass())
    assert "· 1 coin ·" in screen_of(state, cast_for("manual", 4))


def test_the_tracker_shows_what_else_is_left_to_memory() -> None:
    first = opened(first=1)
    state = after(first, Pass(), Pass(), Pass())
    cast = cast_for("iello-2020", 4)
    hidden, shown = screen_of(state, cast), screen_of(state, cast, tracker=True)
    assert "Tracker" not in hidden
    assert "Unseen" not in hidden
    for seat in (1, 2, 3):
        row = next(line for line in hidden.splitlines() if f" {cast.label(seat)} " in line)
        assert row.endswith(" ?")
        assert f"Houses: {' '.join(map(str, state.hands[seat]))}" in " ".join(shown.split())
    unseen = " ".join(shown.split()).partition("Unseen Houses: ")[2].partition(" Your turn")[0].split()
    assert sorted(map(int, unseen)) == sorted({*range(1, 31)} - {*first.market, *state.market})


def test_the_tracker_in_the_last_sale() -> None:
    state = sold_out(opened("manual", 5), sales=5)
    text = screen_of(state, cast_for("manual", 5), tracker=True)
    assert f"currency cards: {' '.join(map(str, state.cheques[4]))} = {sum(state.cheques[4])}" in text
    assert "Unseen  Currency cards: none" in text


def everything(edition: str, seats: int, variant: str | None, name: str) -> list[RenderableType]:
    """All that a game draws on its way, with the tracker."""
    cast = cast_for(edition, seats, name)
    state = opened(edition, seats, variant=variant)
    parts: list[RenderableType] = [help_page(state.rules, cast)]
    while state.to_act:
        seat = min(state.to_act)
        legal = legal_actions(state, seat)
        if seat == 0:
            seen = view.of(state, 0, tracker=True)
            parts += [position(seen, cast), choices(seen, cast, legal)]
        action = legal[1] if len(legal) > 1 and len(state.history) % 3 else legal[0]
        state, _ = apply(state, seat, action)
    return parts + [part for event in state.history if (part := told(event, cast)) is not None]


@WIDTHS
@pytest.mark.parametrize("name", ["You", "An extraordinarily long name, [bold]marked up[/] 日本語"])
@pytest.mark.parametrize(
    ("edition", "seats", "variant"),
    [("manual", 6, None), ("iello-2020", 3, "scarce"), ("iello-2015", 5, "scarce"), ("classic", 3, None)],
)
def test_no_line_is_wider_than_the_screen(edition: str, seats: int, variant: str | None, name: str, width: int) -> None:
    for part in everything(edition, seats, variant, name):
        lines = rendered(part, width).splitlines()
        assert [line for line in lines if cell_len(line) > width] == []


def test_where_only_ascii_can_be_shown_boxes_are_ascii() -> None:
    text = rendered(position(view.of(opened(), 0), cast_for("iello-2020", 4)), encoding="ascii")
    assert "+----+" in text
    assert "-- For Sale (IELLO, 2020)" in text


def test_the_heading_takes_two_lines_where_one_is_too_short() -> None:
    text = screen_of(opened("manual"), cast_for("manual", 4), width=60)
    assert "For Sale (reference manual) · 4 seats\n━━ Auction 1 of 7 · 24 properties left ━━" in text


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (BidPlaced(1, 3), "Bo bids 3."),
        (BidPlaced(0, 3), "You bid 3."),
        (Passed(2, 7, 1, 1), "Cy passes, takes 7 and loses 1."),
        (Passed(2, 7, 0, 0), "Cy passes, takes 7 and loses nothing."),
        (Passed(0, 7, 1, 1), "You pass, take 7 and lose 1."),
        (Passed(1, None, 4, 0), "Bo passes, takes nothing and gets everything back."),
        (Passed(0, None, 4, 0), "You pass, take nothing and get everything back."),
        (AuctionWon(0, 26, 5), "You win 26 for 5."),
        (AuctionWon(1, 26, 0), "Bo wins 26 for nothing."),
        (
            SaleResolved(9, ((), (4, 9), ()), ((), (0, 7), ())),
            "Bo alone still holds houses and takes what is left: the checks Void and 7.",
        ),
        (
            SaleResolved(9, ((4,), (), ()), ((7,), (), ())),
            "You alone still hold houses and take what is left: the check 7.",
        ),
    ],
)
def test_a_sentence_for_each_event(event: Event, sentence: str) -> None:
    part = told(event, cast_for("iello-2020", 3))
    assert part is not None
    assert rendered(part).strip() == sentence


def test_a_person_with_a_name_is_still_spoken_to() -> None:
    cast = cast_for("iello-2020", 3, name="Ana")
    part = told(BidPlaced(0, 3), cast)
    assert part is not None
    assert rendered(part).strip() == "You bid 3."
    assert "A Ana  you" in screen_of(opened(seats=3), cast)


def test_a_reveal_is_ranked_from_the_highest_house() -> None:
    part = told(SaleResolved(2, ((28,), (8,), (20,)), ((13,), (0,), (12,))), cast_for("iello-2020", 3))
    assert part is not None
    rows = [line.split() for line in rendered(part).splitlines() if line]
    assert rows == [
        ["Sale", "2", "is", "revealed:"],
        ["House", "Check", "Seat"],
        ["28", "13", "A", "You"],
        ["20", "12", "C", "Cy"],
        ["8", "Void", "B", "Bo"],
    ]


def test_help_tells_the_rules_of_this_edition() -> None:
    text = rendered(help_page(opened("manual").rules, cast_for("manual", 4)))
    assert "half of their bid back, rounded up" in text
    assert "at least 0 to open" in text
    assert "property" in text
    assert "While more seats" not in text
    scarce = opened(variant="scarce")
    text = rendered(help_page(scarce.rules, cast_for("iello-2020", 4)))
    assert "While more seats are in than houses are left" in text
    assert "rounded down" in text
