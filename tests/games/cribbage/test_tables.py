"""The table of cribs against the published one, and against cribs dealt at random."""

import math
import random

import pytest

from simcards.games.cribbage import RANKS
from simcards.games.cribbage.cribs import lines

from . import slow

# Expected crib by discarded pair, own crib and the other's (Hessel; flushes in the crib left out)
PUBLISHED = {
    "AA": (5.26, 6.07),
    "22": (5.67, 6.43),
    "23": (6.97, 7.34),
    "44": (5.65, 6.59),
    "55": (8.95, 9.39),
    "56": (6.65, 7.66),
    "5J": (7.04, 7.75),
    "67": (4.94, 6.64),
    "78": (6.58, 7.88),
    "9Q": (2.97, 4.14),
    "TT": (4.73, 6.11),
    "TK": (2.86, 3.99),
    "KK": (4.62, 5.72),
}


def table(players=2, cards=6, crib_flush="five"):
    return {
        (line.ranks, line.suited): line
        for line in lines()
        if (line.players, line.cards, line.crib_flush) == (players, cards, crib_flush)
    }


@pytest.mark.parametrize("ranks", PUBLISHED)
def test_the_published_pairs(ranks):
    """Hessel's ranks have no suits: one of four pairs of cards of different ranks is of one suit."""
    found = table(crib_flush="no")
    apart = found[ranks, False]
    if ranks[0] == ranks[1]:
        means = (apart.own, apart.other)
    else:
        suited = found[ranks, True]
        means = tuple(0.75 * getattr(apart, whose) + 0.25 * getattr(suited, whose) for whose in ("own", "other"))
    for mean, published in zip(means, PUBLISHED[ranks]):
        assert mean == pytest.approx(published, abs=0.02)


def test_every_pair_of_cards_is_there():
    pairs = [(low, high) for place, low in enumerate(RANKS) for high in RANKS[place:]]
    wanted = {(low + high, False) for low, high in pairs} | {(low + high, True) for low, high in pairs if low != high}
    for cards in (5, 6, 7):
        for rule in ("five", "no"):
            assert set(table(2, cards, rule)) == wanted
    assert set(table(4, 5)) == {(rank, False) for rank in RANKS}


def test_the_crib_is_worth_most_to_who_discards_for_it():
    for line in lines():
        assert line.own < line.other
        assert 0.0 < line.own_sd < 6.0


def test_tens_and_kings_are_the_worst_and_fives_the_best():
    found = [line for line in table().values() if not line.suited]
    assert min(found, key=lambda line: line.other).ranks == "TK"
    assert max(found, key=lambda line: line.own).ranks == "55"


def test_a_flush_needs_one_suit():
    plain, flush = table(crib_flush="no"), table(crib_flush="five")
    for key, line in flush.items():
        more = line.own - plain[key].own
        assert (0.005 < more < 0.15) if key[1] else more == pytest.approx(0.0, abs=1e-3)


# -- the same hands, played out --------------------------------------------------------------------------------


def kept_worth(hand, kept):
    rest = [card for card in range(52) if card not in hand]
    return sum(slow.points(kept, starter) for starter in rest) / len(rest)


def best(hand, found, own):
    """Return the discard of a hand by the table and slow arithmetic."""
    ways = []
    for j in range(1, len(hand)):
        for i in range(j):
            ranks = "".join(sorted((RANKS[hand[i] % 13], RANKS[hand[j] % 13]), key=RANKS.index))
            line = found[ranks, hand[i] // 13 == hand[j] // 13]
            crib = line.own if own else -line.other
            kept = [card for k, card in enumerate(hand) if k not in (i, j)]
            ways.append((kept_worth(hand, kept) + crib, hand[i], hand[j]))
    return max(ways)


def test_basic_takes_the_best_discard():
    import numpy as np

    from simcards.games.cribbage.frame import discard_of
    from simcards.games.cribbage.players import USUAL, best_discard
    from simcards.games.registry import load

    states, _ = load("cribbage-six-card").workspace({})
    value = USUAL[0]["value"].copy()
    value[1] = 0.0  # no love of low cards
    draw = random.Random(5)
    found = table()
    for _ in range(12):
        hand = sorted(draw.sample(range(52), 6))
        mask = np.uint64(sum(1 << card for card in hand))
        for own in (True, False):
            action, worth = best_discard(states[0]["rules"], mask, 1 if own else -1, value)
            expected, one, other = best(hand, found, own)
            assert worth == pytest.approx(expected, abs=2e-4)
            assert int(discard_of(states[0]["rules"], mask, action)) in (1 << one | 1 << other,)


def test_cribs_in_play_are_worth_what_the_table_says():
    """Play of basic without its other habits: over all deals the crib is worth what the discards promise."""
    import simcards

    play = "basic:low=0"
    result = simcards.game("cribbage-six-card").play(play, deals=200_000, seed=8).frame.set_index(["quantity", "seat"])
    crib = result.loc[("crib", "dealer")]
    expected = promised(play)
    assert abs(crib.estimate - expected[0]) < 4.0 * math.hypot(crib.se, expected[1])


def promised(play, deals=2000):
    """Return what the dealer's discards are worth in the crib on average, and the error."""
    from simcards.study.plan import make_plan
    from simcards.study.replay import replay

    found = table()
    values = []
    plan = make_plan("cribbage-six-card", deals=1, strategies=play, seed=9)
    for deal in range(deals):
        step = next(
            step for step in replay(plan, deal).steps if step.action.startswith("discards") and step.seat == "dealer"
        )
        one, other = step.action.removeprefix("discards ").split()
        values.append(found[one[0] + other[0], one[1] == other[1]].own)
    mean = sum(values) / deals
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (deals * (deals - 1)))
