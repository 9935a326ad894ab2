"""Packages that offer bots, as pip would leave them on the path."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from forsale.bots import plugins

Install = Callable[..., None]

GOOD = '''
class Thrifty:
    """Passes until the money is worth more.

    And more that is not its character.
    """

    def choose(self, view, legal, rng):
        return legal[0]

def made():
    """Made by a function."""
    return Thrifty()

class Nameless:
    def choose(self, view, legal, rng):
        return legal[0]

class Dumb:
    """Cannot choose."""

class Breaks:
    """Breaks when it is made."""
    def __init__(self):
        raise RuntimeError("no net found")

number = 3
'''


@contextmanager
def installing(into: Path) -> Iterator[Install]:
    """Install packages there: their code, and what they offer."""

    def installed(package: str, code: str = GOOD, folder: Path = into, **offers: str) -> None:
        module = package.replace("-", "_")
        folder.mkdir(exist_ok=True)
        (folder / f"{module}.py").write_text(code)
        info = folder / f"{module}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
        lines = [f"{name.replace('__', '-')} = {module}:{value}" for name, value in offers.items()]
        (info / "entry_points.txt").write_text("\n".join(["[forsale.bots]", *lines, ""]))
        plugins.offered.cache_clear()

    yield installed
    plugins.offered.cache_clear()
