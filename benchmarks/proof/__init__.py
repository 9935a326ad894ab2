"""How strong the champion is, with the figures and the page that shows them: `make proof`.

    python -m benchmarks.proof                   all parts, then the page
    python -m benchmarks.proof copies mixed      some of them
    python -m benchmarks.proof page              the page alone, from the figures there are

`copies`: the champion alone against copies of each other bot, in every edition and variant, at three to six seats.
`mixed`: alone against different personalities, drawn anew for each deal.
`field`: each other bot alone against a table of champions.
`planner`: the champion alone against planners, and a planner alone against champions.
`history`: what watching gains, by how many rounds of a game are watched, and over games at one table;
with `--blind FILE` also beside a net that was trained without it.
`seats`: champions among themselves, by the seat.
`seeds`: how strong champions of other seeds are beside it, and each against the other, given `--seeds NAME=FILE
NAME=FILE`.
`answers`: nets that have learnt nothing but to beat it, given `--answer FILE`, and two that do so together, given
`--pair FILE`.

Every deal is played with the one bot in every seat; intervals are the arena's, by deal. What is finished is kept at
once in `docs/champion.jsonl`, a line for each case; slow cases a few deals at a time, all in turn. A run can be
interrupted at any time, and the next one does what is missing. Lines of other weights than today's are dropped, so that
the page never mixes champions.
"""
