"""What cards score at cribbage, the slow way: every subset is looked at."""

from itertools import combinations, pairwise

RANKS = "A23456789TJQK"


def rank(card):
    return card % 13


def count(card):
    return min(card % 13 + 1, 10)


def fifteens(cards):
    return sum(sum(map(count, some)) == 15 for size in range(2, len(cards) + 1) for some in combinations(cards, size))


def pairs(cards):
    return sum(rank(one) == rank(other) for one, other in combinations(cards, 2))


def is_run(cards):
    ranks = sorted(map(rank, cards))
    return all(high == low + 1 for low, high in pairwise(ranks))


def runs(cards):
    """Return the cards in all runs of the greatest length; shorter ones in another place count too."""
    found = [set(some) for size in range(3, len(cards) + 1) for some in combinations(cards, size) if is_run(some)]
    ranks = [{rank(card) for card in run} for run in found]
    longest = [run for run, mine in zip(found, ranks) if not any(mine < others for others in ranks)]
    return sum(map(len, longest))


def flush(hand, starter, crib):
    suits = {card // 13 for card in hand}
    if len(suits) > 1:
        return 0
    if starter // 13 in suits:
        return len(hand) + 1
    return 0 if crib else len(hand)


def nobs(hand, starter):
    return sum(rank(card) == 10 and card // 13 == starter // 13 for card in hand)


def parts(hand, starter, crib=False):
    cards = [*hand, starter]
    return fifteens(cards), pairs(cards), runs(cards), flush(hand, starter, crib), nobs(hand, starter)


def points(hand, starter, crib=False):
    fifteen, pair, run, suited, jack = parts(hand, starter, crib)
    return 2 * fifteen + 2 * pair + run + suited + jack


def laid(cards):
    """Return what the last of some cards scores in play: fifteen or thirty-one, pairs, run."""
    total = sum(map(count, cards))
    for_sum = 2 if total in (15, 31) else 0
    same = 0
    while same + 1 < len(cards) and rank(cards[-2 - same]) == rank(cards[-1]):
        same += 1
    run = next((size for size in range(len(cards), 2, -1) if is_run(cards[-size:])), 0)
    return for_sum, same * (same + 1), run
