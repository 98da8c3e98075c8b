"""Peers: hands against a scorer from PyPI, whole games against OpenSpiel's cribbage, on identical cards."""

import random

import numba
import numpy as np
import pytest

from simcards.games.cribbage.frame import GO, OVER, PLAYING
from simcards.games.cribbage.scoring import score_four
from simcards.games.cribbage.text import discarded
from simcards.kernel import protocol

from ..bezique.kernel import kernel


def test_hands_against_cribbage_scorer():
    scorer = pytest.importorskip("cribbage_scorer.cribbage_scorer", reason="needs cribbage-scorer")
    draw = random.Random(2)
    for number in range(6000):
        pack = [range(52), [card for card in range(52) if card % 13 in (3, 4, 5, 6, 9, 10)], range(16)][number % 3]
        cards = draw.sample(list(pack), 5)
        *hand, starter = [(card % 13 + 1, "SHDC"[card // 13]) for card in cards]
        for crib in (False, True):
            points, words = scorer.show_calc_score(starter, hand, crib)
            assert score_four(*cards, crib) == points, (cards, crib, words)


SUITS = (3, 2, 1, 0)  # ours S H D C; OpenSpiel's C D H S
PASS = 2756


def theirs(card):
    return 13 * SUITS[card // 13] + card % 13


def pair_of(cards):
    low, high = sorted(map(theirs, cards), key=lambda card: (card % 13, card))
    return 52 + 52 * low + high


def step(state, action):
    assert action in state.legal_actions(), (action, str(state))
    state.apply_action(action)


def scores(state):
    line = next(line for line in str(state).splitlines() if line.startswith("Scores:"))
    return [int(word) for word in line.split()[1:]]


@numba.njit
def begin_game(states):
    protocol.begin(states[0])


@numba.njit
def deal_cards(states, deck):
    protocol.deal(states[0], deck)


@numba.njit
def act(states, action):
    protocol.apply(states[0], action)


class Ours:
    """A game of six-card cribbage; player 0 is the pone of the first deal."""

    def __init__(self):
        self.kernel = kernel("cribbage-six-card", {"crib_flush": "four"})  # as OpenSpiel has it
        self.states = self.kernel.states
        begin_game(self.states)

    def deal(self, pone, dealer, starter):
        deck = [card for both in zip(pone, dealer, strict=True) for card in both] + [starter]
        deck += sorted(set(range(52)) - set(deck))
        deal_cards(self.states, np.array(deck, np.uint8))

    def discard(self, cards):
        legal = self.kernel.position().legal
        (action,) = [one for one in legal if discarded(self.states[0], one) == sorted(cards)]
        act(self.states, action)

    @property
    def stage(self):
        return int(self.states[0]["common"]["stage"])

    @property
    def winner(self):
        return int(self.states[0]["common"]["winner"])

    @property
    def points(self):
        return self.states[0]["public"]["points"][:2].tolist()


def play_both(spiel, seed):
    """Play a whole game with random actions on the same cards, and compare scores after every action; count deals."""
    draw = random.Random(seed)
    state = spiel.load_game("cribbage").new_initial_state()
    ours = Ours()
    dealer = 0  # OpenSpiel's player 0 deals first; he is our player 1
    for deals in range(1, 101):
        cards = draw.sample(range(52), 13)
        hands, starter = (cards[:6], cards[6:12]), cards[12]
        for card in cards[:12]:
            step(state, theirs(card))
        ours.deal(hands[1 - dealer], hands[dealer], starter)
        discards = [draw.sample(hand, 2) for hand in hands]
        for player in (1 - dealer, dealer):
            ours.discard(discards[player])
        for player in (0, 1):
            step(state, pair_of(discards[player]))
        step(state, theirs(starter))
        while ours.stage == PLAYING:
            action = draw.choice(sorted(ours.kernel.position().legal))
            if action != GO:  # all who could say go have done so, there and here
                assert scores(state)[::-1] == ours.points, str(state)
                step(state, theirs(action))
            act(ours.states, action)
            while not state.is_terminal() and not state.is_chance_node() and state.legal_actions() == [PASS]:
                step(state, PASS)
        if ours.stage == OVER:  # OpenSpiel counts on to the end of the deal
            assert scores(state)[1 - ours.winner] >= 121
            return deals
        assert scores(state)[::-1] == ours.points, str(state)
        assert not state.is_terminal()
        dealer = 1 - dealer
    raise AssertionError("the game does not end")


def test_whole_games_against_openspiel():
    spiel = pytest.importorskip("pyspiel", reason="needs open_spiel")
    assert sum(play_both(spiel, seed) for seed in range(30)) > 300
