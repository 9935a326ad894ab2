"""The documents: whatever a page shows is run, loaded, replayed or followed.

Examples in Python are run by pytest itself. Of the blocks here, one such as `toml short-street.toml` is also a file for
the commands that come after it on its page.
"""

import doctest
import functools
import glob
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import click
import pytest

from forsale import bots, editions, record
from forsale.cli import cli
from forsale.editions import Edition

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(page.relative_to(ROOT).as_posix() for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
README = "README.md"
RULES = "docs/rules.md"

TESTED = {"console", "python", "toml", "fsr"}
SHOWN = {"ebnf", "text"}


class Block(NamedTuple):
    """A fenced block of a page: its line, its kind, the file that it is, if any, and its text."""

    line: int
    kind: str
    file: str | None
    text: str


@functools.cache
def source(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@functools.cache
def blocks(page: str) -> tuple[Block, ...]:
    fences = re.finditer(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", source(page), re.MULTILINE | re.DOTALL)
    return tuple(
        Block(source(page).count("\n", 0, fence.start()) + 1, fence[1], fence[2], fence[3]) for fence in fences
    )


def prose(page: str) -> str:
    """The page without its blocks."""
    return re.sub(r"^```.*?^```$", "", source(page), flags=re.MULTILINE | re.DOTALL)


def pages_with(*kinds: str) -> list[str]:
    return [page for page in PAGES if any(block.kind in kinds for block in blocks(page))]


# --- Blocks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_of_a_kind_that_is_known(page: str) -> None:
    assert source(page).count("```") == 2 * len(blocks(page)), "expected every fence at the start of a line"
    known = TESTED if page == README else TESTED | SHOWN
    assert {block.kind for block in blocks(page)} <= known


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_is_where_pytest_runs_it(page: str) -> None:
    assert page == README or page.startswith("docs/")
    assert all(block.text.startswith(">>> ") for block in blocks(page) if block.kind == "python")


def edition_files(page: str, folder: Path) -> list[Edition]:
    """The editions that a page shows, read as a user's own."""
    texts = [block.text for block in blocks(page) if block.kind == "toml"]
    paths = [folder / f"{number}.toml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return [editions.load(path) for path in paths]


@pytest.mark.parametrize("page", pages_with("toml"))
def test_editions_can_be_loaded(page: str, tmp_path: Path) -> None:
    for edition in edition_files(page, tmp_path):
        assert edition.id not in editions.published()


@pytest.mark.parametrize("page", pages_with("fsr"))
def test_records_can_be_replayed(page: str, tmp_path: Path) -> None:
    own = {edition.id: edition for edition in edition_files(page, tmp_path)}
    for block in blocks(page):
        if block.kind == "fsr":
            written = record.from_text(block.text)
            assert written.to_text() == block.text
            record.replay(written, own.get(written.tag("Edition") or ""))


# --- Commands ------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A command and what it is shown to print."""

    command: str
    output: str


def steps(block: Block) -> list[Step]:
    assert block.text.startswith("$ "), f"line {block.line}: expected a command first"
    found = re.split(r"^\$ (.+)\n", block.text, flags=re.MULTILINE)[1:]
    return [Step(*pair) for pair in zip(found[::2], found[1::2], strict=True)]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def check_make(words: list[str]) -> None:
    assert words[0] in make_targets()
    assert all(word.startswith("ARGS=") for word in words[1:])


def check_pip(words: list[str]) -> None:
    assert words == ["install", "."]


def check_pytest(words: list[str]) -> None:
    assert all((ROOT / word).exists() for word in words)


def check_python(words: list[str]) -> None:
    assert words[0] == "-m"
    assert importlib.util.find_spec(words[1])


def check_sh(words: list[str]) -> None:
    assert words[:2] == ["scripts/setup.sh", "npm"]
    scripts = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["scripts"]
    assert words[-1] in scripts


# What is not run, because it makes an environment or takes long: it must name what exists.
NAMED: Mapping[str, Callable[[list[str]], None]] = {
    "make": check_make,
    "pip": check_pip,
    "sh": check_sh,
    ".venv/bin/pytest": check_pytest,
    ".venv/bin/python": check_python,
}


def forsale(arguments: list[str], typed: str, folder: Path) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    return subprocess.run(
        [sys.executable, "-m", "forsale", *arguments],
        cwd=folder,
        env=plain | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1", "COLUMNS": "80", "NO_COLOR": "1"},
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def typed_in(output: str) -> str:
    """What a person types in a shown dialogue: the rest of each line that begins with the prompt."""
    return "".join(f"{answer}\n" for answer in re.findall(r"^> (.*)$", output, re.MULTILINE))


def tidy(output: str) -> str:
    """Tables are padded with spaces and empty lines; a page is not."""
    return "\n".join(line.rstrip() for line in output.splitlines()).strip("\n") + "\n"


def run_step(step: Step, folder: Path) -> None:
    program, *words = shlex.split(step.command)
    if program in NAMED:
        NAMED[program](words)
        assert not step.output, f"{program} is not run here, so no output of it can be shown"
        return
    assert program == "forsale"
    arguments = [name for word in words for name in (sorted(glob.glob(word, root_dir=folder)) or [word])]
    result = forsale(arguments, typed_in(step.output), folder)
    refused = step.output.startswith("forsale: ")
    assert result.returncode == (2 if refused else 0), result.stdout
    want, got = tidy(step.output), tidy(result.stdout)
    matches = doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)
    assert matches, f"$ {step.command}\n{got}\ninstead of\n{want}"


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_print_what_is_shown(page: str, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8", newline="\n")
        if block.kind == "console":
            for step in steps(block):
                run_step(step, tmp_path)


def in_code(page: str) -> list[str]:
    """What the prose of a page sets in code, such as `make test`."""
    return re.findall(r"`([^`\n]+)`", prose(page))


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_prose_exist(page: str) -> None:
    for words in map(str.split, in_code(page)):
        match words:
            case ["make", target, *_]:
                assert target in make_targets()
            case ["forsale", command, *rest] if command.isalpha():
                found = cli.commands[command]
                if isinstance(found, click.Group):
                    found = found.commands[rest[0]] if rest else found
                options = {name for parameter in found.params for name in parameter.opts}
                assert {word for word in rest if word.startswith("-")} <= options


@pytest.mark.parametrize("page", PAGES)
def test_files_in_the_prose_exist(page: str) -> None:
    for name in in_code(page):  # but not one such as src/forsale/bots/NAME.py
        if re.fullmatch(r"(src|tests|docs|scripts|requirements)/[a-z0-9_./-]+\.[a-z]+", name):
            assert (ROOT / name).exists(), name


# --- Links ---------------------------------------------------------------------------------------------------


@functools.cache
def anchors(page: str) -> set[str]:
    """The names that GitHub gives to headings."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
    assert len(set(slugs)) == len(slugs), "expected no heading twice on a page"
    return set(slugs)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = (ROOT / page).parent / path if path else ROOT / page
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked.resolve().relative_to(ROOT).as_posix()), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = {README}, [README]
    while waiting:
        page = waiting.pop()
        for target in re.findall(r"\]\(([^)#\s]+\.md)", prose(page)):
            if target.startswith("https://"):
                continue
            linked = ((ROOT / page).parent / target).resolve().relative_to(ROOT).as_posix()
            if linked not in reached:
                reached.add(linked)
                waiting.append(linked)
    assert reached == set(PAGES)


# --- Tables --------------------------------------------------------------------------------------------------

Table = list[dict[str, str]]


def tables(page: str, first: str) -> list[Table]:
    """The tables of a page whose first column is called so: a mapping for each row, without marks such as `."""
    found = []
    for rows in re.findall(r"(?:^ *\|.*\|\n)+", prose(page), re.MULTILINE):
        cells = [[_plain(cell) for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]] for row in rows.splitlines()]
        head, _, *body = cells
        if head[0] == first:
            found.append([dict(zip(head, row, strict=True)) for row in body])
    return found


def _plain(cell: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").strip()


def by_seats(values: Mapping[int, int]) -> str:
    return "/".join(str(values[seats]) for seats in sorted(values))


def auctions(edition: Edition, variant: str | None = None) -> str:
    return by_seats({seats: edition.rules(seats, variant).auctions for seats in edition.seats})


def removed_with_scarce(edition: Edition) -> str:
    return by_seats(edition.variants["scarce"].removed) if edition.variants else "no variant"


# Each column that a table of editions may have, by the start of its heading.
COLUMNS: Mapping[str, Callable[[Edition], str]] = {
    "edition": lambda edition: edition.id,
    "coins each, 3/4/5/6 seats": lambda edition: by_seats(edition.coins),
    "removed from each deck": lambda edition: by_seats(edition.removed),
    "auctions": auctions,
    "from": lambda edition: edition.source,
    "half a bid is rounded": lambda edition: edition.refund,
    "lowest opening bid": lambda edition: str(edition.lowest_bid),
    "coins are hidden": lambda edition: edition.coins_hidden,
    "variant": lambda edition: ", ".join(edition.variants) or "–",
    "removed with scarce, 3/4/5/6 seats": removed_with_scarce,
    "auctions with scarce": lambda edition: auctions(edition, "scarce") if edition.variants else "–",
    "house": lambda edition: edition.words["en"].house[0],
    "cheque": lambda edition: edition.words["en"].cheque[0],
    "coin": lambda edition: edition.words["en"].coin[0],
    "a cheque of 0": lambda edition: edition.words["en"].void or "–",
}


@pytest.mark.parametrize(("page", "number"), [(README, 1), (RULES, 4)])
def test_tables_of_editions_agree_with_the_data(page: str, number: int) -> None:
    found = tables(page, "edition")
    assert len(found) == number
    for table in found:
        expected = [editions.load(name) for name in editions.published()]
        assert table == [{name: COLUMNS[name](edition) for name in table[0]} for edition in expected]


def test_the_rules_show_all_that_differs_between_editions() -> None:
    assert {name for table in tables(RULES, "edition") for name in table[0]} == set(COLUMNS) - {"variant"}


def test_the_readme_lists_every_command() -> None:
    (table,) = tables(README, "command")
    assert sorted(row["command"].split()[1] for row in table) == sorted(cli.commands)


def test_the_table_of_bots_is_the_registry() -> None:
    (table,) = tables("docs/bots.md", "name")
    assert table == [{"name": name, "character": bots.find(name).character} for name in bots.names()]


def test_every_decision_is_in_the_index() -> None:
    (table,) = tables("docs/decisions/README.md", "number")
    files = sorted((ROOT / "docs/decisions").glob("0*.md"))
    titles = [source(f"docs/decisions/{file.name}").partition("\n")[0] for file in files]
    assert [f"# {row['number']}: {row['decision']}" for row in table] == [title.replace("`", "") for title in titles]


# --- Levels --------------------------------------------------------------------------------------------------


def levels(when: str) -> list[set[str]]:
    """The rooms of docs/architecture.md that are there now, or come later, from the highest level down."""
    (table,) = tables("docs/architecture.md", "level")
    order = sorted({int(row["level"]) for row in table if row["when"] == when}, reverse=True)
    return [{row["room"] for row in table if row["when"] == when and int(row["level"]) == level} for level in order]


def test_the_levels_are_those_that_are_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    (contract,) = settings["importlinter"]["contracts"]
    assert levels("now") == [set(layer.split(" | ")) for layer in contract["layers"]]


@pytest.mark.parametrize(("when", "others"), [("now", {"web"}), ("later", set())])
def test_the_picture_shows_the_same_rooms(when: str, others: set[str]) -> None:
    space = "{http://www.w3.org/2000/svg}"
    picture = ElementTree.parse(ROOT / "docs/architecture.svg")
    names = picture.iterfind(f"{space}g[@class='{when}']/{space}text[@class='name']")
    assert {name.text for name in names} == set().union(others, *levels(when))
