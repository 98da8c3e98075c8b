"""Thousand as the tests drive it: given hands, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.thousand import PACK

from ..bezique.kernel import DEAL, kernel

SUITS = "SHDC"


def codes(text):
    return PACK.parse(text)


def mask(text):
    return sum(1 << code for code in codes(text))


class Table:
    """A game with given cards; forehand of the first deal is player 0."""

    def __init__(self, game, hands, rest="", rules=None):
        self.compiled = kernel(game, {"target": 0} if rules is None else rules)
        self.decks, self.actions = [], []
        self.deal(hands, rest)

    def deal(self, hands, rest=""):
        """Deal these hands, forehand's first, and the packets or the stock; what is not named is filled up."""
        size = self.compiled.game.ruleset.hand
        dealt = [code for hand in hands for code in codes(hand)]
        assert len(dealt) == size * len(hands) == size * self.compiled.game.ruleset.players
        lying = codes(rest)
        lying += [code for code in range(24) if code not in {*dealt, *lying}]
        assert sorted(dealt + lying) == list(range(24))
        self.decks.append(dealt + lying)
        self.actions.append(DEAL)
        self._replay()
        return self

    def _replay(self):
        self.compiled.replay(self.decks, self.actions)

    @property
    def state(self):
        return self.compiled.states[0]

    def asked(self):
        """Return who is asked, in which phase, and the legal actions."""
        return self.compiled.position()

    def do(self, *actions):
        for action in actions:
            assert action in self.asked().legal, (action, self.asked())
            self.actions.append(action)
            self._replay()
        return self

    def bid(self, *calls):
        """Bid these points, or pass with 0; the bids are from 100 by tens."""
        for points in calls:
            assert self.asked().phase == "bid"
            self.do((points - 100) // 10 + 1 if points else 0)
        return self

    def exchange(self, text):
        """Lay cards away, or give them."""
        cards = codes(text)
        if int(self.state["rules"]["hand"]) == 10:
            cards = sorted(cards)
        for code in cards:
            assert self.asked().phase == "exchange"
            self.do(code)
        return self

    def raise_to(self, points=0):
        """Raise the bid, or stand by it."""
        assert self.asked().phase == "raise"
        return self.do((points - 100) // 10 + 1 if points else 0)

    def play(self, text):
        """Play cards, a trick a word such as ``"AH-TC"``; a star announces a marriage: ``"KH*-TC"``."""
        for trick in text.split():
            for card in trick.split("-"):
                assert self.asked().phase == "play"
                self.do(codes(card.rstrip("*"))[0] + (24 if card.endswith("*") else 0))
        return self

    def legal_cards(self):
        """Return the cards that may be played, and those led with a marriage, as text."""
        legal = self.asked().legal
        plain = {PACK.text(code) for code in legal if code < 24}
        return plain | {PACK.text(code - 24) + "*" for code in legal if code >= 24}

    def points(self):
        """Return the points of each player in this deal so far, in cards and for marriages."""
        players = int(self.state["rules"]["players"])
        return [int(public["cards"]) + int(public["marriages"]) for public in self.state["public"][:players]]

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == 7

    def row(self):
        assert self.is_over
        return self.compiled.row()
