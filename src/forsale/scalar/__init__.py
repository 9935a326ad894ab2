"""One game as a row of numbers, and the rules on it: plain Python, in the small part of it that a compiler understands.

`forsale.kernel` compiles these functions and plays thousands of games with them. Bots that are written on rows play at
a table with the same functions, uncompiled, so that they need no compiler there.
"""
