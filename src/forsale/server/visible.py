"""Whether a text can be seen: some characters count as letters or symbols, and still draw nothing.

Unicode has no property for this. Most of them are *default ignorable*; the rest are blanks with a name of their own,
such as the empty Braille cell. `str.isprintable` lets all of them pass.
"""

import unicodedata

_BLANK = frozenset(
    "\u034f"  # combining grapheme joiner
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # Khmer inherent vowels
    "\u2800"  # Braille pattern blank
    "\U00013441\U00013442"  # Egyptian hieroglyph full blank and half blank
    "\U00016fe4"  # Khitan small script filler
    "\U0001d159"  # musical symbol null notehead
)
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_LETTER_SELECTORS = frozenset(
    map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E), 0x180F))
)
_KEYCAP = "\u20e3"


def is_visible(text: str) -> bool:
    """Whether at least one character draws something: not only spaces, marks, fillers and control characters.

    >>> is_visible("Ana"), is_visible(" \u3164\u2800"), is_visible("\u0301")
    (True, False, False)
    """
    return any(unicodedata.category(each)[0] in "LNPS" and each not in _BLANK for each in text)


def has_blanks(text: str) -> bool:
    """Whether a character draws nothing where it stands: the text then looks like another one without it.

    A variation selector is fine after what it can vary: a symbol (❤️), a keycap's digit (1️⃣), an ideograph.

    >>> has_blanks("Ana\u3164"), has_blanks("Ana\ufe0f"), has_blanks("❤\ufe0f")
    (True, True, False)
    """
    around = zip(" " + text, text, text[1:] + " ", strict=False)
    return any(each in _BLANK or not _may_stand(before, each, after) for before, each, after in around)


def _may_stand(before: str, each: str, after: str) -> bool:
    if each in _EMOJI_SELECTORS:
        return after == _KEYCAP or (not before.isascii() and unicodedata.category(before)[0] in "PS")
    if each in _LETTER_SELECTORS:
        return unicodedata.category(before) in ("Lo", "Sm", "So")
    return True
