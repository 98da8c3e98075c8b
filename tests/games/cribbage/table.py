"""Cribbage as the tests drive it: given hands, actions in words, one at a time."""

from __future__ import annotations

from simcards.games.cribbage import SIX_CARD

from ..bezique.kernel import DEAL, kernel

PACK = SIX_CARD.pack
GO = 52
OVER = 4


def codes(text):
    return PACK.parse(text)


def mask(text):
    return sum(1 << code for code in codes(text))


class Table:
    """One game with given cards; player 0 sits to the left of the first dealer."""

    def __init__(self, game, hands, starter="", rules=None):
        self.compiled = kernel(game, {"target": 0} if rules is None else rules)
        self.decks, self.actions = [], []
        self.deal(hands, starter)

    def deal(self, hands, starter=""):
        """Deal; the hands are those of the players from the dealer's left on."""
        cards = [codes(hand) for hand in hands]
        size = len(cards[0])
        assert all(len(hand) == size for hand in cards)
        deck = [hand[place] for place in range(size) for hand in cards] + codes(starter)
        deck += [code for code in range(52) if code not in set(deck)]
        assert sorted(deck) == list(range(52))
        self.decks.append(deck)
        self.actions.append(DEAL)
        self._replay()
        return self

    def _replay(self):
        self.compiled.replay(self.decks, self.actions)

    @property
    def state(self):
        return self.compiled.states[0]

    @property
    def points(self):
        return [int(public["points"]) for public in self.state["public"]][: self.compiled.game.ruleset.players]

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == OVER

    def asked(self):
        """Return who is asked, in which phase, and the legal actions."""
        return self.compiled.position()

    def do(self, *actions):
        for action in actions:
            assert action in self.asked().legal, (action, self.asked())
            self.actions.append(action)
            self._replay()
        return self

    def discard(self, *texts):
        """Let players discard, in their order."""
        from simcards.games.cribbage.text import discarded

        for text in texts:
            assert self.asked().phase == "discard"
            wanted = sorted(codes(text))
            found = [action for action in self.asked().legal if discarded(self.state, action) == wanted]
            assert len(found) == 1, text
            self.do(found[0])
        return self

    def lay(self, text):
        """Lay cards, or say go, a word each."""
        for word in text.split():
            self.do(GO if word == "go" else codes(word)[0])
        return self

    def row(self):
        assert self.is_over
        return self.compiled.row()
