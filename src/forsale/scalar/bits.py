"""Sets of cards and seats as bits of one number, and chance that depends on nothing but a key and a counter.

The kernel compiles most of these to one machine instruction each: see `forsale.kernel.intrinsics`.

>>> popcount(0b1011), lowest(0b1000), nth(0b1011, 2)
(3, 3, 3)
>>> word(1234567, 1)
6457827717110365317
"""

_WORD = 2**64 - 1


def i32(number):
    """A whole number of 32 bits. It says so to the compiler, which otherwise takes 64; a GPU pays twice for that."""
    return number


def u32(index):
    """An index. It says to the compiler that it never counts from the end."""
    return index


def popcount(mask):
    """How many bits are set."""
    return mask.bit_count()


def lowest(mask):
    """The place of the lowest bit that is set, of those there must be one."""
    return (mask & -mask).bit_length() - 1


def bit(place):
    """The set of one place, below 32."""
    return 1 << place


def has(mask, place):
    """1 if the bit at a place below 32 is set, else 0."""
    return mask >> place & 1


def without_lowest(mask):
    """The others."""
    return mask & (mask - 1)


def highest(mask):
    """The place of the highest bit that is set."""
    place = i32(0)
    while mask:
        place = lowest(mask)
        mask = without_lowest(mask)
    return place


def nth(mask, n):
    """The place of the n-th bit that is set, from 0."""
    # As many turns whatever n is: a loop that ends at random costs more than the turns it saves.
    for i in range(i32(popcount(mask) - 1)):
        mask = without_lowest(mask) if i < n else mask
    return lowest(mask)


def word(key, counter):
    """64 bits of chance: the same for the same key and counter, on any machine (SplitMix64, by counter)."""
    x = (key + counter * 0x9E3779B97F4A7C15) & _WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    return x ^ (x >> 31)


def below(x, n):
    """A number below n from the upper half of a word of chance."""
    return ((x >> 32) * n) >> 32


def below_too(x, n):
    """Another one, from the lower half."""
    return ((x & 0xFFFFFFFF) * n) >> 32


def key_of(seed, game, episode):
    """The key of all chance in one game: decks, first seat, and whatever its players leave to chance."""
    return word(word(word(seed, 1), game), episode)
