"""Discards reckoned exactly, against the slow scorer and against hands of the other drawn at random."""

import functools
import math
import random

import numpy as np
import pytest

import simcards
from simcards.games.cribbage.exact import _choices, discards
from simcards.games.cribbage.frame import discard_of
from simcards.games.registry import load

from . import slow
from .table import PACK, codes, mask

GAMES = {5: "cribbage-five-card", 6: "cribbage-six-card", 7: "cribbage-seven-card"}


def reckoned(hand, own, **changes):
    states, _ = load(GAMES[len(codes(hand))]).workspace(changes)
    rules = states[0]["rules"]
    size = len(codes(hand))
    found = discards(rules, mask(hand), own, range(size * (size - 1) // 2))
    return {int(discard_of(rules, np.uint64(mask(hand)), way.action)): way for way in found}


HANDS = ["5S 5H JD QC 2S 8H", "AS 2S 3S 4S JS QS", "JS JH JD JC 4D 4C", "7H 8H 9C TD 6H KH", "5S 5H JD QC 2S"]


@pytest.mark.parametrize("hand", HANDS)
def test_the_hand_is_the_mean_over_all_starters(hand):
    cards = codes(hand)
    rest = [card for card in range(52) if card not in cards]
    for own in (True, False):
        for gone, way in reckoned(hand, own).items():
            kept = [card for card in cards if not gone >> card & 1]
            points = [slow.points(kept, starter) for starter in rest]
            assert way.hand == pytest.approx(sum(points) / len(rest), abs=1e-9)
            assert sum(way.chances.values()) == pytest.approx(1.0, abs=1e-9)
            sign = 1 if own else -1
            assert way.total == pytest.approx(way.hand + sign * way.crib, abs=1e-9)


@functools.cache
def discards_by_ranks(size, whose):
    hands, _, choices = _choices(size, whose)
    return {tuple(hand): int(choice) for hand, choice in zip(hands.tolist(), choices)}


def drawn(cards, whose, draw):
    """Return two discards and a starter as the other discards, from cards that the player does not hold."""
    choices = discards_by_ranks(len(cards), whose)
    *theirs, starter = draw.sample([card for card in range(52) if card not in cards], len(cards) + 1)
    draw.shuffle(theirs)
    pair = choices[tuple(sorted(card % 13 for card in theirs))]
    high = next(rank for rank in range(13) if (rank + 1) * (rank + 2) // 2 > pair)
    low = pair - high * (high + 1) // 2
    one = next(card for card in theirs if card % 13 == low)
    other = next(card for card in theirs if card % 13 == high and card != one)
    return one, other, starter


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("own", [True, False])
def test_the_crib_and_all_chances_agree_with_hands_drawn_at_random(hand, own):
    cards = codes(hand)
    draw = random.Random(17)
    deals = 1000
    found = reckoned(hand, own)
    for gone in list(found)[:: len(found) // 2]:
        way = found[gone]
        mine = [card for card in cards if gone >> card & 1]
        kept = [card for card in cards if not gone >> card & 1]
        cribs, totals = [], []
        for _ in range(deals):
            one, other, starter = drawn(cards, 1 if own else 0, draw)
            cribs.append(slow.points([*mine, one, other], starter, crib=True))
            totals.append(slow.points(kept, starter) + (1 if own else -1) * cribs[-1])
        error = np.std(cribs) / math.sqrt(deals)
        assert abs(np.mean(cribs) - way.crib) < 4.0 * error
        assert np.std(totals) == pytest.approx(way.sd, rel=0.1)
        for total, chance in way.chances.items():
            spread = math.sqrt(deals * chance * (1.0 - chance)) + 1.0
            assert abs(totals.count(total) - deals * chance) < 4.5 * spread
        assert set(totals) <= set(way.chances)


def test_rules_about_flushes_in_the_crib():
    hand = "2S 7S KH KD QC JC"
    five, four, none = (reckoned(hand, True, crib_flush=rule)[mask("2S 7S")] for rule in ("five", "four", "no"))
    assert none.crib < five.crib < four.crib
    apart = [reckoned(hand, True, crib_flush=rule)[mask("2S KH")].crib for rule in ("five", "four", "no")]
    assert apart[0] == apart[1] == apart[2]


def test_advice_lists_hand_and_crib():
    hand = "5S 5H JD QC 2S 8H"
    result = simcards.game(GAMES[6]).advise(hand=hand, seat="dealer", worlds=64, workers=1)
    found = reckoned(hand, True)
    for record in result.records:
        way = found[mask(record["action"].removeprefix("discards "))]
        assert (record["hand"], record["crib"], record["both"], record["spread"]) == (
            way.hand,
            way.crib,
            way.total,
            way.sd,
        )
    assert "Hand and crib are exact" in str(result)
    assert PACK.size == 52


def test_a_hand_in_play_is_worth_what_was_reckoned():
    """Deals with this hand: the dealer keeps what basic keeps; what pone discards is not quite what ranks alone say."""
    hand = "5S 5H JD QC 2S 8H"
    played = simcards.game(GAMES[6]).play("basic", deals=100_000, fixed={"dealer": hand}, seed=4).frame
    rows = played.set_index(["quantity", "seat"])
    way = reckoned(hand, True)[mask("2S 8H")]
    for quantity, expected in (("hand", way.hand), ("crib", way.crib)):
        row = rows.loc[(quantity, "dealer")]
        assert abs(row.estimate - expected) < 4.0 * row.se
