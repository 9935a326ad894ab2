"""The last screen: who won, by how much and why, and what nobody could know before."""

from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from forsale.cli.cast import Cast, counted, listed, noun, row
from forsale.game import Outcome
from forsale.view import View


def ending(view: View, cast: Cast) -> RenderableType:
    """The final table of a game that is over, and its sentences."""
    result = view.outcome
    assert result is not None
    sentences = [_victory(result, cast), *_broken_ties(result, cast), *_removed(view, cast)]
    title = Text("\nThe game is over.\n", style="bold")
    return Group(title, _table(view, result, cast), Text("\n" + "\n".join(sentences)))


def ranked(result: Outcome) -> list[int]:
    """The seats from the first place on; those that share a place in seat order."""
    return sorted(range(len(result.places)), key=lambda seat: result.places[seat])


def _table(view: View, result: Outcome, cast: Cast) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("Place", justify="right", no_wrap=True)
    table.add_column("Seat", no_wrap=True)
    table.add_column(cast.words.cheque[1])
    table.add_column("Sum", justify="right")
    table.add_column(cast.words.coin[1], justify="right")
    table.add_column("Score", justify="right")
    for seat in ranked(result):
        taken = view.cheques[seat]
        assert taken is not None
        table.add_row(
            str(result.places[seat]),
            Text(cast.label(seat)),
            row(map(cast.cheque, sorted(taken, reverse=True))),
            str(sum(taken)),
            str(result.coins[seat]),
            str(result.scores[seat]),
            style="bold" if seat in result.winners else "",
        )
    return table


def _victory(result: Outcome, cast: Cast) -> str:
    first = result.winners[0]
    if len(result.winners) > 1:
        winners = _subjects(result.winners, cast)
        coins = counted(result.coins[first], cast.words.coin)
        return f"{winners} share the victory with {result.scores[first]}, and {coins} left each."
    return f"{cast.clause(first, 'win')} with {result.scores[first]}."


def _broken_ties(result: Outcome, cast: Cast) -> list[str]:
    """A sentence for each score that several seats have, where the coins put them in order."""
    sentences = []
    for score, group in groupby(ranked(result), key=lambda seat: result.scores[seat]):
        tied = list(group)
        if len({result.places[seat] for seat in tied}) > 1:
            coins = listed(f"{cast.mention(seat)} {result.coins[seat]}" for seat in tied)
            left = f"{noun(cast.words.coin)} left break the tie"
            sentences.append(f"{_subjects(tied, cast)} have {score} each; the {left}: {coins}.")
    return sentences


def _subjects(seats: Sequence[int], cast: Cast) -> str:
    """Several seats as a sentence begins with them."""
    names = listed(map(cast.mention, seats))
    return names[0].upper() + names[1:]


def _removed(view: View, cast: Cast) -> list[str]:
    if view.decks is None or not view.rules.removed:
        return []
    houses, cheques = sorted(view.decks.removed_houses), sorted(view.decks.removed_cheques)
    return [
        f"Removed unseen before the game: {noun(cast.words.house, len(houses))} {listed(houses)}, "
        f"{noun(cast.words.cheque, len(cheques))} {listed(map(cast.cheque, cheques))}."
    ]
