"""Bots of other packages: found by their entry points, loaded when they are asked for, harmless when they are bad."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from forsale import bots
from forsale.bots import BotError, Entry, plugins
from tests.bots.asking import ROOT
from tests.bots.installing import GOOD, Install, installing


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package, as pip would leave it on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    with installing(tmp_path) as install:
        yield install


def test_a_bot_of_another_package_is_found_made_and_listed(install: Install) -> None:
    install("thrifty-bots", thrifty="Thrifty", by__function="made")
    assert bots.names()[-2:] == ("by-function", "thrifty")
    entry = bots.find("thrifty")
    assert (entry.character, entry.package) == ("Passes until the money is worth more.", "thrifty-bots 1.5")
    assert bots.find("by-function").character == "Made by a function."
    assert type(bots.make("thrifty")).__name__ == "Thrifty"
    assert type(bots.make("by-function")).__name__ == "Thrifty"
    assert [found.name for found in bots.registered() if isinstance(found, Entry)] == list(bots.names())
    with bots.guarded(["thrifty"]) as (bot,):
        assert bot.label == "thrifty"


def test_the_package_of_the_page_is_found(install: Install) -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```text pyproject.toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    project = tomllib.loads(block)["project"]
    ((name, value),) = project["entry-points"][plugins.GROUP].items()
    module, _, thing = value.partition(":")
    assert module == project["name"].replace("-", "_")
    install(project["name"], **{name: thing})
    assert type(bots.make(name)).__name__ == thing


@pytest.mark.parametrize(
    ("package", "code", "value", "reason"),
    [
        ("p-syntax", "def", "X", "SyntaxError: "),
        ("p-missing", "import no_such_module", "X", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("p-attribute", GOOD, "X", "AttributeError: "),
        ("p-exits", "raise SystemExit(2)", "X", "SystemExit: 2"),
        ("p-number", GOOD, "number", "p_number:number is not a class or function that makes a bot"),
        ("p-nameless", GOOD, "Nameless", "p_nameless:Nameless has no docstring, whose first line tells its character"),
        ("p-dumb", GOOD, "Dumb", "p_dumb:Dumb makes a Dumb, which has no method choose"),
        ("p-breaks", GOOD, "Breaks", "RuntimeError: no net found"),
    ],
)
def test_a_bad_one_is_told_in_one_sentence_and_hinders_no_other(
    install: Install, package: str, code: str, value: str, reason: str
) -> None:
    install(package, code, bad=value)
    install("fine-bots", good="Thrifty")
    with pytest.raises(BotError) as refused:
        bots.make("bad")
    assert str(refused.value).startswith(f"the bot 'bad' of {package} 1.5 cannot be used: {reason}")
    assert "\n" not in str(refused.value)
    bots.make("good")
    bots.make("broker")
    assert {"bad", "good"} < set(bots.names())


def test_it_cannot_take_the_name_of_one_of_ours(install: Install) -> None:
    before = bots.names()
    install("shadow-bots", broker="Thrifty")
    assert bots.names() == before
    assert bots.find("broker").package == "forsale"
    (error,) = (found for found in bots.registered() if isinstance(found, BotError))
    assert str(error).endswith("'broker' of shadow-bots 1.5 cannot be used: forsale has one of the same name")


@pytest.mark.parametrize("name", ["cmd:ls", "Upper", "two words", "a,b", "x" * 41])
def test_not_every_name_is_one(install: Install, name: str) -> None:
    install("strange-bots", **{name: "Thrifty"})
    assert name not in bots.names()
    with pytest.raises(BotError, match="expected a bot among"):
        bots.find(name)
    (error,) = (found for found in bots.registered() if isinstance(found, BotError))
    assert "a bot's name has up to 40 small letters" in str(error)


def test_of_two_packages_with_the_same_name_for_a_bot_neither_is_guessed(install: Install) -> None:
    install("first-bots", twin="Thrifty")
    install("second-bots", twin="Thrifty")
    with pytest.raises(BotError, match="the bot 'twin' of .*-bots 1.5 cannot be used: .*-bots 1.5 has one of the same"):
        bots.find("twin")


def test_a_package_that_is_on_the_path_twice_offers_its_bots_once(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("again-bots", again="Thrifty")
    monkeypatch.syspath_prepend(str(tmp_path / "older"))
    install("again-bots", folder=tmp_path / "older", again="Thrifty")
    bots.make("again")


def test_a_damaged_package_hides_no_other(install: Install, tmp_path: Path) -> None:
    install("whole-bots", whole="Thrifty")
    install("damaged-bots")
    (tmp_path / "damaged_bots-1.5.dist-info" / "entry_points.txt").write_bytes(b"[forsale.bots]\n\xff\xfe = \x00\n=")
    plugins.offered.cache_clear()
    bots.make("whole")


def test_nothing_of_a_package_is_imported_before_it_is_asked_for(install: Install, tmp_path: Path) -> None:
    """Nor are packages looked for, as long as one of ours is asked for."""
    install("loud-bots", "raise SystemExit('imported')", loud="X")
    code = (
        "import sys; from forsale import bots; bots.make('broker'); "
        "assert 'importlib.metadata' not in sys.modules; assert 'subprocess' not in sys.modules; "
        "assert 'loud' in bots.names(); assert 'loud_bots' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; {code}"], check=True)
