"""What `?` shows: the keys, and the rules of this very game in ten lines."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from forsale.cli.cast import Cast, counted, noun
from forsale.editions import Rules


def help_page(rules: Rules, cast: Cast) -> RenderableType:
    numbered = [(str(number), line) for number, line in enumerate(_rules(rules, cast), 1)]
    return Group(Text(), _rows("Keys", _keys(cast)), _rows("Rules", numbered))


def _rows(title: str, rows: list[tuple[str, str]]) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", justify="right", no_wrap=True)
    for key, meaning in rows:
        table.add_row(key, meaning)
    return Group(Text(title, style="bold"), table)


def _keys(cast: Cast) -> list[tuple[str, str]]:
    house = noun(cast.words.house, 1)
    return [
        ("p", "pass"),
        ("b or Enter", "bid the least that is allowed"),
        ("a number", f"bid so much in all, or sell that {house}"),
        ("?", "this page"),
        ("q", "quit; Ctrl-C and Ctrl-D do too"),
    ]


def _rules(rules: Rules, cast: Cast) -> list[str]:
    house, houses = noun(cast.words.house, 1), noun(cast.words.house)
    cheque, cheques = noun(cast.words.cheque, 1), noun(cast.words.cheque)
    coins, purse = noun(cast.words.coin), counted(rules.coins, cast.words.coin)
    fewer = f", less {rules.short}" if rules.short else ""
    return [
        f"Everyone starts with {purse}. First {houses} are bought, then sold.",
        f"An auction turns up as many {houses} as there are seats{fewer}.",
        f"In turn, bid more than the highest bid (at least {rules.lowest_bid} to open), or pass.",
        f"Who passes takes the lowest {house}, and half of their bid back, rounded {rules.refund}.",
        *_scarce_rules(rules, house, houses),
        f"The last one in pays the whole bid, takes the highest {house} and opens the next.",
        f"A sale turns up as many {cheques} as there are seats that hold {houses}.",
        f"All choose one of their {houses} in secret, and reveal them together.",
        f"The highest {house} takes the highest {cheque}, the next the next, and so on.",
        f"Score: {cheques} and {coins} left. The highest wins; most {coins} left break a tie.",
    ]


def _scarce_rules(rules: Rules, house: str, houses: str) -> list[str]:
    if not rules.short:
        return []
    return [f"While more seats are in than {houses} are left, a pass takes no {house} and costs nothing."]
