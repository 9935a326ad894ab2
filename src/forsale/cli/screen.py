"""What the person sees when it is their turn: pure functions from a `View` to something that `rich` prints.

Nothing here asks, waits or knows a `State`. Colour only ever doubles what a word or a shape says already.
"""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from forsale.cli.asking import bids_in
from forsale.cli.cards import cards
from forsale.cli.cast import Cast, amount, counted, noun, row
from forsale.game import BUYING, Action, Dealt, Passed, Phase, SaleResolved, Sell
from forsale.view import View


def position(view: View, cast: Cast) -> RenderableType:
    """The game as it stands, top to bottom: heading, market, seats, tracker if it is on, one's own things."""
    parts: list[RenderableType] = [Text(), heading(view, cast), market(view, cast), seats(view, cast)]
    if view.tracker:
        parts.append(tracker(view, cast))
    return Group(*parts, Text(), own(view, cast))


# --- Heading and market ---------------------------------------------------------------------------


def heading(view: View, cast: Cast) -> RenderableType:
    variant = [view.rules.variant] if view.rules.variant else []
    left = " · ".join([cast.edition.name, f"{view.rules.seats} seats", *variant])
    return _Heading(left, _progress(view, cast))


def _progress(view: View, cast: Cast) -> str:
    """How far the game is. With the variant nobody can tell how many sales there will be."""
    total = f" of {view.rules.auctions}" if view.phase is BUYING or not view.rules.short else ""
    if view.phase is BUYING:
        return f"Auction {view.number}{total} · {counted(view.houses_left, cast.words.house)} left"
    return f"Sale {view.number}{total} · {counted(view.cheques_left, cast.words.cheque)} left"


class _Heading:
    """Two texts in one ruled line, or in two where they do not fit."""

    def __init__(self, left: str, right: str) -> None:
        self.left = left
        self.right = right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = "-" if options.ascii_only else "━"
        left, right = Text(f"{line * 2} {self.left} "), Text(f" {self.right} {line * 2}", style="bold")
        gap = options.max_width - left.cell_len - right.cell_len
        if gap >= 2:
            yield Text.assemble(left, line * gap, right)
        else:
            yield Text(self.left)
            yield Text(f"{line * 2} {self.right} {line * 2}", style="bold")


def market(view: View, cast: Cast) -> RenderableType:
    if view.phase is not BUYING:
        return cards([(cheque, cast.cheque(cheque)) for cheque in view.market], view.rules.cheques)
    houses = cards([(house, str(house)) for house in view.market], view.rules.houses)
    return Group(houses, Text(f"{_next_pass(view)} · {_highest_bid(view, cast)}"))


def _next_pass(view: View) -> str:
    assert view.pass_terms is not None
    house = view.pass_terms[0]
    if house is None:
        return "Next pass takes nothing and gets everything back"
    return f"  ▲ next pass takes {house}"


def _highest_bid(view: View, cast: Cast) -> str:
    if view.highest_bid is None:
        return "no bid yet"
    return f"highest bid {view.highest_bid}, {cast.mention(view.bids.index(view.highest_bid))}"


# --- Seats ----------------------------------------------------------------------------------------


def seats(view: View, cast: Cast) -> RenderableType:
    """One row a seat. Cheques have a column once there are any."""
    selling = view.phase is not BUYING
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    table.add_column("Seat", no_wrap=True)
    table.add_column("Player", no_wrap=True)
    table.add_column("This sale" if selling else "This auction", no_wrap=True)
    table.add_column(cast.words.house[1], justify="right")
    if selling:
        table.add_column(cast.words.cheque[1], justify="right")
    table.add_column(cast.words.coin[1], justify="right")
    for seat in range(view.rules.seats):
        table.add_row(
            "▸" if seat in view.to_act else "",
            Text(cast.label(seat)),
            Text(cast.bots[seat] or "you"),
            _doing(view, seat),
            str(view.hand_sizes[seat]),
            *([str(view.cheque_counts[seat])] if selling else []),
            _known(view.coins[seat]),
            style=_emphasis(view, seat),
        )
    return table


def _emphasis(view: View, seat: int) -> str:
    """One's own row stands out; those that are out of the auction stand back."""
    if seat == view.seat:
        return "bold"
    return "dim" if view.phase is BUYING and seat not in view.bidders else ""


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _doing(view: View, seat: int) -> str:
    if view.phase is BUYING:
        return _bidding(view, seat)
    if not view.hand_sizes[seat]:
        return "has sold all"
    return "has chosen" if view.has_chosen[seat] else "to choose"


def _bidding(view: View, seat: int) -> str:
    passed = _pass_in_this_auction(view, seat)
    if passed:
        terms = "got all back" if passed.house is None else f"took {passed.house}, lost {passed.price}"
        return f"passed: {terms}"
    bid = view.bids[seat]
    return "no bid yet" if bid is None else f"bid {bid}"


def _pass_in_this_auction(view: View, seat: int) -> Passed | None:
    for event in reversed(view.history):
        if isinstance(event, Dealt):
            break
        if isinstance(event, Passed) and event.seat == seat:
            return event
    return None


# --- Tracker --------------------------------------------------------------------------------------


def tracker(view: View, cast: Cast) -> RenderableType:
    """What a perfect memory would know: the others' cards, and those that nobody has seen."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for seat, (hand, taken) in enumerate(zip(view.hands, view.cheques, strict=True)):
        if seat != view.seat and hand is not None and taken is not None:
            table.add_row(Text(cast.label(seat)), _holdings(hand, taken, cast))
    words = cast.words.house if view.phase is BUYING else cast.words.cheque
    deck = view.rules.houses if view.phase is BUYING else view.rules.cheques
    table.add_row("Unseen", f"{words[1]}: {row(unseen(view, deck, view.phase)) or 'none'}")
    return Group(Text("\nTracker", style="dim"), table)


def _holdings(hand: tuple[int, ...], taken: tuple[int, ...], cast: Cast) -> str:
    houses = f"{cast.words.house[1]}: {row(hand) or 'none'}"
    return f"{houses}; {noun(cast.words.cheque)}: {row(taken)} = {sum(taken)}" if taken else houses


def unseen(view: View, deck: tuple[int, ...], phase: Phase) -> list[int]:
    """The cards of a deck that were never turned up, those removed among them."""
    left = Counter(deck)
    for event in view.history:
        if isinstance(event, Dealt) and event.phase is phase:
            left.subtract(event.market)
    return sorted(left.elements())


# --- One's own ------------------------------------------------------------------------------------


def own(view: View, cast: Cast) -> RenderableType:
    """Coins, standing bid and hand; in a sale the hand as cards, and one's sales so far."""
    assert view.seat is not None
    coins, hand, standing = view.coins[view.seat], view.hands[view.seat], view.bids[view.seat]
    assert coins is not None
    assert hand is not None
    facts = ["Your turn", counted(coins, cast.words.coin)]
    if view.phase is not BUYING:
        facts.append(_sales(view, cast))
        return Group(_facts(facts), cards([(house, str(house)) for house in hand], view.rules.houses))
    if standing is not None:
        facts.append(f"bid {standing} standing")
    return _facts([*facts, f"hand {row(hand)}" if hand else f"no {noun(cast.words.house)} yet"])


def _facts(facts: list[str]) -> Text:
    return Text(" · ".join(facts))


def _sales(view: View, cast: Cast) -> str:
    assert view.seat is not None
    resolved = [event for event in view.history if isinstance(event, SaleResolved)]
    sold = [(event.houses[view.seat], event.cheques[view.seat]) for event in resolved]
    if not any(houses for houses, _ in sold):
        return "nothing sold yet"
    pairs = [f"{houses[0]}→{cast.cheque(taken[0])}" for houses, taken in sold if houses]
    return f"sold {', '.join(pairs)}: {sum(taken[0] for _, taken in sold if taken)} in all"


def choices(view: View, cast: Cast, legal: Sequence[Action]) -> RenderableType:
    """What may be typed, each with its consequence."""
    selling = view.phase is not BUYING
    rows = _sale_choices(cast, legal) if selling else _bid_choices(view, bids_in(legal))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", justify="right", no_wrap=True)
    for key, meaning in rows:
        table.add_row(key, meaning)
    table.add_row("?", Text.assemble("help   ", ("q", "bold"), "  quit"))
    return table


def _bid_choices(view: View, bids: list[int]) -> list[tuple[str, str]]:
    pass_text = f"pass: {_pass_consequence(view)}"
    if not bids:
        least = view.rules.lowest_bid if view.highest_bid is None else view.highest_bid + 1
        return [("p", f"{pass_text} (Enter passes)"), ("", f"You must: a bid would take {least}.")]
    amounts = str(bids[0]) if len(bids) == 1 else f"{bids[0]}-{bids[-1]}"
    return [("p", pass_text), (amounts, f"bid (Enter bids {bids[0]})")]


def _pass_consequence(view: View) -> str:
    assert view.seat is not None
    assert view.pass_terms is not None
    house, refund, price = view.pass_terms
    keep = (view.coins[view.seat] or 0) + refund
    return f"take {'nothing' if house is None else house}, lose {amount(price)}, keep {keep}"


def _sale_choices(cast: Cast, legal: Sequence[Action]) -> list[tuple[str, str]]:
    houses = [action.house for action in legal if isinstance(action, Sell)]
    if len(houses) == 1:
        return [(str(houses[0]), f"sell your last {noun(cast.words.house, 1)} (Enter sells it)")]
    return [(row(houses), f"sell that {noun(cast.words.house, 1)}")]
