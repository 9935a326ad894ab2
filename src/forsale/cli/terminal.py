"""Where the game is printed and the person types. Nothing else touches the terminal."""

import io
import sys

from rich.console import Console, RenderableType

_MAX_WIDTH = 100
"""Wider lines are hard to read, and tables fall apart."""


class Terminal:
    """Prints below what was printed before, so that the scrollback is the log of the game."""

    def __init__(self) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Where the output cannot show a character, a question mark is better than an end.
            sys.stdout.reconfigure(errors="replace")
        # No markup or emoji codes: names and words are shown as they were given.
        self._console = Console(highlight=False, markup=False, emoji=False)

    @property
    def someone_types(self) -> bool:
        """Whether a person sits there, and not a file or a pipe."""
        return sys.stdin.isatty()

    def show(self, *parts: RenderableType) -> None:
        for part in parts:
            self._console.print(part, width=min(self._console.width, _MAX_WIDTH))

    def ask(self, prompt: str = "> ") -> str:
        """A line from the person, in small letters. Raises `EOFError` where there is none."""
        try:
            line = self._console.input(prompt, markup=False, emoji=False)
        except UnicodeDecodeError:
            line = "\N{REPLACEMENT CHARACTER}"
        if not self.someone_types:
            # Nobody saw it typed: without this, a transcript would show questions and no answers.
            self.show(line)
        return line.strip().lower()
