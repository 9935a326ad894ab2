"""Results for programs."""

import csv
import json
import sys
from pathlib import Path

import pytest

from forsale import game
from forsale.arena import ArenaError, Contest, play, summarise
from forsale.arena.files import need_parquet, to_json, write_csv, write_json, write_parquet
from forsale.arena.playing import Played
from tests.arena.contests import player_of, seated

CONTEST = Contest(("left", "timid", "right"), 2, seats=3, kind="distinct")


def test_a_line_of_the_csv_for_every_seat(tmp_path: Path) -> None:
    kept: list[Played] = []
    chunk = player_of(CONTEST, kept.append).play(1, 2)
    write_csv(tmp_path / "results.csv", CONTEST, [chunk])
    with (tmp_path / "results.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 2 * 3 * 3
    for line, (played, seat) in zip(lines, [(played, seat) for played in kept for seat in range(3)], strict=True):
        result = game.outcome(played.end)
        assert result is not None
        assert line == {
            "deal": str(played.deal),
            "line_up": "left,timid,right",
            "rotation": str(played.rotation + 1),
            "seat": game.seat_letter(seat),
            "bot": played.names[seat],
            "win_share": str((seat in result.winners) / len(result.winners)),
            "score": str(result.scores[seat]),
            "coins": str(result.coins[seat]),
            "place": str(result.places[seat]),
            "decisions": line["decisions"],
        }


def test_json_is_the_summary_without_what_differs_from_run_to_run(tmp_path: Path) -> None:
    summary = summarise(CONTEST, play(CONTEST, seated=seated))
    write_json(tmp_path / "results.json", summary)
    told = json.loads((tmp_path / "results.json").read_text())
    assert told == json.loads(json.dumps(to_json(summary)))
    assert told["contest"]["bots"] == ["left", "timid", "right"]
    assert told["contest"]["line_ups"] == ["left,timid,right"]
    assert told["games"] == 6
    assert set(told["houses"]) == {"left", "timid", "right"}
    assert all("seconds" not in standing for standing in told["standings"])


def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pip install 'forsale[arena]'")
    need_parquet()
    chunks = list(play(CONTEST, seated=seated))
    write_parquet(tmp_path / "results.parquet", CONTEST, chunks)
    write_csv(tmp_path / "results.csv", CONTEST, chunks)
    with (tmp_path / "results.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    rows = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in rows] == lines


def test_without_pyarrow_there_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ArenaError, match=r"^Parquet needs pyarrow: pip install 'forsale\[arena\]'$"):
        need_parquet()
