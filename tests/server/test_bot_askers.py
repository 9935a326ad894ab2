"""What a table tells the pool of bots about itself."""

from collections.abc import Sequence
from pathlib import Path

from forsale import shuffle
from forsale.game import Action
from forsale.server.options import Options
from forsale.server.thinkers import Asker, Thinkers, Thought
from forsale.view import View
from tests.server.club import ANA, EVE, Club, run


class Recording(Thinkers):
    """Bots that do the first thing that is allowed. Who asked is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[View, str, Asker]] = []

    async def choose(self, bot: str, view: View, legal: Sequence[Action], seed: str, asker: Asker) -> Thought:  # noqa: ARG002
        self.asked.append((view, seed, asker))
        return Thought(legal[0])


def test_a_table_is_attended_while_somebody_who_sits_there_is_connected(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        club.tables.thinkers = thinkers = Recording()
        table = await club.tables.play_now(ANA, Options(seats=6))
        await club.settle()
        while not thinkers.asked:  # the person is the first to act in some deals
            table = await club.tables.play_now(ANA, Options(seats=6))
            await club.settle()
        _, _, asker = thinkers.asked[0]
        assert (asker.table, asker.host) == (table, ANA.id)
        assert not asker.attended()
        await club.sit(table, EVE)
        assert not asker.attended()  # she only watches
        connection, _ = await club.sit(table, ANA)
        assert asker.attended()
        await connection.close()
        assert not asker.attended()

    run(tmp_path, test)


def test_each_decision_has_its_own_seed_that_can_be_checked_afterwards(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        club.tables.thinkers = thinkers = Recording()
        for _ in range(5):
            table = await club.tables.play_now(ANA, Options(seats=6))
            await club.settle()
        now = (await club.live(table)).table
        asked = [(view, seed) for view, seed, asker in thinkers.asked if asker.table == table]
        for view, seed in asked:
            assert view.seat is not None
            assert seed in {shuffle.bot_seed(now.secret, view.seat, seq) for seq in range(now.seq + 1)}
        seeds = [seed for _, seed, _ in thinkers.asked]
        assert len(set(seeds)) == len(seeds) > 0

    run(tmp_path, test)
