"""Preferans as the tests drive it: given hands, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.preferans import PACK
from simcards.games.preferans.position import BID_OF_TEXT

from ..bezique.kernel import DEAL, kernel

WHISTING = {"pass": 0, "whist": 1, "own": 2}
INVITING = {"closed": 0, "open": 1, "own": 2}


def codes(text):
    return PACK.parse(text)


class Table:
    """A game with given cards; the players are numbered from forehand of the first deal on."""

    def __init__(self, game, hands, rules=None, talon=""):
        single = {"pool": 0} if game == "preferans-hussar" else {"pool": 0, "forced_circles": 0}
        self.compiled = kernel(game, {**single, **(rules or {})})
        self.decks, self.actions = [], []
        self.deal(hands, talon)

    def deal(self, hands, talon=""):
        """Deal these hands, forehand's first; what is not named is filled up with cards that are left over."""
        given = [codes(hand) for hand in hands] + [[]] * (3 - len(hands))
        lying = codes(talon)
        left = [code for code in range(32) if code not in {*lying, *(code for hand in given for code in hand)}]
        dealt = []
        for hand in given:
            want = 10 - len(hand)
            dealt += [*hand, *left[:want]]
            left = left[want:]
        self.decks.append(dealt + lying + left)
        assert sorted(self.decks[-1]) == list(range(32))
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

    def legal_bids(self):
        """Return what may be bid, in words."""
        assert self.asked().phase == "bid"
        words = {number: word for word, number in BID_OF_TEXT.items()}
        return {words.get(action, "pass") for action in self.asked().legal}

    def bid(self, *calls):
        """Bid, or pass, in words."""
        for call in calls:
            assert self.asked().phase == "bid"
            self.do(0 if call == "pass" else BID_OF_TEXT[call.casefold()])
        return self

    def lay(self, text):
        for code in sorted(codes(text)):
            assert self.asked().phase == "discard"
            self.do(code)
        return self

    def name(self, contract):
        assert self.asked().phase == "contract"
        return self.do(BID_OF_TEXT[contract.casefold()])

    def say(self, *words):
        """Say ``pass``, ``whist`` or ``own``, then ``open``, ``closed`` or ``own``."""
        for word in words:
            phase = self.asked().phase
            assert phase in ("whist", "invite")
            self.do((WHISTING if phase == "whist" else INVITING)[word])
        return self

    def play(self, text):
        """Play cards, in their order."""
        for code in codes(text.replace("-", " ")):
            assert self.asked().phase == "play"
            self.do(code)
        return self

    def play_out(self, order=min):
        """Let everybody play his lowest (or highest) card by number to the end of the deal."""
        deals = int(self.state["common"]["deals"])
        while not self.is_over and int(self.state["common"]["stage"]) == 1 and self.state["common"]["deals"] == deals:
            self.do(order(self.asked().legal))
        return self

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == 8

    def row(self):
        assert self.is_over
        return self.compiled.row()
