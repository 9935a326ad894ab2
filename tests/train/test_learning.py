"""Lessons, the look back, and a run that is kept. Skipped, with the reason, where there is no PyTorch."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forsale.bots import champion
from forsale.bots.champion.weights import from_bytes
from forsale.encoding import ACTIONS, HOUSE
from forsale.train.recipe import Recipe

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'forsale[train]'")


def experience(done: list[bool], chances: list[list[float]], shares: list[list[float]], together: bool = False) -> Any:
    """One table of three, seat 0 to act each time, for itself or together with seat 1."""
    from forsale.train.learning import Experience

    steps = len(done)
    wide = torch.zeros((steps, 1, 6))
    wide[:, 0, :3] = torch.tensor(chances)
    won = torch.zeros((steps, 1, 6))
    won[:, 0, :3] = torch.tensor(shares)
    nothing = torch.zeros((steps, 1))
    masks = torch.zeros((steps, 1, ACTIONS), dtype=torch.bool)
    to_act = torch.zeros((steps, 1), dtype=torch.long)
    ended = torch.tensor(done)[:, None]
    team = torch.tensor([True, together, False, False, False, False]).expand(steps, 1, 6)
    return Experience(nothing, masks, nothing, nothing, wide, wide, to_act, team, ended, ended, won, won)


def learner(decay: float) -> Any:
    from forsale.train.learning import Learner
    from forsale.train.net import Net, spread_on

    return Learner(Net(16), spread_on("cpu", watching=True), Recipe(decay=decay))


def test_the_look_back_ends_where_a_game_does() -> None:
    played = experience(
        [False, True, False],
        [[0.2, 0.4, 0.4], [0.5, 0.25, 0.25], [0.3, 0.3, 0.4]],
        [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
    )
    rest = torch.tensor([[0.6, 0.2, 0.2, 0, 0, 0]])
    better, wins, _ = learner(0.5).look_back((played, rest, rest))
    assert wins[1, 0, :3].tolist() == [1, 0, 0]
    assert wins[0, 0, 0] == pytest.approx(0.5 * 1 + 0.5 * 0.5)
    assert wins[2, 0, 0] == pytest.approx(0.6)
    assert better[:, 0].tolist() == pytest.approx([0.55, 0.5, 0.3])


def test_choices_of_one_sale_are_one_step_of_the_look_back() -> None:
    """Seats 0 and 2 choose in a sale, then in the next one; what is revealed after each counts for both alike."""
    chances = [[0.2, 0.4, 0.4], [0.3, 0.3, 0.4], [0.6, 0.2, 0.2], [0.5, 0.2, 0.3]]
    played = experience([False] * 4, chances, [[0, 0, 0]] * 4)
    masks = played.masks.clone()
    masks[:, 0, [HOUSE + 3, HOUSE + 8]] = True
    played = played._replace(masks=masks, to_act=torch.tensor([[0], [2], [0], [2]]))
    rest = torch.tensor([[1.0, 0, 0, 0, 0, 0]])
    _, wins, _ = learner(0.5).look_back((played, rest, rest))
    assert wins[3, 0, 0] == wins[2, 0, 0] == 1
    assert wins[1, 0, 0] == wins[0, 0, 0] == pytest.approx(0.5 * 1 + 0.5 * 0.6)
    in_an_auction = played._replace(masks=torch.zeros_like(masks))  # where each bid is seen at once
    _, wins, _ = learner(0.5).look_back((in_an_auction, rest, rest))
    assert wins[:, 0, 0].tolist() == pytest.approx([0.4875, 0.675, 0.75, 1])


def test_partners_win_together() -> None:
    played = experience([True], [[0.2, 0.4, 0.4]], [[0, 1, 0]], together=True)
    rest = torch.zeros((1, 6))
    better, _, _ = learner(0.5).look_back((played, rest, rest))
    assert better[0, 0] == pytest.approx(0.4)


def test_seats_are_turned_there_and_back() -> None:
    from forsale.train.learning import from_seat, to_seat

    told = torch.arange(6.0)[None]
    seat, count = torch.tensor([2]), torch.tensor([4])
    at_the_table = from_seat(told, seat, count)
    assert at_the_table.tolist() == [[2, 3, 0, 1, 4, 5]]
    assert (to_seat(at_the_table, seat, count) == told).all()


def test_what_is_illegal_is_never_drawn_however_the_logits_drift() -> None:
    from forsale.train.learning import drawn
    from forsale.train.net import Net

    net = Net(16)
    with torch.no_grad():
        net.act.bias.fill_(-500.0)
    masks = torch.zeros((1000, ACTIONS), dtype=torch.bool)
    masks[:, 7] = masks[:, 9] = True
    told = net.tell(torch.randn(1000, net.inner[0].in_features), masks, torch.full((1000,), 4))
    assert set(drawn(told.logits).tolist()) == {7, 9}
    assert told.seats.softmax(-1)[:, 4:].sum() == 0


def plan(decisions: float = 1e9) -> Any:
    from forsale.train.run import Plan

    return Plan(decisions=decisions, tables=96, pool=20, exam_every=10**6, recipe=Recipe(steps=8, portion=256))


def lessons(run: Any, count: int) -> None:
    for _ in zip(range(count), run.lessons_until(float("inf")), strict=False):
        pass


def test_a_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forsale.train import exams, log
    from forsale.train.run import Run, RunError

    monkeypatch.setattr(exams, "usual", dict)
    run = Run(plan(), "cpu", tmp_path)
    lessons(run, 3)
    run.save()
    weights = from_bytes((tmp_path / "champion.safetensors").read_bytes())
    for name, value in run.average.state_dict().items():
        assert weights[name] == pytest.approx(value.numpy(), abs=1e-3)
    again = Run(plan(), "cpu", tmp_path)
    assert (again.lessons, again.decisions) == (run.lessons, run.decisions)
    assert same(run.average, again.average)
    assert same(run.magnet, again.magnet)
    assert same(run.adversaries.net, again.adversaries.net)
    first, second = (one.learner.steps.state()[0]["step"] for one in (run, again))
    assert first == second
    with pytest.raises(RunError, match="is of another run: Plan\\(seed=1, "):
        Run(plan()._replace(seed=2), "cpu", tmp_path)
    assert Run(plan(2e9), "cpu", tmp_path).lessons == run.lessons, "a run may be made longer"
    lessons(again, 1)
    assert [lesson["lesson"] for lesson in log.read(tmp_path)][-1] == again.lessons


def same(one: Any, other: Any) -> bool:
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(bool((values == others).all()) for values, others in pairs)


def test_an_adversary_learns_beside_the_net_and_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forsale.train import exams
    from forsale.train.run import Run
    from forsale.train.tables import RAIDED

    monkeypatch.setattr(exams, "usual", dict)
    run = Run(plan()._replace(adversary_life=2, modes=((RAIDED, 1.0),)), "cpu", tmp_path)
    first = run.adversaries.net
    lessons(run, 1)
    assert run.adversaries.net is first
    assert not same(first, run.average)
    assert run.adversaries.state()["kept"] == []
    lessons(run, 1)
    (kept,) = run.adversaries.state()["kept"]
    for name, value in first.state_dict().items():
        assert kept[name].float() == pytest.approx(value, abs=0.02)
    assert same(run.adversaries.net, run.average), "another begins as the net is"
    lessons(run, 1)
    tables = slice(0, 96)
    earlier, live = run.adversaries.others(tables, np.random.default_rng(1))
    assert (earlier.tables, live.tables) == (slice(0, 38), slice(38, 96))
    assert live.net is run.adversaries.net
    run.save()
    assert len(Run(run.plan, "cpu", tmp_path).adversaries.state()["kept"]) == 1


def test_a_bot_makes_the_likeliest_bid_and_draws_its_house() -> None:
    from forsale.train.learning import at_a_table, drawn

    masks = torch.zeros((2, ACTIONS), dtype=torch.bool)
    masks[0, [0, 2, 3]] = True
    masks[1, [HOUSE + 4, HOUSE + 9]] = True
    logits = torch.randn((2, ACTIONS)).masked_fill(~masks, -1e9)
    logits[0, 2] = logits[0].max() + 0.1
    played = torch.stack([drawn(at_a_table(logits, masks)) for _ in range(100)])
    assert set(played[:, 0].tolist()) == {2}
    assert set(played[:, 1].tolist()) == {HOUSE + 4, HOUSE + 9}


def test_the_magnet_holds_back_in_sales_among_nets_alone() -> None:
    from forsale.train.net import Net
    from forsale.train.steps import _loss

    torch.manual_seed(1)
    net, count = Net(16), 4
    masks = torch.zeros((count, ACTIONS), dtype=torch.bool)
    masks[:2, [0, 2, 3]] = True
    masks[2:, [HOUSE + 4, HOUSE + 9]] = True
    wary = torch.tensor([False, True, False, True])
    inputs, nothing = torch.randn(count, net.inner[0].in_features), torch.zeros(count)
    actions = torch.tensor([2, 2, HOUSE + 4, HOUSE + 4])
    logs = net.tell(inputs, masks, torch.full((count,), 4)).logits.log_softmax(-1)
    magnet = logs.roll(1, -1).masked_fill(~masks, -1e9).masked_fill(masks, 0.0) - 3 * torch.arange(ACTIONS)

    taken = (inputs, masks, actions, logs.gather(1, actions[:, None])[:, 0].detach(), nothing)
    rest = (torch.ones((count, 6)) / 4, torch.zeros((count, 6)), torch.full((count,), 4), wary, magnet.detach())

    def lost(where: int, pull: float) -> float:
        given: Any = [*(values[where : where + 1] for values in (*taken, *rest)), torch.tensor(1.0)]
        loss, _ = _loss(net, Recipe(pull=pull), torch.zeros(2), *given)
        return float(loss.detach())

    assert [lost(where, 1.0) > lost(where, 0.0) for where in range(count)] == [False, False, False, True]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no NVIDIA GPU")
def test_recorded_steps_change_the_net_as_plain_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when what fades has changed since, and with fewer decisions than were recorded."""
    from forsale.train import steps
    from forsale.train.net import Net

    torch.manual_seed(1)
    first, count = Net(64).cuda(), 1024
    masks = torch.rand((count, ACTIONS), device="cuda") < 0.2
    masks[:, 0] = True
    kinds = [
        torch.randn(count, first.inner[0].in_features),
        torch.zeros(count, dtype=torch.long),
        torch.full((count,), -2.0),
    ]
    inputs, actions, logs = (values.cuda() for values in kinds)
    wins, seats = torch.full((count, 6), 0.25, device="cuda"), torch.full((count,), 4, device="cuda")
    rest = (
        wins,
        wins,
        seats,
        torch.rand(count, device="cuda") < 0.5,
        torch.zeros(masks.shape, device="cuda").bfloat16(),
    )
    decisions = [inputs.bfloat16(), masks, actions, logs, torch.randn(count, device="cuda"), *rest]
    portions = [torch.randperm(count, device="cuda")[: 200 if step == 35 else 256] for step in range(60)]

    def learnt(plain: int) -> Any:
        monkeypatch.setattr(steps, "_PLAIN", plain)
        net = copy.deepcopy(first)
        taken = steps.Steps(net, Recipe(), compiled=True)
        for step, chosen in enumerate(portions):
            taken.fade(1e-3 / (1 + step // 10), (0.01, 0.05 / (1 + step)))
            figures = taken.take(decisions, chosen, torch.tensor(1.0 + step, device="cuda"))
        return torch.cat([values.flatten() for values in net.parameters()]), figures

    began = torch.cat([values.flatten() for values in first.parameters()])
    (plain, seen), (recorded, seen_too) = learnt(10**9), learnt(10)
    assert (plain - recorded).norm() < 0.01 * (plain - began).norm()
    assert seen_too.tolist() == pytest.approx(seen.tolist(), rel=0.01)


@pytest.mark.parametrize("together", [False, True])
def test_an_answer_begins_as_the_net_that_it_is_against(tmp_path: Path, together: bool) -> None:
    from forsale.train.run import Run
    from forsale.train.tables import ANSWER, PAIR

    weights = Path(champion.__file__).parent / "champion.safetensors"
    answering = plan()._replace(against=weights, modes=((PAIR if together else ANSWER, 1.0),), exam_every=10**6)
    run = Run(answering._replace(recipe=answering.recipe._replace(together=together)), "cpu", tmp_path)
    lessons(run, 1)
    shares = run.examine()["answers"]
    # As good as those that it meets, at first: one seat, or two, of so many.
    for seats in range(3, 7):
        assert shares[f"an answer, {seats} seats"] == pytest.approx((1 + together) / seats, abs=0.08)


def test_lessons_make_who_wins_less_of_a_surprise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forsale.train import exams
    from forsale.train.run import Run

    monkeypatch.setattr(exams, "usual", dict)
    run = Run(plan(), "cpu", tmp_path)
    told = [lesson["who wins"] for _, lesson in zip(range(25), run.lessons_until(float("inf")), strict=False)]
    assert np.mean(told[-3:]) < np.mean(told[:3])
