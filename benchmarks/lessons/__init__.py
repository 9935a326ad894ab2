"""What the champion has learnt, for players: it plays itself, and docs/playing-well.md tells what was seen.

`make lessons` plays, and writes what was found, its pictures and the numbers on the page anew. `playing` is the games;
`worth`, `checking`, `bidding`, `selling` and `seating` each look for something in them, and `measuring` is all of it
together; `found` is what they came to, `drawing` the pictures of it, `page` its numbers, and `writing` the files.
"""
