"""Compiling: said once, kept for the next process, never stale, and no part of what does not need it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import forsale
from forsale.kernel import compiling

PACKAGE = Path(forsale.__file__).parent
PLAY = "from forsale import kernel; print(kernel.create(games=3, seed=5).state(0).decks.houses)"
SAID = "forsale: compiling the kernel; it is kept, so that the next use begins at once"

POLICY = "forsale: compiling games with this policy; that is done once in each process"


def run(code: str, path: Path, cache: Path, **more: str) -> tuple[str, str]:
    """In a process of its own: what it printed, and what it said on the side."""
    environment = {**os.environ, "PYTHONPATH": str(path), "XDG_CACHE_HOME": str(cache), **more}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package in another place, where it can be changed."""
    shutil.copytree(PACKAGE, tmp_path / "src" / "forsale", ignore=shutil.ignore_patterns("__pycache__", "server"))
    return tmp_path / "src"


def test_it_is_said_kept_and_made_anew_when_the_source_changes(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, said = run(PLAY, copy, cache)
    assert said.splitlines() == [SAID]
    again, said = run(PLAY, copy, cache)
    assert (again, said) == (first, "")
    # Another callee in another file: numba itself would not look there.
    source = copy / "forsale" / "scalar" / "course.py"
    text = source.read_text()
    assert text.count("below(x, i + 1 - houses_from)") == 1
    source.write_text(text.replace("below(x, i + 1 - houses_from)", "0"))
    other, said = run(PLAY, copy, cache)
    assert other != first
    assert said.splitlines() == [SAID]
    assert len(list((cache / "forsale").iterdir())) == 2


def test_the_name_of_the_folder_covers_all_that_compiled_code_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every module of ours that a compiled module imports, whether now or one day."""
    code = "import sys, forsale.kernel; print(*(name for name in sys.modules if name.startswith('forsale.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    covered = {path.relative_to(PACKAGE) for path in compiling._sources()}
    for name in loaded:
        parts = Path(*name.split(".")[1:])
        file = parts / "__init__.py" if (PACKAGE / parts).is_dir() else parts.with_suffix(".py")
        assert file in covered, name
    before = compiling.source_hash()
    compiling.source_hash.cache_clear()
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert compiling.source_hash() != before
    compiling.source_hash.cache_clear()


def test_a_policy_is_compiled_in_each_process_and_never_kept(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (copy / "mine.py").write_text(
        "import numba\n"
        "def plain(s, r, parameters, chance):\n"
        "    return kernel.uniform(s, r, parameters, chance)\n"
        "from forsale import kernel\n"
        "mine = numba.njit(plain)\n"
    )
    play = "from forsale import kernel; print(kernel.play(games=3).scores.tolist())"
    with_mine = "from forsale import kernel; import mine; print(kernel.play(games=3, policy=mine.mine).scores.tolist())"
    first, said = run(with_mine, copy, cache)
    assert sorted(said.splitlines()) == [POLICY, SAID]
    (copy / "mine.py").unlink()
    assert run(play, copy, cache) == (first, POLICY + "\n")


def test_a_cache_that_cannot_be_written_is_done_without(copy: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    (tmp_path / "passing").mkdir()
    out, said = run(PLAY, copy, blocked, TMPDIR=str(tmp_path / "passing"))
    assert out
    assert said.splitlines() == [SAID]
    assert not list((tmp_path / "passing").iterdir())


def test_without_numba_one_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['numba'] = None\nimport forsale.kernel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "ImportError: forsale.kernel needs numba: pip install forsale[fast]"


def test_starting_the_server_loads_nothing_heavy() -> None:
    code = "import sys; import forsale.server.app, forsale.cli.serve; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "starlette" in loaded
    assert not {"numpy", "numba", "torch", "gymnasium", "pettingzoo", "pyspiel"} & set(loaded)
