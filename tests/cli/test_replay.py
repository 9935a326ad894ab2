"""`forsale replay` and `forsale verify`."""

import json
from pathlib import Path

import pytest

from forsale import editions, game, record, shuffle
from tests.cli.commands import Run

RECORDS = Path(__file__).parents[1] / "records"
GOLDEN = sorted(RECORDS.glob("*.fsr"))
ONE = RECORDS / "iello-2020-4.fsr"


def edited(tmp_path: Path, *changes: tuple[str, str], source: Path = ONE) -> Path:
    """A copy of a golden record in which each of these texts, which must be there, is replaced once."""
    text = source.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    copy = tmp_path / "edited.fsr"
    copy.write_text(text, encoding="utf-8")
    return copy


def score_line(source: Path = ONE) -> str:
    return next(line for line in source.read_text(encoding="utf-8").splitlines() if line.startswith("[Score"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_json_tells_how_each_seat_ended(run: Run, file: Path) -> None:
    ran = run("replay", "--json", file)
    assert (ran.status, ran.err) == (0, "")
    told = json.loads(ran.out)
    edition, seats, *variant = file.stem.rsplit("-", 2) if file.stem.endswith("scarce") else file.stem.rsplit("-", 1)
    assert (told["edition"], told["seats"], told["variant"]) == (edition, int(seats), "scarce" if variant else None)
    assert told["finished"]
    assert told["score"] == [
        coins + sum(cheques) for coins, cheques in zip(told["coins"], told["cheques"], strict=True)
    ]
    best = max(zip(told["score"], told["coins"], strict=True))
    assert told["winners"] == [
        seat for seat, end in enumerate(zip(told["score"], told["coins"], strict=True)) if end == best
    ]
    assert [len(houses) for houses in told["houses"]] == [len(cheques) for cheques in told["cheques"]]
    assert len(told["players"]) == told["seats"]


def test_several_files_give_one_json_line_each(run: Run) -> None:
    ran = run("replay", "--json", *GOLDEN)
    assert [json.loads(line)["file"] for line in ran.out.splitlines()] == [str(file) for file in GOLDEN]


def test_table_shows_the_end(run: Run) -> None:
    ran = run("replay", ONE)
    told = json.loads(run("replay", "--json", ONE).out)
    assert ran.status == 0
    for word in ("iello-2020", "4 seats", "finished", "bills", "checks", *map(str, told["score"])):
        assert word in ran.out


def test_unfinished_record_is_a_position(run: Run, tmp_path: Path) -> None:
    lines = ONE.read_text(encoding="utf-8").splitlines()
    cut = [line for line in lines if not line.startswith("[Score")]
    cut = cut[: cut.index("") + 3]
    file = tmp_path / "cut.fsr"
    file.write_text("\n".join(cut) + "\n", encoding="utf-8")
    told = json.loads(run("replay", "--json", file).out)
    assert (told["finished"], told["score"], told["winners"]) == (False, None, None)
    assert [len(houses) for houses in told["houses"]] == [2, 2, 2, 2]
    assert "stops in auction 3" in run("replay", file).out
    assert "the game so far" in run("verify", file).out


def test_strict_refuses_a_wrong_score_and_lenient_reports_it(run: Run, tmp_path: Path) -> None:
    file = edited(tmp_path, (score_line(), '[Score "1 2 3 4"]'))
    run("replay", file).assert_refused("line ", "column 9", "got 1 2 3 4")
    ran = run("replay", "--lenient", "--json", file)
    assert ran.status == 0
    assert ran.err.count("\n") == 1
    assert json.loads(ran.out)["problems"][0] in ran.err


def test_lenient_reports_each_line_that_disagrees(run: Run, tmp_path: Path) -> None:
    rows = ONE.read_text(encoding="utf-8").splitlines()
    bad = [row.split("|")[0] + "| A1@9" if row.startswith(("B2 ", "B5 ")) else row for row in rows]
    file = tmp_path / "bad.fsr"
    file.write_text("\n".join(bad) + "\n", encoding="utf-8")
    run("replay", file).assert_refused(f"line {rows.index(next(r for r in rows if r.startswith('B2 '))) + 1}, ")
    ran = run("replay", "--lenient", file)
    assert ran.status == 0
    assert ran.err.count("\n") == 2


def test_one_bad_file_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.fsr"
    bad.write_bytes(b"\xff")
    ran = run("replay", "--json", bad, ONE, tmp_path / "missing.fsr")
    assert ran.status == 2
    assert len(ran.out.splitlines()) == 1
    assert [line.split(": ")[0] for line in ran.err.splitlines()] == ["forsale"] * 3
    assert "2 of 3 records are bad" in ran.err


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff\xfe", b"hello\n", b'[ForSale "2"]\n\n', b"x" * 2_000_000])
def test_what_is_not_a_record_gets_one_line(run: Run, tmp_path: Path, command: str, data: bytes) -> None:
    file = tmp_path / "x.fsr"
    file.write_bytes(data)
    run(command, file).assert_refused("x.fsr", "line 1, column ")


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_that_cannot_be_read(run: Run, tmp_path: Path, command: str) -> None:
    run(command, tmp_path / "missing.fsr").assert_refused("no such file")
    run(command, tmp_path).assert_refused("is a directory")


def test_markup_in_names_is_only_text(run: Run, tmp_path: Path) -> None:
    players = next(row for row in ONE.read_text(encoding="utf-8").splitlines() if row.startswith("[Players"))
    file = edited(tmp_path, (players, '[Players "[red]Ana[/]|B|C|D"]'))
    assert "[red]Ana[/]" in run("replay", file).out


# --- verify ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_verify_accepts_every_golden_record(run: Run, file: Path) -> None:
    ran = run("verify", file)
    assert (ran.status, ran.err) == (0, "")
    assert "verified" in ran.out


def verified(run: Run, file: Path) -> str:
    """The sentence of `verify`, without the name of the file."""
    ran = run("verify", file)
    assert (ran.status, ran.err) == (0, "")
    return ran.out.strip().removeprefix(f"{file}: ")


def test_verify_says_that_the_table_was_free_to_choose_without_seeds(run: Run) -> None:
    assert verified(run, ONE) == (
        "verified: the whole game follows the rules, and its cards are those committed to before it began. "
        "No player added a seed, so the table could have tried many deals and kept one that it liked."
    )


def test_verify_says_how_many_seats_added_a_seed(run: Run, tmp_path: Path) -> None:
    sentence = "verified: the game so far follows the rules, and its cards are those committed to before it began. "
    assert verified(run, seeded(tmp_path, "", "sun", "", "")) == sentence + "1 of 4 seats added a seed to the shuffle."
    assert verified(run, seeded(tmp_path, "a", "b", "", "c")) == sentence + "3 of 4 seats added a seed to the shuffle."
    assert "No player added a seed" in verified(run, seeded(tmp_path, "", "", "", ""))


def seeded(folder: Path, *seeds: str) -> Path:
    """A record of a game that has only begun, dealt with these seeds."""
    edition, secret = editions.load("iello-2020"), bytes(32)
    deal = shuffle.fair_deal(edition, 4, secret, seeds)
    state = game.new_game(edition, 4, deal.decks, deal.first)
    tags = {"Commitment": shuffle.commitment(secret), "Secret": secret.hex(), "Seeds": "|".join(seeds)}
    file = folder / "seeded.fsr"
    file.write_bytes(record.from_position(state, ["A", "B", "C", "D"], tags, []).to_bytes())
    return file


def tag_line(name: str) -> str:
    return next(row for row in ONE.read_text(encoding="utf-8").splitlines() if row.startswith(f"[{name} "))


@pytest.mark.parametrize("name", ["Commitment", "Secret"])
def test_verify_fails_without_proof(run: Run, tmp_path: Path, name: str) -> None:
    file = edited(tmp_path, (tag_line(name) + "\n", ""))
    run("verify", file).assert_refused(f"has no {name} tag, so its deal cannot be verified")
    assert run("replay", file).status == 0


def test_verify_refuses_another_secret(run: Run, tmp_path: Path) -> None:
    file = edited(tmp_path, (tag_line("Secret"), f'[Secret "{"0" * 64}"]'))
    run("verify", file).assert_refused("not the one that was committed to")
    file = edited(tmp_path, (tag_line("Secret"), '[Secret "none"]'))
    run("verify", file).assert_refused("expected a secret of 64 hexadecimal digits")


def test_verify_refuses_seeds_that_were_not_mixed_in(run: Run, tmp_path: Path) -> None:
    secret = tag_line("Secret")
    file = edited(tmp_path, (secret, secret + '\n[Seeds "a|b|c|d"]'))
    run("verify", file).assert_refused("but the deal says")
    file = edited(tmp_path, (secret, secret + '\n[Seeds "a|b"]'))
    run("verify", file).assert_refused("expected no seeds or one for each of 4 seats, got 2")


def test_verify_refuses_a_game_that_breaks_the_rules(run: Run, tmp_path: Path) -> None:
    file = edited(tmp_path, (score_line(), '[Score "1 2 3 4"]'))
    run("verify", file).assert_refused("column 9")
