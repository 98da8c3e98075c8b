"""Deberts as the tests drive it: given hands, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.deberts import DEBERTS
from simcards.games.deberts.frame import OVER, deal_points

from ..bezique.kernel import DEAL, kernel

PACK = DEBERTS.pack
SUITS = "SHDC"
PASS, PLAY = 0, 1
NO, YES = 0, 1


def codes(text):
    return PACK.parse(text)


def mask(text):
    return sum(1 << code for code in codes(text))


class Table:
    """One deal with given cards; pone is player 0. The hands hold nine cards, of which the last three are drawn."""

    def __init__(self, pone, dealer, turned, rules=None):
        self.compiled = kernel("deberts", {"target": 0} if rules is None else rules)
        self.decks, self.actions = [], []
        self.deal(pone, dealer, turned)

    def deal(self, pone, dealer, turned):
        first, second = codes(pone), codes(dealer)
        assert [len(first), len(second)] == [9, 9]
        deck = [*first[:3], *second[:3], *first[3:6], *second[3:6], *codes(turned), *first[6:], *second[6:]]
        deck += [code for code in range(32) if code not in deck]
        assert sorted(deck) == list(range(32))
        self.decks.append(deck)
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

    def bid(self, text):
        """Bid in turn: ``"-"`` passes, ``"+"`` plays the turned suit, a letter names a suit."""
        for word in text.split():
            assert self.asked().phase == "bid"
            self.do({"-": PASS, "+": PLAY}.get(word, 2 + SUITS.find(word)))
        return self

    def answer(self, player, phase, action):
        """Answer a question that must be the one asked."""
        position = self.asked()
        assert (position.actor, position.phase) == (player, phase)
        return self.do(action)

    def play(self, text, answers=YES):
        """Play cards, a trick a word such as ``"AH-TC"``; what is asked between gets the same answer."""
        for trick in text.split():
            for card in trick.split("-"):
                self.settle(answers)
                self.do(codes(card)[0])
        return self.settle(answers)

    def settle(self, answers=YES):
        """Answer all that is asked before the next card in the same way."""
        while not self.is_over and self.asked().phase in ("exchange", "declare", "bella"):
            self.do(answers)
        return self

    @property
    def points(self):
        return [int(deal_points(public)) for public in self.state["public"]]

    @property
    def runs(self):
        return [int(public["runs"]) for public in self.state["public"]]

    @property
    def totals(self):
        return [int(public["total"]) for public in self.state["public"]]

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == OVER

    def row(self):
        assert self.is_over
        return self.compiled.row()
