"""The chance to win from every score, and the player who goes by it."""

import random

import numpy as np
import pytest

from simcards.games.cribbage.board import CHANCES, PART_POINTS, ROOM, TARGETS
from simcards.games.cribbage.deals import SIDE, win_chances
from simcards.games.cribbage.frame import PLAYING
from simcards.games.cribbage.near_end import LEAST, SHIFTS, board_play, worth_of_hands

from . import slow

# Made-up deals: who scores how much, in order; 0 is the pone, 1 the dealer
DEALS = [
    [(1, 2), (0, 1), (0, 3), (1, 4)],
    [(0, 2), (1, 1)],
    [],
    [(1, 1), (0, 5)],
    [(0, 1), (1, 2), (0, 1), (1, 1)],
]


def walked(target):
    """Return the pone's chance by both needs: every deal is played through, again and again until nothing changes."""
    won = {(one, two): 0.5 for one in range(1, target + 1) for two in range(1, target + 1)}
    for _ in range(400):
        for one, two in won:
            total = 0.0
            for deal in DEALS:
                needs = [one, two]
                for side, points in deal:
                    needs[side] -= points
                    if needs[side] <= 0:
                        total += side == 0
                        break
                else:
                    total += 1.0 - won[needs[1], needs[0]]
            won[one, two] = total / len(DEALS)
    return won


def test_made_up_deals():
    ends, reached = np.zeros((SIDE, SIDE)), np.zeros((2, SIDE, SIDE))
    for deal in DEALS:
        now = [0, 0]
        for side, points in deal:
            for _ in range(points):
                now[side] += 1
                reached[side, now[side], now[1 - side]] += 1 / len(DEALS)
        ends[now[0], now[1]] += 1 / len(DEALS)
    found = win_chances(ends, reached, 12)
    for (one, two), chance in walked(12).items():
        assert found[one, two] == pytest.approx(chance, abs=1e-9), (one, two)


@pytest.mark.parametrize("target", [11, 31, 121])
def test_games_to_a_target_are_won_as_often_as_the_table_says(target):
    """Whole games, which end in the middle of a count."""
    import simcards

    deals = 40_000 if target < 121 else 20_000
    result = simcards.game("cribbage-six-card").play(deals=deals, unit="game", rules={"target": target}, seed=4)
    won = result.frame.set_index(["quantity", "seat"]).loc[("won", "pone")]
    assert abs(won.estimate - CHANCES[1, target - 1, target - 1]) < 4.0 * won.se


def test_more_points_are_never_worse():
    for kind, target in enumerate(TARGETS):
        chances = CHANCES[kind, :target, :target]
        assert np.all((chances >= 0.0) & (chances <= 1.0))
        assert np.all(np.diff(chances, axis=0) <= 2e-3)  # the error of the deals
        assert np.all(np.diff(chances, axis=1) >= -2e-3)


@pytest.mark.parametrize("deals", [False, True])
@pytest.mark.parametrize(("mine", "other"), [(12, 9), (20, 24), (4, 15)])
def test_what_a_hand_is_worth(deals, mine, other):
    """Points of the other parts drawn at random, counted in their order."""
    worth = np.zeros((ROOM, SHIFTS))
    worth_of_hands(1, deals, mine, other, worth)
    draw = np.random.default_rng(mine)
    number = 40_000
    play = [draw.choice(ROOM, number, p=part / part.sum()) for part in PART_POINTS[1]]
    for hand, more in ((0, 0), (8, 0), (12, 2), (5, -1)):
        total = 0.0
        for k in range(number):
            total += outcome(deals, mine, other, hand, more, [int(part[k]) for part in play])
        mean = total / number
        assert worth[hand, more - LEAST] == pytest.approx(mean, abs=4.0 * 0.5 / number**0.5), (hand, more)


def outcome(deals, mine, other, hand, more, points):
    """Return the chance to win when the parts bring so much; play first, the own as the first."""
    pone, dealer = (other, mine) if deals else (mine, other)
    own, his = (int(deals), points[1 if deals else 0]), (int(not deals), points[0 if deals else 1])
    crib = (1, points[4] + more)
    hands = [(0, points[2]), (1, hand), crib] if deals else [(0, hand), (1, points[3]), crib]
    needs = [pone, dealer]
    for side, gained in [own, his, *hands]:
        needs[side] -= gained
        if needs[side] <= 0:
            return float(side == deals)
    return CHANCES[1, needs[1] - 1, needs[0] - 1] if deals else 1.0 - CHANCES[1, needs[1] - 1, needs[0] - 1]


def test_a_card_that_wins_is_laid():
    from simcards.games.registry import load
    from simcards.kernel.protocol import OPTIONS

    game = load("cribbage-six-card")
    _, views = game.workspace({})
    options = np.array(game.strategies["board"].options({}), OPTIONS).reshape(1)[0]
    draw = random.Random(3)
    for _ in range(40):
        cards = draw.sample(range(52), 11)
        hand, laid, discards, starter = cards[:4], cards[4], cards[5:7], cards[7]
        view = views[0].copy()
        view["common"]["stage"], view["common"]["starter"], view["common"]["owner"] = PLAYING, starter, 1
        view["common"]["recent"], view["common"]["count"] = laid % 13 + 1, slow.count(laid)
        view["common"]["laid"], view["common"]["discarded"] = 1, 3
        view["own"]["hand"] = sum(1 << card for card in hand)
        view["own"]["discards"] = sum(1 << card for card in discards)
        view["public"]["points"][:2] = 119, draw.randrange(80, 121)
        view["public"]["cards"][:2] = 4, 3
        view["public"]["laid"][1] = 1 << laid
        winning = [card for card in hand if card % 13 == laid % 13 or slow.count(card) + slow.count(laid) == 15]
        chosen = int(board_play(view, np.uint64(view["own"]["hand"]), np.zeros(4, np.uint64), options))
        assert chosen in (winning or hand)
