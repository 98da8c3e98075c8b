"""Peers: hands against a scorer from PyPI, whole games against OpenSpiel's cribbage, on identical cards."""

import random

import pytest

from simcards.games.cribbage.scoring import score_four

from .table import GO, Table


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


def play_both(spiel, seed):
    """Play a whole game with random actions; return the points of the deals, as (player 0, player 1) of OpenSpiel."""
    draw = random.Random(seed)
    state = spiel.load_game("cribbage").new_initial_state()
    table, dealer, found = None, 0, []
    while True:
        order = draw.sample(range(52), 13)
        hands, starter = [order[:6], order[6:12]], order[12]
        for card in order[:12]:
            step(state, theirs(card))
        players = (1 - dealer, dealer)  # the pone first
        texts = [" ".join(slow_name(card) for card in hands[player]) for player in players]
        if table is None:
            table = Table("cribbage-six-card", texts, slow_name(starter), rules={})
        else:  # player 0 of the table was the pone of the first deal
            table.deal(texts, slow_name(starter))
        discards = {}
        for player in players:
            discards[player] = draw.sample(hands[player], 2)
            table.discard(" ".join(map(slow_name, discards[player])))
        for player in (0, 1):
            step(state, pair_of(discards[player]))
        step(state, theirs(starter))
        deals = int(table.state["common"]["deals"])
        while not table.is_over and int(table.state["common"]["deals"]) == deals and table.asked().phase == "play":
            action = draw.choice(sorted(table.asked().legal))
            if action != GO:
                while state.legal_actions() == [PASS]:
                    step(state, PASS)
                step(state, theirs(action))
            table.do(action)
        while not state.is_terminal() and not state.is_chance_node() and state.legal_actions() == [PASS]:
            step(state, PASS)
        # player 0 of the table is OpenSpiel's player 1, the pone of the first deal
        assert scores(state)[::-1] == table.points, str(state)
        found.append(table.points)
        if table.is_over:
            assert state.is_terminal()
            return found
        dealer = 1 - dealer


def slow_name(card):
    return "A23456789TJQK"[card % 13] + "SHDC"[card // 13]


def test_whole_games_against_openspiel():
    spiel = pytest.importorskip("pyspiel", reason="needs open_spiel")
    deals = 0
    for seed in range(30):
        deals += len(play_both(spiel, seed))
    assert deals > 300
