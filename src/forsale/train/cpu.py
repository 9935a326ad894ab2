"""Tables on the CPU, one after the other: for a look at whether all fits together."""

from forsale.kernel.compiling import compiled, loop
from forsale.train import tables

begin, proceed, tell = map(compiled, (tables.begin, tables.proceed, tables.tell))


@loop
def begin_all(states, decks, rules, watched, settings, seats, members, pool, seed):
    for t in range(len(states)):
        begin(states[t], decks[t], rules, watched[t], settings[t], seats[t], members[t], pool, seed, t)


@loop
def proceed_all(
    states, decks, rules, watched, settings, seats, members, pool, seed, actions, done, shares, scores, rows, masks
):
    for t in range(len(states)):
        s, w = states[t], watched[t]
        proceed(
            s, decks[t], rules, w, settings[t], seats[t], members[t], pool, seed, t, actions[t], done, shares, scores
        )
        tell(s, rules, w, settings[t], rows[t], masks[t])
