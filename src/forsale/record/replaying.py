"""From a record to the position it leads to, through the engine, with every line checked."""

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest

from forsale import editions
from forsale.editions import Edition, EditionError, Rules
from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    Action,
    Decks,
    Event,
    HouseChosen,
    IllegalAction,
    Phase,
    Sell,
    State,
    apply,
    new_game,
    outcome,
    seat_letter,
)
from forsale.record.model import Line, Record, RecordError, head_text
from forsale.record.writing import line_of, rounds_of, score_text


@dataclass(frozen=True, slots=True)
class Moment:
    """A position on the way, and what led to it: the action of a seat, or at first the deal."""

    seat: int | None
    action: Action | None
    """None for the deal, and for a choice that the record does not tell (`?`)."""
    events: tuple[Event, ...]
    state: State
    hidden: frozenset[int]
    """Seats that have chosen in this sale, but the record does not tell what. In `state` they have not."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Where a record leads, and by which way."""

    edition: Edition
    moments: tuple[Moment, ...]
    """From the deal to the last action."""
    problems: tuple[RecordError, ...]
    """What a lenient replay found to disagree."""

    @property
    def state(self) -> State:
        """The last position."""
        return self.moments[-1].state

    @property
    def hidden(self) -> frozenset[int]:
        """Seats that have chosen in the last sale, but the record does not tell what (`?`)."""
        return self.moments[-1].hidden


def replay(record: Record, edition: Edition | None = None, strict: bool = True) -> Replay:
    """Play a record through the engine.

    Every action must be legal. What a writer derives, the results and the `Score`, must agree; a lenient replay
    (`strict=False`) reports each line where it does not, and goes on. `edition` is needed for one that is not
    published.
    """
    return _Replayer(record, edition, strict).run()


class _Replayer:
    """One replay: the position so far, and what was found."""

    def __init__(self, record: Record, edition: Edition | None, strict: bool) -> None:
        self.record = record
        self.strict = strict
        self.problems: list[RecordError] = []
        self.hidden: set[int] = set()
        # Tags, then the empty line, then these, each with its number in the file.
        start = len(record.tags) + 2
        self.lines = [(n, line) for n, line in enumerate(record.lines, start) if isinstance(line, Line)]
        self.edition = self._edition(edition)
        self.rules = self._rules()
        decks = self._decks()
        self.state = new_game(self.edition, record.seats, decks, record.first, self.rules.variant)
        self.moments = [Moment(None, None, self.state.history, self.state, frozenset())]

    def run(self) -> Replay:
        for index, (number, line) in enumerate(self.lines):
            self._replay_line(index, number, line)
        self._check_score()
        return Replay(self.edition, tuple(self.moments), tuple(self.problems))

    # -- what the tags say

    def _tag_error(self, name: str, reason: str) -> RecordError:
        row = list(dict(self.record.tags)).index(name) + 1
        return RecordError(row, len(name) + 4, reason)

    def _edition(self, own: Edition | None) -> Edition:
        wanted = dict(self.record.tags)["Edition"]
        if own is not None and own.id != wanted:
            raise self._tag_error("Edition", f"expected {own.id}, the edition given, got {wanted!r}")
        if own is None and wanted not in editions.published():
            known = ", ".join(editions.published())
            raise self._tag_error("Edition", f"expected {known}, or the file of {wanted!r} to be given with it")
        return own or editions.load(wanted)

    def _rules(self) -> Rules:
        try:
            return self.edition.rules(self.record.seats, self.record.tag("Variant"))
        except EditionError as error:
            tag = "Variant" if error.field == "variant" else "Players"
            raise self._tag_error(tag, str(error)) from None

    def _decks(self) -> Decks:
        """The cards in the order in which they came. Those of a finished game tell the removed ones too."""
        houses = self._drawn(BUYING, self.rules.houses)
        cheques = self._drawn(SELLING, self.rules.cheques)
        size = self.rules.deck_size
        if len(houses) < size or len(cheques) < size:
            return Decks(houses, cheques, partial=True)
        removed_houses = tuple(sorted((Counter(self.rules.houses) - Counter(houses)).elements()))
        removed_cheques = tuple(sorted((Counter(self.rules.cheques) - Counter(cheques)).elements()))
        return Decks(houses, cheques, removed_houses, removed_cheques)

    def _drawn(self, phase: Phase, box: tuple[int, ...]) -> tuple[int, ...]:
        unseen = Counter(box)
        drawn: list[int] = []
        all_known = True
        for number, line in self.lines:
            if line.phase is not phase:
                continue
            previous = -1
            for token, card in enumerate(line.market, 1):
                if card is None:
                    all_known = False
                    continue
                if not unseen[card]:
                    what = "house" if phase is BUYING else "cheque"
                    raise self._error(number, line, token, f"expected a {what} not yet seen, got {card}")
                if card < previous:
                    raise self._error(number, line, token, f"expected the market in ascending order, got {card}")
                unseen[card] -= 1
                previous = card
                if all_known:
                    drawn.append(card)
            if len(drawn) > self.rules.deck_size:
                raise self._error(number, line, 1, f"expected {self.rules.deck_size} cards in all, got more")
        return tuple(drawn)

    def _check_score(self) -> None:
        written, end = self.record.tag("Score"), outcome(self.state)
        if end is None and written is not None:
            self._problem(self._tag_error("Score", "expected no score before the game is over"))
        elif end is not None and written is None:
            self._problem(RecordError(len(self.record.tags) + 1, 1, f'expected [Score "{score_text(end)}"]'))
        elif end is not None and written != score_text(end):
            self._problem(self._tag_error("Score", f"expected {score_text(end)}, got {written}"))

    def _problem(self, error: RecordError) -> None:
        if self.strict:
            raise error
        self.problems.append(error)

    # -- what the lines say

    def _replay_line(self, index: int, number: int, line: Line) -> None:
        rounds = rounds_of(self.state.history)
        last = index == len(self.lines) - 1
        if index < len(rounds):
            dealt = line_of(rounds[index])
            self._check_head(number, line, head_text(dealt.phase, dealt.number))
            self._check_size(number, line, len(dealt.market))
        else:
            self._check_undealt(number, line, last)
        self._play(number, line)
        if self._is_closed(line):
            self._check_takes(number, line, line_of(rounds_of(self.state.history)[index]))
        elif line.takes is not None or not last:
            token = len(line.market) + 2 + len(line.actions)
            raise self._error(number, line, token, f"expected {self._awaited()}")

    def _error(self, number: int, line: Line, token: int, reason: str) -> RecordError:
        return RecordError(number, line.column(token), reason)

    def _check_head(self, number: int, line: Line, expected: str) -> None:
        head = head_text(line.phase, line.number)
        if head != expected:
            raise self._error(number, line, 0, f"expected {expected}, got {head}")

    def _check_size(self, number: int, line: Line, expected: int) -> None:
        if len(line.market) != expected:
            what = "houses" if line.phase is BUYING else "cheques"
            token = min(len(line.market), expected) + 1
            raise self._error(number, line, token, f"expected {expected} {what} in the market, got {len(line.market)}")

    def _check_undealt(self, number: int, line: Line, last: bool) -> None:
        """A line for which the engine has no cards: past the end, too short, or with cards not known."""
        state = self.state
        if state.phase is OVER:
            raise self._error(number, line, 0, "expected the end of the record, for the game is over")
        self._check_head(number, line, head_text(state.phase, state.number))
        holders = sum(map(bool, state.hands))
        if state.phase is BUYING:
            size = min(self.rules.seats - self.rules.short, state.houses_left)
        else:
            size = holders if holders > 1 else state.cheques_left
        self._check_size(number, line, size)
        if not last or line.actions or line.takes is not None:
            token = line.market.index(None) + 1
            raise self._error(number, line, token, "expected a known card, or ? in a last line without actions")

    def _play(self, number: int, line: Line) -> None:
        order = -1
        for token, played in enumerate(line.actions, len(line.market) + 2):
            if self._is_closed(line):
                raise self._error(number, line, token, f"expected | and the result, got {line.tokens()[token]}")
            if line.phase is SELLING and played.seat <= order:
                raise self._error(number, line, token, f"expected the seats in order, got {line.tokens()[token]}")
            order = played.seat
            try:
                after, events = apply(self.state, played.seat, played.action or self._any_choice(played.seat))
            except IllegalAction as error:
                raise self._error(number, line, token, f"expected a legal action, but {error}") from None
            if played.action is None:
                self.hidden.add(played.seat)
                events = (HouseChosen(played.seat, None),)
            else:
                self.state = after
            self.moments.append(Moment(played.seat, played.action, events, self.state, frozenset(self.hidden)))

    def _any_choice(self, seat: int) -> Sell:
        """Stands for a choice that is not known, only to see whether that seat may choose at all."""
        return Sell(next(iter(self.state.hands[seat]), 0))

    def _is_closed(self, line: Line) -> bool:
        return (self.state.phase, self.state.number) != (line.phase, line.number)

    def _awaited(self) -> str:
        seats = ", ".join(seat_letter(seat) for seat in sorted(self.state.to_act))
        return f"an action of seat {seats}" if self.state.phase is BUYING else f"the house that {seats} sells"

    def _check_takes(self, number: int, line: Line, played: Line) -> None:
        """The derived part: compared word by word with what the engine gives."""
        start = len(line.market) + 2 + len(line.actions)
        words = zip_longest(line.tokens()[start:], played.tokens()[start:], fillvalue="the end of the line")
        for token, (got, expected) in enumerate(words, start):
            if got != expected:
                self._problem(self._error(number, line, token, f"expected {expected}, got {got}"))
                break
