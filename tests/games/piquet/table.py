"""Piquet as the tests drive it: given hands, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.piquet import RUBICON

from ..bezique.kernel import DEAL, kernel

PACK = RUBICON.pack
STOP = 32
SUITS = "SHDC"
RANKS = "789TJQKA"


def codes(text):
    return PACK.parse(text)


def mask(text):
    return sum(1 << code for code in codes(text))


class Table:
    """One deal with given cards; elder is player 0."""

    def __init__(self, game, elder, younger, talon="", rules=None):
        self.compiled = kernel(game, {"deals": 1} if rules is None else rules)
        hands = [codes(elder), codes(younger)]
        assert [len(hand) for hand in hands] == [12, 12]
        lying = codes(talon)
        lying += [code for code in range(32) if code not in {*hands[0], *hands[1], *lying}]
        deck = [hands[place // 2 % 2].pop(0) for place in range(24)] + lying
        assert sorted(deck) == list(range(32))
        self.decks, self.actions = [deck], [DEAL]
        self._replay()

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

    def exchange(self, player, text=""):
        """Discard these cards; stop where more might go."""
        position = self.asked()
        assert (position.actor, position.phase) == (player, "exchange")
        for code in sorted(codes(text)):
            self.do(code)
        if not self.is_over and self.asked().phase == "exchange" and self.asked().actor == player:
            self.do(STOP)
        return self

    def declare(self, player, name):
        """Name a point (a suit), a sequence (its top card), a set (a rank), or None."""
        position = self.asked()
        assert (position.actor, position.phase) == (player, "declare")
        if name is None:
            return self.do(STOP)
        if len(name) == 2:
            return self.do(codes(name)[0])
        return self.do(SUITS.index(name) if int(self.state["common"]["kind"]) == 0 else RANKS.index(name))

    def declare_all(self):
        """Let everybody name his best, and then the rest."""
        while not self.is_over and self.asked().phase == "declare":
            self.do(self.best())
        return self

    def best(self):
        from simcards.games.piquet.frame import key_of

        position = self.asked()
        hand = self.state["private"][position.actor]["hand"]
        kind = int(self.state["common"]["kind"])
        return max(position.legal - {STOP}, key=lambda name: key_of(kind, hand, name))

    def play(self, text):
        """Play cards, a trick a word such as ``"AH-TC"``."""
        for trick in text.split():
            for card in trick.split("-"):
                self.do(codes(card)[0])
        return self

    @property
    def points(self):
        return [int(public["points"]) for public in self.state["public"]]

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == 6

    def row(self):
        assert self.is_over
        return self.compiled.row()
