"""Skat as the tests drive it: given hands, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.skat import PACK
from simcards.games.skat.frame import DEALT_TO, GAMES, LADDER, LEVELS

from ..bezique.kernel import DEAL, kernel


def codes(text):
    return PACK.parse(text)


def mask(text):
    return sum(1 << code for code in codes(text))


class Table:
    """A game with given cards; forehand of the first deal is player 0."""

    def __init__(self, hands, skat="", rules=None, game="skat"):
        self.compiled = kernel(game, {"deals": 1} if rules is None else rules)
        self.decks, self.actions = [], []
        self.deal(hands, skat)

    def deal(self, hands, skat=""):
        """Deal these hands, forehand's first, and the skat; what is not named is filled up."""
        cards = [codes(hand) for hand in hands] + [codes(skat)]
        named = {code for part in cards for code in part}
        free = [code for code in range(32) if code not in named]
        for part, size in zip(cards, (10, 10, 10, 2), strict=True):
            assert len(part) <= size
            while len(part) < size:
                part.append(free.pop(0))
        waiting = [iter(part) for part in cards]
        self.decks.append([next(waiting[int(role)]) for role in DEALT_TO])
        self.actions.append(DEAL)
        self._replay()
        return self

    def _replay(self):
        self.compiled.replay(self.decks, self.actions)

    @property
    def state(self):
        return self.compiled.states[0]

    @property
    def common(self):
        return self.state["common"]

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
        """Say these things in turn: a number calls it, True holds, False passes."""
        for call in calls:
            assert self.asked().phase == "bid"
            if isinstance(call, bool):
                self.do(int(call))
            else:
                ladder = LADDER[int(self.state["rules"]["open_null"])].tolist()
                self.do(ladder.index(call) - int(self.common["step"]))
        return self

    def take(self, text):
        """Take the skat and lay these two cards away."""
        self.do(1)
        return self.do(*sorted(codes(text)))

    def hand(self):
        return self.do(0)

    def declare(self, game, level=""):
        assert self.asked().phase == "declare"
        return self.do(GAMES.index(game) + 6 * LEVELS.index(level))

    def play(self, text):
        """Play cards, a trick a word such as ``"AH-TH-7H"``."""
        for trick in text.split():
            for card in trick.split("-"):
                assert self.asked().phase == "play"
                self.do(codes(card)[0])
        return self

    def legal_cards(self):
        return {PACK.text(code) for code in self.asked().legal}

    @property
    def is_over(self):
        return int(self.common["stage"]) == 6

    def row(self):
        assert self.is_over
        return self.compiled.row()
