"""What `forsale bots check` does: put a bot through everything that it will meet, and see what it makes of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from time import perf_counter
from typing import NamedTuple

from forsale import bots, editions, shuffle, view
from forsale.bots import program as programs
from forsale.bots.bot import Bot
from forsale.bots.entry import BotError
from forsale.bots.fault import Fault
from forsale.bots.guard import Guarded
from forsale.bots.program import PREFIX, CannotStart, Program
from forsale.editions import Edition
from forsale.game import Action, State, apply, legal_actions, new_game
from forsale.view import MAX_EARLIER, Earlier, View

_AGAIN = 100
"""So many questions are asked a second time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what, whether it is as it should be, and what was seen."""

    what: str
    good: bool
    seen: str


class _Decision(NamedTuple):
    """A question, and how it was answered."""

    view: View
    legal: tuple[Action, ...]
    seed: str
    choice: Action
    seconds: float
    by_default: bool


def check(name: str, limit: float = bots.LIMIT) -> Iterator[Finding]:
    """Findings as they come. Raises `BotError` for a bot that is not there, or a program that cannot be started."""
    if name.startswith(PREFIX):
        yield from _check_program(name, limit)
    else:
        decisions: list[_Decision] = []
        bot = bots.make(name)
        yield from _check_games(name, bot, limit, decisions)
        if decisions:
            yield _check_again(name, bots.make(name), bool(getattr(bot, "varies", False)), decisions)


def _check_program(name: str, limit: float) -> Iterator[Finding]:
    first, second, third = (Program(name, limit) for _ in range(3))
    try:
        handshake = _handshake(first)
        yield handshake
        if not handshake.good:
            return
        decisions: list[_Decision] = []
        yield from _check_games(name, first, limit, decisions)
        if first.runs:
            yield _ending("quit", first.close())
        if decisions:
            yield _check_again(name, second, first.varies, decisions)
            yield _check_unknown_lines(third, decisions[0])
        if second.runs:
            yield _ending("end of input", second.close(quit=False))
    finally:
        for program in (first, second, third):
            program.close()


def _handshake(program: Program) -> Finding:
    try:
        program.start()
    except CannotStart as fault:
        raise BotError(f"{program.name}: {fault}") from None
    except Fault as fault:
        return Finding("handshake", False, "; ".join([str(fault), *program.last_words]))
    return Finding("handshake", True, f"it is ready, and calls itself {program.called}")


def _check_games(name: str, bot: Bot, limit: float, decisions: list[_Decision]) -> Iterator[Finding]:
    """Whole games of every kind. What the bot decided itself is added to `decisions`."""
    guarded = _guard(name, bot)
    ends: list[State] = []
    for state in _deals():
        decided, end = _play(state, guarded, ends)
        decisions += decided
        ends.append(end)
        if guarded.faults["out"]:
            break
    if guarded.faults.total():
        complaints = bot.last_words if isinstance(bot, Program) else ()
        yield Finding("games", False, "; ".join([guarded.summary, *guarded.first_faults.values(), *complaints]))
    else:
        asked = f"{guarded.decisions} decisions in {len(ends)} games"
        yield Finding("games", True, f"{asked}: every edition, number of seats and variant")
    if decisions:
        yield _time([decision.seconds for decision in decisions], limit)


def _guard(name: str, bot: Bot) -> Guarded:
    """The findings tell what is wrong with it; nothing is told before."""
    return Guarded(name, bot, name, "", lambda _: None)


def _deals() -> Iterator[State]:
    """A game of each edition, number of seats and variant."""
    for edition in map(editions.load, editions.published()):
        for seats in edition.seats:
            for variant in (None, *edition.variants):
                yield _deal(edition, seats, variant)


def _deal(edition: Edition, seats: int, variant: str | None) -> State:
    rng = Random(f"{edition.id} {seats} {variant}")
    decks = shuffle.deal(edition, seats, rng, variant)
    return new_game(edition, seats, decks, rng.randrange(seats), variant)


def _play(state: State, guarded: Guarded, before: Sequence[State]) -> tuple[list[_Decision], State]:
    """A game in which the bot has one seat: what it decided there, and the end.

    Which seat, whether there is a tracker, and whether it is told of games before this one changes from game to game.
    """
    number, seats = len(before), state.rules.seats
    seat, tracker = number % seats, number % 2 == 1
    earlier = _remembered(before, seats) if number % 4 > 1 else ()
    decisions: list[_Decision] = []
    seated: list[Bot] = list(islice(cycle([bots.make("broker"), bots.make("random")]), seats))
    rngs = [Random(f"{number} {other}") for other in range(seats)]
    while to_act := state.to_act:
        for turn in sorted(to_act):
            legal = legal_actions(state, turn)
            seen = view.of(state, turn, tracker, earlier)
            if turn == seat:
                decision = _decide(guarded, seen, legal, f"{number} {len(state.history)}")
                choice = decision.choice
                if len(legal) > 1 and not decision.by_default:
                    decisions.append(decision)
            else:
                choice = seated[turn].choose(seen, legal, rngs[turn])
            state, _ = apply(state, turn, choice)
    return decisions, state


def _remembered(ends: Sequence[State], seats: int) -> tuple[Earlier, ...]:
    """The latest games, as if everyone for whom there is a seat now had kept it."""
    return tuple(
        view.remembered(end, tuple(seat if seat < seats else None for seat in range(end.rules.seats)))
        for end in ends[-MAX_EARLIER:]
    )


def _decide(guarded: Guarded, seen: View, legal: tuple[Action, ...], seed: str) -> _Decision:
    faults = guarded.faults.total()
    began = perf_counter()
    choice = guarded.choose(seen, legal, Random(seed))
    return _Decision(seen, legal, seed, choice, perf_counter() - began, guarded.faults.total() > faults)


def _time(seconds: Sequence[float], limit: float) -> Finding:
    ordered = sorted(seconds)
    half, most, slowest = (ordered[round(share * (len(ordered) - 1))] * 1000 for share in (0.5, 0.99, 1))
    times = f"p50 {half:.1f} ms, p99 {most:.1f} ms, slowest {slowest:.1f} ms, of {limit * 1000:g} ms"
    return Finding("time", slowest <= limit * 1000, times)


def _check_again(name: str, fresh: Bot, varies: bool, decisions: Sequence[_Decision]) -> Finding:
    """Ask another bot of the same name some of the same questions, the last one first."""
    asked = decisions[:: -(len(decisions) // _AGAIN + 1)]
    guarded = _guard(name, fresh)
    same = sum(guarded.choose(one.view, one.legal, Random(one.seed)) == one.choice for one in asked)
    seen = f"{same} of {len(asked)} questions got the same answer when they were asked again, in another order"
    return Finding(
        "same answers", varies or same == len(asked), f"{seen}{'; it says that they vary' if varies else ''}"
    )


def _check_unknown_lines(program: Program, decision: _Decision) -> Finding:
    try:
        program.start()
        program.tell('weather fair\n\nwind {"from": ["south"]}')
        program.choose(decision.view, decision.legal, Random(decision.seed))
    except Fault as fault:
        return Finding("unknown lines", False, f"after lines that it cannot know, it {fault}")
    return Finding("unknown lines", True, "it answers after lines that it cannot know")


def _ending(what: str, by_itself: bool) -> Finding:
    return Finding(
        what, by_itself, "it ends by itself" if by_itself else f"it had to be killed after {programs.GRACE:g} s"
    )
