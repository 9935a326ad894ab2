"""`forsale train`, from the outside."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.commands import Run

HAS_TORCH = find_spec("torch") is not None


@pytest.mark.skipif(HAS_TORCH, reason="PyTorch is installed")
def test_what_is_missing_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    ran = run("train", "--out", tmp_path / "run")
    assert (ran.status, ran.err) == (2, "forsale: forsale train needs PyTorch: pip install 'forsale[train]'\n")
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_a_folder_has_one_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"")
    ran = run("train", "--out", tmp_path, "--device", "cpu")
    assert (ran.status, ran.err) == (2, f"forsale: {tmp_path}: there is a run already; --resume goes on with it\n")
    ran = run("train", "--out", tmp_path, "--device", "cpu", "--resume")
    assert (ran.status, ran.err) == (2, f"forsale: {tmp_path / 'checkpoint.pt'}: damaged: EOFError\n")
    ran = run("train", "--out", tmp_path / "new", "--device", "cpu", "--resume")
    assert (ran.status, ran.err) == (2, f"forsale: {tmp_path / 'new'}: there is no run to go on with\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--out'"),
        (["--out", "x", "--decisions", "0"], "'--decisions': 0.0 is not in the range x>0"),
        (["--out", "x", "--minutes", "-1"], "'--minutes': -1.0 is not in the range x>0"),
        (["--out", "x", "--tables", "3"], "'--tables': 3 is not in the range x>=96"),
        (["--out", "x", "--pair"], "--pair: expected --against FILE, the champion to find an answer to"),
        (["--out", "x", "--against", "nothing.safetensors"], "'--against': File 'nothing.safetensors' does not exist."),
        (["--out", "x", "--device", "tpu"], "'--device': 'tpu' is not one of 'cuda', 'cpu'"),
    ],
)
def test_bad_input_has_status_2(run: Run, arguments: list[str], said: str) -> None:
    ran = run("train", *arguments)
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1
