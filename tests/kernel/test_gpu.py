"""The same seeds give the same games on a GPU, bit for bit. Skipped, with the reason, where there is none."""

from random import Random
from typing import Any

import numpy as np
import pytest

from forsale import kernel, view
from forsale.bots.scripted import draw
from forsale.bots.scripted.policy import scripted
from forsale.kernel import KernelError
from forsale.kernel.devices import import_cuda, need_gpu
from tests.games import COMBOS, Combo, combo_game
from tests.kernel.comparing import any_legal

FOUR = Combo("iello-2020", 4, None)


@pytest.fixture(autouse=True, scope="module")
def _gpu() -> None:
    try:
        need_gpu()
    except KernelError as error:
        pytest.skip(str(error))


def pair(combo: Combo, games: int, seed: int = 1) -> tuple[kernel.Batch, kernel.Batch]:
    """The same games on the CPU and on the GPU."""
    cpu, gpu = (
        kernel.create(combo.edition, combo.seats, games, combo.variant, seed, device) for device in ("cpu", "cuda")
    )
    return cpu, gpu


def to_gpu(array: Any) -> Any:
    return import_cuda().to_device(np.ascontiguousarray(array))


def same(cpu: kernel.Batch, gpu: kernel.Batch) -> None:
    """All that a batch shows."""
    for name in ("to_act", "done", "win_shares", "scores", "coins"):
        assert (getattr(gpu, name).copy_to_host() == getattr(cpu, name)).all(), name
    assert (gpu.observe().copy_to_host() == cpu.observe()).all()
    assert (gpu.legal_mask().copy_to_host() == cpu.legal_mask()).all()


def same_outcomes(one: kernel.Outcomes, other: kernel.Outcomes) -> None:
    for mine, theirs in zip(one, other, strict=True):
        assert np.array_equal(mine, theirs)  # type: ignore[arg-type]


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_whole_games_are_the_same(combo: Combo) -> None:
    for device in ("cpu", "cuda"):
        told = kernel.play(combo.edition, combo.seats, 20_000, combo.variant, seed=3, device=device)
        if device == "cpu":
            expected = told
    same_outcomes(told, expected)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_scripted_bots_do_the_same(combo: Combo) -> None:
    """Also those whose limits come out of a sum: a GPU adds up a little differently."""
    rng = Random(str(combo))
    for _ in range(20):
        line_up = np.array([draw(rng) for _ in range(combo.seats)], np.float32)
        cpu, gpu = (
            kernel.play(combo.edition, combo.seats, 5_000, combo.variant, 3, scripted, line_up, device)
            for device in ("cpu", "cuda")
        )
        same_outcomes(gpu, cpu)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_positions_are_played_out_to_the_same_ends(combo: Combo) -> None:
    played = combo_game(combo, seed=3)
    for part in (0, 1, 2, 3):
        state = played.after(len(played.turns) * part // 4)
        for position in (state, view.of(state, 1)):
            cpu, gpu = (kernel.roll_out(position, 3000, seed=part, device=device) for device in ("cpu", "cuda"))
            same_outcomes(gpu, cpu)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_every_step_is_the_same(combo: Combo) -> None:
    cpu, gpu = pair(combo, games=1000)
    rng = np.random.default_rng(1)
    same(cpu, gpu)
    for _ in range(150):
        actions = any_legal(cpu, rng)
        cpu.step(actions)
        gpu.step(to_gpu(actions))
        same(cpu, gpu)
    assert [gpu.state(place) for place in range(5)] == [cpu.state(place) for place in range(5)]


@pytest.mark.parametrize("combo", COMBOS[::3], ids=str)
def test_advancing_is_the_same(combo: Combo) -> None:
    cpu, gpu = pair(combo, games=1000)
    rng = np.random.default_rng(2)
    seats = np.arange(1000) % combo.seats
    for _ in range(40):
        cpu.advance(seats)
        gpu.advance(to_gpu(seats))
        same(cpu, gpu)
        actions = any_legal(cpu, rng)
        cpu.step(actions)
        gpu.step(to_gpu(actions), check=False)


def test_positions_go_in_and_come_out() -> None:
    cpu, gpu = pair(FOUR, games=8)
    played = combo_game(FOUR, seed=5)
    for place in range(8):
        state = played.after(len(played.turns) * place // 8)
        position = view.of(state, place % 4) if place % 2 else state
        cpu.set(place, position)
        gpu.set(place, position)
    same(cpu, gpu)
    assert [gpu.state(place) for place in range(8)] == [cpu.state(place) for place in range(8)]


def test_reset_is_the_same() -> None:
    cpu, gpu = pair(FOUR, games=500)
    cpu.reset(9)
    gpu.reset(9)
    same(cpu, gpu)


def test_torch_sees_the_buffers_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    _, gpu = pair(FOUR, games=300)
    for buffer in (gpu.to_act, gpu.done, gpu.scores, gpu.observe(), gpu.legal_mask()):
        tensor = torch.as_tensor(buffer, device="cuda")
        assert tensor.data_ptr() == buffer.__cuda_array_interface__["data"][0]
    rows = torch.full((300, 122), -7, dtype=torch.int16, device="cuda")
    assert gpu.observe(rows) is rows
    assert (rows.cpu().numpy() == gpu.observe().copy_to_host()).all()
    flags = gpu.legal_mask(torch.zeros((300, 60), dtype=torch.bool, device="cuda"))
    gpu.step(torch.multinomial(flags.float(), 1).squeeze(1))


def test_bad_input_is_refused_and_nothing_is_done() -> None:
    _, gpu = pair(FOUR, games=3)
    before = [gpu.state(place) for place in range(3)]
    rng = Random(1)
    for actions, sentence in (
        (np.zeros(3, np.int64), "actions: expected an array on the GPU, got ndarray"),
        (to_gpu(np.zeros(4, np.int64)), r"actions: expected .* of shape \(3\)"),
        (to_gpu(np.zeros(3, np.float32)), "actions: expected int64 .* got float32"),
        (to_gpu(np.array([0, 0, 60])), "action 60 of game 2 is not legal; nothing was played"),
        (to_gpu(np.array([0, -1, rng.getrandbits(62)])), "action -1 of game 1 is not legal"),
    ):
        with pytest.raises(KernelError, match=sentence):
            gpu.step(actions)
    with pytest.raises(KernelError, match="seats: expected numbers from 0 to 3"):
        gpu.advance(to_gpu(np.array([0, 4, 0])))
    assert [gpu.state(place) for place in range(3)] == before
    gpu.step(to_gpu(np.array([60, -1, 2**40])), check=False)
    assert [gpu.state(place) for place in range(3)] == before
