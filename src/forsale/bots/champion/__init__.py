"""A net that plays, with numpy alone: see `forsale.bots.champion.bot`.

>>> from forsale import editions, game, shuffle, view
>>> from forsale.bots.champion import Champion
>>> edition = editions.load("iello-2020")
>>> decks = shuffle.deal(edition, seats=4, rng=shuffle.Stream(b"seed"))
>>> state = game.new_game(edition, seats=4, decks=decks, first=0)
>>> opinion = Champion().opinion(view.of(state, seat=0))
>>> set(opinion.policy) == set(game.legal_actions(state, seat=0))
True
>>> round(sum(opinion.win_chances), 3), len(opinion.scores)
(1.0, 4)
"""

from forsale.bots.champion.bot import Champion, Opinion

__all__ = ["Champion", "Opinion"]
