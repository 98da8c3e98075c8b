"""Cinq-cents: the compiled game against its reference, and the rules that the source states, one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from .compare import Pair, compare_random, compare_traced
from .kernel import kernel
from .reference_cinq_cents import DEFAULTS, MELDS, MISSING, CinqCents, code_of

GAME = "cinq-cents"
VARIATIONS = [
    {},
    {"target": 0},
    {"target": 200, "target_step": 50},
    {"target": 200, "knocking": "no"},
    {"draw_order": "pone", "target": 300},
    {"marriage": 21, "royal_marriage": 43, "sequence": 127, "royal_sequence": 251, "bezique": 41, "seven": 11},
    {"target": 130, "plain_sequences": "no"},
    {"target": 250, "knocking": "no", "target_step": 97},
    {"target": 300, "ace": 7, "ten": 0, "king": 9, "queen": 1, "jack": 5, "last_trick": 13},
]


def weights(phase, action):
    if phase == "knock":
        return 0.05 if action else 0.95
    return 10 if phase == "declare" and action else 1


def seldom_knocks(phase, action):
    return 0.003 if phase == "knock" and action else weights(phase, action)


@pytest.mark.parametrize("rules", VARIATIONS)
@pytest.mark.parametrize("strategy", ["random", "basic"])
def test_traced_games(rules, strategy):
    compiled = kernel(GAME, rules)
    for index in range(60):
        compare_traced(compiled, lambda: CinqCents(rules), strategy, index)


def collects(wanted):
    """Keep some cards as long as possible, so that fours, sequences and binages come up."""

    def weights(phase, action):
        if phase == "play":
            return 0.004 if wanted(action % 32) else 1
        return seldom_knocks(phase, action)

    return weights


HOARDS = [collects(lambda card, suit=suit: card // 8 == suit) for suit in range(4)]
HOARDS += [collects(lambda card, rank=rank: card % 8 == rank) for rank in (3, 4, 5, 7)]
HOARDS += [collects(lambda card: card in (code_of("QS"), code_of("JD")))]


@pytest.mark.slow
def test_many_games():
    """Some thousand games, played by habits that bring every combination and every end."""
    seen = Counter()
    habits = (weights, seldom_knocks, *HOARDS)
    for rules in VARIATIONS:
        compiled = kernel(GAME, rules)
        for index in range(60, 360):
            for strategy in ("random", "basic"):
                compare_traced(compiled, lambda rules=rules: CinqCents(rules), strategy, index)
            reference = CinqCents(rules)
            compare_random(compiled, reference, index, habits[index % len(habits)])
            seen += reference.events
    ends = {"won at the end of a deal", "both had it", "right knock", "wrong knock", "knock when both have it"}
    assert not {*MELDS, *ends, "seven turned", "wrong knock against one who has it"} - set(seen)


@pytest.mark.parametrize("rules", VARIATIONS)
def test_random_games_full_of_declarations(rules):
    compiled = kernel(GAME, rules)
    seen = Counter()
    for seed in range(60):
        row = compare_random(compiled, CinqCents(rules), seed, weights if seed % 2 else seldom_knocks)
        seen.update({name: sum(value) for name, value in row.items() if isinstance(value, list)})
        for name in ("goal_raised", "both_had"):
            seen[name] += row[name]
        values = DEFAULTS | rules
        for seat in (0, 1):
            sources = (*MELDS, "seven", "cards", "last_trick")
            assert row["points"][seat] == sum(row[f"points_{source}"][seat] for source in sources)
            for meld in MELDS:
                assert row[f"points_{meld}"][seat] == values[meld] * row[f"count_{meld}"][seat]
                assert (row[f"first_{meld}"][seat] == MISSING) == (row[f"count_{meld}"][seat] == 0)
    assert seen["count_bezique"]
    if rules.get("target") != 0 and rules.get("knocking") != "no":
        assert seen["knocked_right"]
        assert seen["knocked_wrong"]
    if rules.get("target") == 200:
        assert seen["goal_raised"]


def test_cards_of_a_deal_count_120():
    """E-BEZ-4."""
    compiled = kernel(GAME, {"target": 0})
    for seed in range(20):
        row = compare_random(compiled, CinqCents({"target": 0}), seed, weights)
        assert sum(row["points_cards"]) == 120
        assert sum(row["points_last_trick"]) == 10
        assert sum(row["tricks"]) == 16
        assert sum(row["brisques"]) == 8


def dealt(pone, dealer, turn_up, stock=""):
    """The dealing order that gives these hands."""
    pone, dealer, stock = ([code_of(card) for card in text.split()] for text in (pone, dealer, stock))
    order = pone[:3] + dealer[:3] + pone[3:5] + dealer[3:5] + pone[5:] + dealer[5:] + [code_of(turn_up), *stock]
    return order + [card for card in range(32) if card not in order]


# hearts are trumps; the dealer can win no trick
DECK = dealt("AH TH KH QH JH QS JD KS", "7S 8S 9S 7D 8D 9D 7C 8C", "8H", "9H 7H JS JC QC QD")
MARRIAGE, SEQUENCE, BINAGE = 1, 5, 9
SPADES, HEARTS = 0, 1


def play(*cards):
    return [code_of(card) for card in cards]


def test_a_marriage_cannot_grow_into_a_sequence():
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(DECK)
    pair.apply(*play("KS", "7S"))
    assert pair.reference.legal() == {0, MARRIAGE + HEARTS, SEQUENCE + HEARTS, BINAGE}
    pair.apply(MARRIAGE + HEARTS)
    assert pair.reference.points == [40, 0]
    pair.apply(*play("9H", "8S"))
    assert pair.reference.legal() == {0, BINAGE}
    pair.apply(BINAGE)
    assert pair.reference.points == [80, 0]
    pair.check()


def test_a_card_serves_for_one_combination_even_of_another_class():
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(dealt("AH TH KH QH JC QS JD KS", "7S 8S 9S 7D 8D 9D 7C 8C", "8H", "9H 7H"))
    pair.apply(*play("JC", "7C"))
    assert pair.reference.legal() == {0, MARRIAGE + HEARTS, MARRIAGE + SPADES, BINAGE}
    pair.apply(BINAGE, *play("9H", "8S"))
    assert pair.reference.legal() == {0, MARRIAGE + HEARTS}  # the queen of spades has served
    pair.check()


def test_a_plain_sequence_scores_120():
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(dealt("AS TS KS QS JS AH TH KH", "7S 8S 9S 7D 8D 9D 7C 8C", "8H"))
    pair.apply(*play("AS", "7S"))
    assert SEQUENCE + SPADES not in pair.reference.legal()  # the ace is played
    pair.check()
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(dealt("AS TS KS QS JS AH TH KH", "7S 8S 9S 7D 8D 9D 7C 8C", "8H"))
    pair.apply(*play("AH", "7S"), SEQUENCE + SPADES)
    assert pair.reference.points == [120, 0]
    pair.check()


def test_the_seven_turned_up_or_exchanged_scores_10():
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(dealt("AS TS KS QS JS AH TH KH", "8S 9S 8H 8D 9D 7C 8C 9C", "7H"))
    assert pair.reference.points == [0, 10]
    pair.check()
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(dealt("AS TS KS QS 7H AH TH KH", "7S 8S 9S 7D 8D 9D 7C 8C", "JH"))
    pair.apply(*play("AH", "7S"))
    assert 17 in pair.reference.legal()
    pair.apply(17)
    assert pair.reference.points == [10, 0]
    assert code_of("JH") in pair.reference.legal()
    pair.check()


def set_points(pair, *points):
    for seat in (0, 1):
        pair.reference.players[seat].points = points[seat]
        pair.states["public"]["points"][0, seat] = points[seat]


def test_a_right_knock_wins_whatever_the_other_has():
    pair = Pair(kernel(GAME, {}), CinqCents())
    pair.deal(DECK)
    set_points(pair, 379, 600)
    pair.apply(*play("TH", "7S"))  # 379 and all the cards are 499: he is not asked
    assert pair.reference.phase() == "declare"
    set_points(pair, 450, 600)
    pair.apply(BINAGE)
    assert pair.reference.phase() == "knock"
    pair.apply(1)
    assert pair.reference.winner == 0
    assert pair.reference.both_had == 1
    assert pair.reference.points == [500, 600]  # 450, binage 40, ten 10


def test_a_wrong_knock_loses_whatever_the_other_has():
    rules = {"target": 130}
    pair = Pair(kernel(GAME, rules), CinqCents(rules))
    pair.deal(DECK)
    pair.apply(*play("KH", "7S"), BINAGE, 1)
    row = pair.finish()
    assert row["won"] == [0, 1]
    assert row["value"] == [-1, 1]
    assert row["knocked_wrong"] == [1, 0]
    assert row["points"] == [44, 0]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((480, 470), ("again", 600)),  # both can have it at the end of the deal
        ((600, 590), ("again", 700)),
        ((499, 100), ("won", 0)),
        ((100, 499), ("won", 1)),
        ((100, 100), ("again", 500)),
    ],
)
def test_without_a_knock(points, expected):
    """One has the points: he wins on his merits; both have: 600, then 700."""
    found = 0
    for seed in range(20):
        pair = Pair(kernel(GAME, {}), CinqCents())
        set_points(pair, *points)
        rng = random.Random(seed)
        pair.deal(rng.sample(range(32), 32))
        while not pair.reference.over and pair.reference.phase() != "deal":
            actions = sorted(pair.reference.legal())
            pair.apply(0 if pair.reference.phase() in ("knock", "declare") else rng.choice(actions))
        result = ("won", pair.reference.winner) if pair.reference.over else ("again", pair.reference.goal)
        reached = [score >= 500 for score in pair.reference.points]
        assert int(pair.states["goal"][0]) == pair.reference.goal
        assert bool(pair.reference.over) == (sum(reached) == 1)
        if all(reached):
            assert pair.reference.goal == 600 + 100 * (min(pair.reference.points) >= 600)
        found += result == expected
    assert found
