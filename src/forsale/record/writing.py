"""From a game to its record."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from forsale.game import (
    BUYING,
    AuctionWon,
    Bid,
    BidPlaced,
    Dealt,
    Event,
    GameEnded,
    HouseChosen,
    Outcome,
    Pass,
    Passed,
    SaleResolved,
    Sell,
    State,
    seat_letter,
)
from forsale.record.model import CONTROL, FORMAT, Line, Played, Record, Take
from forsale.record.reading import from_text
from forsale.view import View

_OWN_TAGS = ("ForSale", "Edition", "Variant", "Players", "First", "Score")


def from_position(
    position: State | View,
    players: Sequence[str],
    tags: Mapping[str, str] | None = None,
    autos: Collection[int] = (),
) -> Record:
    """Write down a game as far as it has gone: of a `State` all of it, of a `View` what that seat knows.

    `tags` are further ones. `autos` are the indices, in the history, of what the server played for absent seats.
    """
    rules, history = position.rules, position.history
    if len(players) != rules.seats:
        raise ValueError(f"expected {rules.seats} players, got {len(players)}")
    opening = next((event for event in history if isinstance(event, Dealt)), None)
    if opening is None or opening.opener is None:
        raise ValueError("expected a position with at least the first market dealt")
    for name in tags or {}:
        if name in _OWN_TAGS:
            raise ValueError(f"expected further tags, got {name}, which the game itself tells")
    ending = history[-1]
    pairs = [
        ("ForSale", FORMAT),
        ("Edition", rules.edition),
        *([("Variant", rules.variant)] if rules.variant else []),
        ("Players", "|".join(_checked_name(name) for name in players)),
        ("First", seat_letter(opening.opener)),
        *((tags or {}).items()),
        *([("Score", score_text(ending.outcome))] if isinstance(ending, GameEnded) else []),
    ]
    record = Record(tuple(pairs), tuple(line_of(round_, autos) for round_ in rounds_of(history)))
    if from_text(record.to_text()) != record:  # a tag can hold the end of its own line, and more
        raise ValueError(f"expected tags of one line each, got {tags!r}")
    return record


def _checked_name(name: str) -> str:
    if CONTROL.search(name) or "|" in name or '"' in name:
        raise ValueError(f'a name may hold any character but |, " and control characters, got {name!r}')
    return name


def score_text(result: Outcome) -> str:
    return " ".join(map(str, result.scores))


Round = list[tuple[int, Event]]


def rounds_of(history: Iterable[Event]) -> list[Round]:
    """The events of each auction and sale, each with its index; the first of each is a `Dealt`."""
    rounds: list[Round] = []
    for index, event in enumerate(history):
        if isinstance(event, Dealt):
            rounds.append([])
        rounds[-1].append((index, event))
    return rounds


def line_of(events: Round, autos: Collection[int] = ()) -> Line:
    market: tuple[int, ...] = ()
    phase, number = BUYING, 1
    acts: list[Played] = []
    choices: dict[int, Played] = {}
    takes: list[Take] = []
    for index, event in events:
        auto = index in autos
        match event:
            case Dealt():
                phase, number, market = event.phase, event.number, event.market
            case BidPlaced():
                acts.append(Played(event.seat, Bid(event.amount), auto))
            case Passed():
                acts.append(Played(event.seat, Pass(), auto))
                takes.append(Take(event.seat, event.house, event.price))
            case AuctionWon():
                takes.append(Take(event.seat, event.house, event.price))
            case HouseChosen():
                # A choice that was changed counts as it was last.
                choices[event.seat] = Played(event.seat, None if event.house is None else Sell(event.house), auto)
            case SaleResolved():
                takes += [Take(seat, cheque) for seat, taken in enumerate(event.cheques) for cheque in taken]
                for seat, sold in enumerate(event.houses):
                    if seat in choices:
                        choices[seat] = Played(seat, Sell(sold[0]), choices[seat].auto)
            case _:  # the end of the game is a tag, not a word in a line
                pass
    acts += [choices[seat] for seat in sorted(choices)]
    takes.sort(key=lambda take: take.seat)
    finished = any(isinstance(event, AuctionWon | SaleResolved) for _, event in events)
    return Line(phase, number, market, tuple(acts), tuple(takes) if finished else None)
