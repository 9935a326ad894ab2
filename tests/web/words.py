"""The client's own catalogues, so that a test presses what the screen calls a thing, in whatever words."""

import json
import re
from functools import cache
from pathlib import Path

I18N = Path(__file__).parents[2] / "web" / "src" / "i18n"


@cache
def catalogue(language: str) -> dict[str, str]:
    messages: dict[str, str] = {}
    for path in sorted((I18N / language).glob("*.json")):
        messages |= json.loads(path.read_text(encoding="utf-8"))
    return messages


def pattern(key: str, language: str = "en", **values: object) -> re.Pattern[str]:
    """What fits a message: with these values in their places, and anything in the others."""
    return re.compile(_expression(catalogue(language)[key], values))


def say(key: str, language: str = "en", **values: object) -> str:
    """A message without plurals, its names filled in."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]), catalogue(language)[key])


def left_over(texts: list[str], language: str, other: str) -> list[str]:
    """Texts of a screen in one language that are messages of the other."""
    own, foreign = _all(language), _all(other)
    return [text for text in texts if _fits(text, foreign) and not _fits(text, own)]


def _fits(text: str, patterns: tuple[re.Pattern[str], ...]) -> bool:
    return any(one.fullmatch(text) for one in patterns)


@cache
def _all(language: str) -> tuple[re.Pattern[str], ...]:
    """Those with words of their own: a message that is nearly all places would fit anything."""
    expressions = {_expression(message, {}) for message in catalogue(language).values()}
    return tuple(re.compile(one) for one in sorted(expressions) if re.search(r"[^\W\d_]{3}", one.replace(r"\d", "")))


def _expression(message: str, values: dict[str, object]) -> str:
    """The message as a regular expression; every form of a plural fits."""
    parts: list[str] = []
    at = 0
    while (start := message.find("{", at)) >= 0:
        end = _closing(message, start)
        parts += [re.escape(message[at:start]), _place(message[start + 1 : end], values)]
        at = end + 1
    return "".join(parts) + re.escape(message[at:])


def _place(inner: str, values: dict[str, object]) -> str:
    name, *plural = inner.split(",", 2)
    if not plural:
        return re.escape(str(values[name])) if name in values else ".+"
    forms: list[str] = []
    rest = plural[1]
    at = 0
    while (start := rest.find("{", at)) >= 0:
        end = _closing(rest, start)
        forms.append(_expression(rest[start + 1 : end], values).replace(r"\#", r"\d+"))
        at = end + 1
    return f"(?:{'|'.join(forms)})"


def _closing(message: str, start: int) -> int:
    depth = 0
    for at in range(start, len(message)):
        depth += {"{": 1, "}": -1}.get(message[at], 0)
        if not depth:
            return at
    raise ValueError(f"a brace is not closed: {message}")
