"""Sixty-six as the tests drive it: given cards, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.registry import ruleset

from ..bezique.kernel import DEAL, kernel

OVER = 4


class Table:
    """One deal with given cards, or a game of several."""

    def __init__(self, game, hands, stock="", rules=None):
        """Deal `hands` in the order of play; `stock` is the turn-up and then the cards in the order of drawing."""
        self.pack = ruleset(game).pack
        self.players = ruleset(game).players
        self.compiled = kernel(game, {"target": 0} if rules is None else rules)
        self.decks, self.actions = [], []
        self.deal(hands, stock)

    def deal(self, hands, stock=""):
        dealt = [code for hand in (*hands, stock) for code in self.pack.parse(hand)]
        rest = self.pack.deck().tolist()
        for code in dealt:
            rest.remove(code)
        dealt += rest
        self.decks.append(dealt)
        self.actions.append(DEAL)
        self._replay()
        return self

    def _replay(self):
        self.compiled.replay(self.decks, self.actions)

    @property
    def state(self):
        return self.compiled.states[0]

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == OVER

    def asked(self):
        """Return who is asked, in which phase, and the legal actions."""
        return self.compiled.position()

    def cards(self):
        """Return the cards that may be played, as a text; those with a marriage have a star."""
        legal = sorted(self.asked().legal)
        return " ".join(self.pack.text(action % 24) + "*" * (action >= 24) for action in legal)

    def do(self, *actions):
        for action in actions:
            assert action in self.asked().legal, (action, self.asked())
            self.actions.append(action)
            self._replay()
        return self

    def exchange(self, yes=True):
        assert self.asked().phase == "exchange"
        return self.do(int(yes))

    def close(self):
        assert self.asked().phase == "close"
        return self.do(1)

    def play(self, text):
        """Play cards, a trick a word such as ``"AH-TC"``, ``"QH*-9C"`` with a marriage; nothing is closed meanwhile."""
        for trick in text.split():
            for card in trick.split("-"):
                while self.asked().phase != "play":
                    self.do(0)
                self.do(self.pack.parse(card.rstrip("*"))[0] + 24 * card.endswith("*"))
        return self

    @property
    def points(self):
        return [int(public["points"]) for public in self.state["public"][: self.players]]

    @property
    def big(self):
        return [int(public["total"]) for public in self.state["public"][: self.players]]

    def hand(self, player):
        mask = int(self.state["hand"][player])
        return " ".join(self.pack.text(card) for card in range(24) for copy in (0, 24) if mask >> (card + copy) & 1)

    def row(self):
        assert self.is_over
        return self.compiled.row()
