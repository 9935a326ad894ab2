"""What happened, told to the person: a sentence for each event, a small table for each reveal."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forsale.cli.cast import Cast, amount, listed, noun
from forsale.game import BUYING, AuctionWon, BidPlaced, Dealt, Event, Passed, SaleResolved


def told(event: Event, cast: Cast) -> RenderableType | None:
    """An event as the person is told it; None for what the screen shows by itself."""
    match event:
        case Dealt(phase=phase, number=1) if phase is not BUYING:
            return Text(f"\nAll {noun(cast.words.house)} are bought. Now they are sold.", style="bold")
        case Dealt(opener=int(opener)):
            market = listed(event.market)
            return Text(f"\nAuction {event.number} turns up {market}. {cast.clause(opener, 'open')}.")
        case BidPlaced():
            return Text(f"{cast.clause(event.seat, 'bid')} {event.amount}.")
        case Passed():
            return Text(_pass_sentence(event, cast))
        case AuctionWon():
            won = f"{cast.clause(event.seat, 'win')} {event.house} for {amount(event.price)}."
            return Text(won, style="bold")
        case SaleResolved():
            return _reveal(event, cast)
        case _:
            return None


def _pass_sentence(event: Passed, cast: Cast) -> str:
    s = "" if cast.is_person(event.seat) else "s"
    passes = cast.clause(event.seat, "pass")
    if event.house is None:
        return f"{passes}, take{s} nothing and get{s} everything back."
    return f"{passes}, take{s} {event.house} and lose{s} {amount(event.price)}."


def _reveal(event: SaleResolved, cast: Cast) -> RenderableType:
    sellers = [seat for seat, houses in enumerate(event.houses) if houses]
    if len(sellers) == 1:
        return Text("\n" + _last_holder(event, cast, sellers[0]))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(cast.words.house[0], justify="right")
    table.add_column(cast.words.cheque[0], justify="right")
    table.add_column("Seat", no_wrap=True)
    for seat in sorted(sellers, key=lambda seat: event.houses[seat], reverse=True):
        cheque = cast.cheque(event.cheques[seat][0])
        style = "bold" if cast.is_person(seat) else ""
        table.add_row(str(event.houses[seat][0]), cheque, Text(cast.label(seat)), style=style)
    title = Text(f"\nSale {event.number} is revealed:")
    return Group(title, Padding(table, (0, 0, 0, 2), expand=False))


def _last_holder(event: SaleResolved, cast: Cast, seat: int) -> str:
    """The variant's end: one seat is left, and takes all without being asked."""
    alone = "You alone still hold" if cast.is_person(seat) else f"{cast.players[seat]} alone still holds"
    cheques = listed(map(cast.cheque, event.cheques[seat]))
    s = "" if cast.is_person(seat) else "s"
    what = noun(cast.words.cheque, len(event.cheques[seat]))
    return f"{alone} {noun(cast.words.house)} and take{s} what is left: the {what} {cheques}."
