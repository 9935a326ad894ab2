"""Whole games through the command, as a person would type them."""

import builtins
import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from forsale import bots, editions, record, shuffle
from forsale.bots import BotError
from forsale.bots.broker import Broker
from forsale.cli.play import play
from forsale.editions import EditionError
from forsale.game import OVER, SELLING, Action, GameEnded, HouseChosen
from forsale.shuffle import Opening
from forsale.view import Earlier, View
from tests.cli.commands import Ran, Run

NUMBERS = "".join(f"{number}\n" for number in range(1, 31))
PASSING = "p\n" * 15 + NUMBERS * 20
"""A whole game: what does not fit is refused and asked again, so each line in turn is tried."""
BIDDING = "\n" * 100 + NUMBERS * 20

GAMES = [(edition, seats, None) for edition in editions.published() for seats in (3, 4, 5, 6)]
SCARCE = [(edition, seats, "scarce") for edition in ("iello-2020", "iello-2015") for seats in (3, 4, 5, 6)]


def played(*args: str, typed: str = PASSING, seed: str = "test") -> Result:
    return CliRunner().invoke(play, ["--seed", seed, *args], input=typed)


def last_line(result: Result) -> str:
    return " ".join(result.output.rpartition("> ")[2].split())


@pytest.mark.parametrize("typed", [PASSING, BIDDING], ids=["passing", "bidding"])
@pytest.mark.parametrize(("edition", "seats", "variant"), [*GAMES, *SCARCE])
def test_a_whole_game_is_played_and_recorded(
    edition: str, seats: int, variant: str | None, typed: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.fsr"
    chosen = ["--variant", variant] if variant else []
    result = played("--edition", edition, "--seats", str(seats), *chosen, "--record", str(file), typed=typed)
    assert result.exit_code == 0, result.output
    assert "The game is over." in result.output
    assert f"forsale verify {file}" in result.output.replace("\n", "")
    written = record.from_bytes(file.read_bytes())
    replayed = record.replay(written)
    assert replayed.state.phase is OVER
    assert written.tag("Bots") == "|broker" * (seats - 1)
    secret = written.tag("Secret")
    assert secret is not None
    assert secret in result.output
    commitment = written.tag("Commitment")
    assert commitment is not None
    assert commitment in result.output
    opening = Opening(commitment, shuffle.secret_from_hex(secret))
    shuffle.verify(replayed.edition, seats, variant, opening, written.first, replayed.state.history)
    assert list(tmp_path.iterdir()) == [file]


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    published = Path(editions.__file__).parent.joinpath("manual.toml").read_text("utf-8")
    own = tmp_path / "own.toml"
    own.write_text(published.replace('"manual"', '"attic"').replace('"Coin"', '"[red]Shell[/red]"'), "utf-8")
    result = played("--edition", str(own), "--record", str(tmp_path / "game.fsr"))
    assert result.exit_code == 0
    written = record.from_bytes((tmp_path / "game.fsr").read_bytes())
    assert record.replay(written, editions.load(own)).state.phase is OVER
    command = result.output.replace("\n", "").partition("cards were fair:")[2]
    assert command == f"forsale verify --edition {own} {tmp_path / 'game.fsr'}"


def test_the_same_seed_gives_the_same_game() -> None:
    assert played().output == played().output
    assert played().output != played(seed="another").output
    assert played(seed="\udcff").exit_code == 0


def test_without_a_seed_every_game_has_its_own_secret() -> None:
    first, second = (CliRunner().invoke(play, [], input="q\n").output for _ in range(2))
    assert first != second


def test_bots_of_several_kinds() -> None:
    result = played("--bots", "random, broker,random", typed="q\n")
    assert "random: Does anything" in result.output
    assert "broker: Buys" in result.output
    seats = [line.split()[:3] for line in result.output.splitlines()]
    assert ["B", "Bo", "random"] in seats
    assert ["C", "Cy", "broker"] in seats


@pytest.mark.parametrize("level", ["lodger", "landlord", "developer"])
def test_a_whole_game_against_a_level(level: str) -> None:
    result = played("--bots", level, typed=BIDDING)
    assert result.exit_code == 0, result.output
    assert "The game is over." in result.output
    assert f"{level}: {bots.find(level).character}" in " ".join(result.output.split())


def test_the_help_has_the_levels_in_order() -> None:
    said = " ".join(CliRunner().invoke(play, ["--help"]).output.split())
    assert f"From the weakest on: {', '.join(bots.LEVELS)}." in said


def test_a_name_of_ones_own() -> None:
    result = played("--name", "bo [b]", typed="q\n")
    assert "A bo [b]" in result.output
    result = played("--name", "bo", "--seats", "6", typed="q\n")
    assert "A bo" in result.output
    assert "against Cy, Dot, Eli, Fay and Gus" in result.output


# --- Asking -----------------------------------------------------------------------------------------


def test_what_is_not_understood_is_said_in_a_sentence_and_asked_again() -> None:
    result = played(typed="what\nq\n")
    assert "> what\nType p to pass, or a number from " in result.output
    assert result.output.count("q  quit") == 2
    assert result.exit_code == 0


def test_the_engine_says_why_a_bid_is_refused() -> None:
    output = played(typed="0\n99\nq\n").output
    assert "> 99\nBid 99 is more than the 21 that seat A has.\n" in output
    assert "> 0\nBid 0 is " in output


def test_the_engine_says_why_a_sale_is_refused() -> None:
    output = played(typed="p\n" * 7 + "31\n\nq\n").output
    assert "> 31\nHouse 31 is not in the hand of seat A: " in output
    assert "Type the number of the one that you sell: " in output


def test_input_that_is_not_text_is_refused_like_any_other() -> None:
    result = CliRunner().invoke(play, ["--seed", "test"], input=b"\xff\xfe\nq\n")
    assert "> \N{REPLACEMENT CHARACTER}\nType p to pass" in result.output
    assert "Good-bye" in result.output


def test_a_jump_asks_for_a_y() -> None:
    output = played(typed="20\nn\n20\ny\nq\n").output
    assert output.count("Bid 20, where ") == 2
    assert output.count("would be enough? y/n > ") == 2
    assert output.count("You bid 20.") == 1
    assert "You bid" not in played(typed="20\nq\n").output


def test_a_forced_pass_waits_for_enter() -> None:
    output = played("--edition", "classic", "--bots", "random", typed=BIDDING).output
    assert "You must: a bid would take " in output
    assert "(Enter passes)" in output


def test_help_is_followed_by_the_question() -> None:
    output = played(typed="?\nq\n").output
    assert "b or Enter  bid the least that is allowed" in output
    assert output.count("Your turn") == 2
    assert output.count("q  quit") == 2 + 1  # the help has a line for q itself


def test_the_tracker_is_off_unless_asked_for() -> None:
    typed = "p\n" * 3 + "q\n"
    assert "Tracker" not in played(typed=typed).output
    assert "Tracker" not in played("--no-tracker", typed=typed).output
    output = played("--tracker", typed=typed).output
    assert "Tracker" in output
    assert "Unseen" in output
    assert "?  help" in output
    assert not any(line.endswith(" ?") for line in output.splitlines())


# --- Another game -----------------------------------------------------------------------------------


class Keyboard(io.StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_keyboard(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def play(typed: str, *args: str) -> Ran:
        monkeypatch.setattr(sys, "stdin", Keyboard(typed))
        return run("play", "--seed", "test", *args)

    return play


def passing(number: int = 1) -> str:
    """All that is typed in a game of the seed `test`, and no more: as many lines as were asked for."""
    seed = "test" if number == 1 else f"test {number}"
    asked = re.findall("^> ", played(seed=seed).output, re.MULTILINE)
    return "".join(PASSING.splitlines(keepends=True)[: len(asked)])


ANOTHER = "\nAnother game, with the same rivals? y/n > "


def test_who_sits_there_is_offered_another_game_and_the_bots_remember_those_before(
    at_keyboard: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[Earlier, ...]] = []
    choose = Broker.choose

    def noting(self: Broker, view: View, legal: Sequence[Action], rng: Random) -> Action:
        told.append(view.earlier)
        return choose(self, view, legal, rng)

    typed = "y\n".join(passing(number) for number in range(1, 6))
    monkeypatch.setattr(Broker, "choose", noting)
    ran = at_keyboard(f"{typed}n\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("The game is over.") == ran.out.count(ANOTHER) == 5
    assert len(set(re.findall("[0-9a-f]{64}", ran.out))) == 10
    games = list(dict.fromkeys(told))
    assert [len(earlier) for earlier in games] == [0, 1, 2, 3, 3]
    assert games[4][:2] == games[3][1:]
    assert {one.seats for earlier in games for one in earlier} == {(0, 1, 2, 3)}
    assert all(isinstance(one.history[-1], GameEnded) for earlier in games for one in earlier)


@pytest.mark.parametrize("typed", ["n\n", "\n", "q\n", ""])
def test_who_does_not_say_yes_goes(at_keyboard: Callable[..., Ran], typed: str) -> None:
    ran = at_keyboard(passing() + typed)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.rstrip().endswith(ANOTHER.rstrip())


def test_a_second_game_can_be_left_like_the_first(at_keyboard: Callable[..., Ran]) -> None:
    ran = at_keyboard(f"{passing()}y\nq\n")
    assert ran.status == 0
    assert ran.out.endswith("Good-bye. The game stays unfinished.\n")


def test_a_record_is_of_one_game(at_keyboard: Callable[..., Ran], tmp_path: Path) -> None:
    ran = at_keyboard(passing(), "--record", str(tmp_path / "game.fsr"))
    assert ran.status == 0
    assert ANOTHER not in ran.out


def test_nobody_is_asked_where_nobody_sits() -> None:
    assert ANOTHER not in played().output


# --- Leaving ----------------------------------------------------------------------------------------


def test_q_quits() -> None:
    result = played(typed="q\n")
    assert result.exit_code == 0
    assert last_line(result) == "q Good-bye. The game stays unfinished."


def test_the_end_of_the_input_quits() -> None:
    result = played(typed="p\n")
    assert result.exit_code == 130
    assert last_line(result) == "Good-bye. The game stays unfinished."


@pytest.mark.parametrize(("typed", "status"), [("q\n", 0), ("", 130)])
def test_the_status_of_the_whole_command(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, status: int) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    ran = run("play", "--seed", "test")
    assert (ran.status, ran.err) == (status, "")


def test_an_interrupt_quits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupted)
    file = tmp_path / "game.fsr"
    result = played("--record", str(file))
    assert result.exit_code == 130
    assert last_line(result).startswith("Good-bye. The unfinished game, as far as you know it, is in ")
    assert file.exists()


def test_a_game_left_in_an_auction_is_kept_without_its_secret(tmp_path: Path) -> None:
    file = tmp_path / "game.fsr"
    result = played("--record", str(file), typed="p\np\nq\n")
    assert str(file) in result.output.replace("\n", "")
    written = record.from_bytes(file.read_bytes())
    assert written.tag("Secret") is None
    assert written.tag("Commitment") is not None
    assert record.replay(written).state.to_act == {0}


def test_a_game_left_in_a_sale_does_not_tell_the_rivals_choices(tmp_path: Path) -> None:
    file = tmp_path / "game.fsr"
    played("--record", str(file), typed="p\n" * 7 + "q\n")
    replayed = record.replay(record.from_bytes(file.read_bytes()))
    assert replayed.state.phase is SELLING
    assert replayed.hidden == {1, 2, 3}
    assert not any(isinstance(event, HouseChosen) for event in replayed.state.history)


# --- Refusals ---------------------------------------------------------------------------------------


def refusal(*args: str) -> str:
    """The sentence with which it is refused, before anything of the game is shown."""
    result = CliRunner().invoke(play, args, input="q\n", standalone_mode=False)
    assert result.output == ""
    assert isinstance(result.exception, click.ClickException | EditionError | BotError)
    return str(result.exception)


def test_a_record_never_replaces_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.fsr"
    file.write_text("precious")
    assert "there is a file of that name" in refusal("--record", str(file))
    assert file.read_text() == "precious"
    assert "there is a file of that name" in refusal("--record", str(tmp_path))


def test_a_record_that_could_not_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "game.fsr"
    assert "cannot be written: no such file or directory" in refusal("--record", str(missing))
    (tmp_path / "file").touch()
    assert "cannot be written: not a directory" in refusal("--record", str(tmp_path / "file" / "game.fsr"))
    assert "cannot be written: file name too long" in refusal("--record", str(tmp_path / ("x" * 300)))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--edition", "nonsense"], "edition: "),
        (["--seats", "2"], "seats: "),
        (["--seats", "many"], "'many' is not a valid integer"),
        (["--variant", "plenty"], "variant: "),
        (["--edition", "classic", "--variant", "scarce"], "variant: "),
        (["--bots", "nobody"], "got 'nobody'"),
        (["--bots", "broker,random"], "got 2"),
        (["--name", "a|b"], "a name may hold any character but"),
        (["--name", 'a"b'], "a name may hold any character but"),
        (["--name", "a\nb"], "a name may hold any character but"),
        (["--name", " "], "expected a name, got nothing"),
    ],
)
def test_what_cannot_be_played_is_refused(args: list[str], sentence: str) -> None:
    assert sentence in refusal(*args)


# --- Where it is shown ------------------------------------------------------------------------------


def test_piped_output_has_no_colour_and_keeps_to_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    output = played().output
    assert "\x1b" not in output
    assert max(map(len, output.splitlines())) <= 60


def test_wide_terminals_are_not_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert max(map(len, played().output.splitlines())) == 100


def test_an_output_that_knows_only_ascii() -> None:
    result = CliRunner(charset="ascii").invoke(play, ["--seed", "test"], input=PASSING)
    assert result.exit_code == 0
    assert "+----+" in result.output
